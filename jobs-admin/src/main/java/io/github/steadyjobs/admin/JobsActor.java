package io.github.steadyjobs.admin;

import java.util.function.Supplier;

import io.github.steadyjobs.Names;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Determines who is making the changes of the current thread. Available as a bean, which
 * an application can replace with its own. Thread safe.
 * <p>
 * The name is the first of these that is known: the name passed to {@link #as}, the user
 * who is logged in, the name given by the caller, such as {@code who} in a request to the
 * endpoint, and the name of the application. A login, or a name passed to {@link #as}, is
 * not known in other threads: use {@link #as} there.
 */
public final class JobsActor {

	/** The maximum number of characters of a name. */
	public static final int LONGEST_NAME = 100;

	private static final Logger logger = LoggerFactory.getLogger(JobsActor.class);

	private final ThreadLocal<@Nullable String> named = new ThreadLocal<>();

	private final Supplier<@Nullable String> user;

	private final Supplier<String> application;

	/**
	 * Create an actor.
	 * @param user returns the name of the current user, {@code null} if there is none
	 * @param application returns the name for changes made by no user, such as
	 * {@code shop@host-1}
	 */
	public JobsActor(Supplier<@Nullable String> user, Supplier<String> application) {
		this.user = user;
		this.application = application;
	}

	/** Return the name of the person or program that makes the changes of this thread. */
	public String name() {
		return name(null);
	}

	/**
	 * Return the name of the person or program that makes the changes of this thread.
	 * @param claimed the name given by the caller, which is used if nobody is logged in;
	 * {@code null} if the caller gives no name
	 * @return a name of at most {@value #LONGEST_NAME} characters, on a single line
	 */
	public String name(@Nullable String claimed) {
		String name = this.named.get();
		name = StringUtils.hasText(name) ? name : user();
		name = StringUtils.hasText(name) ? name : claimed;
		return printable(StringUtils.hasText(name) ? name : this.application.get());
	}

	private @Nullable String user() {
		try {
			return this.user.get();
		}
		catch (RuntimeException ex) {
			// The change was made nevertheless, and must be recorded.
			logger.warn("It is not known who has logged in", ex);
			return null;
		}
	}

	/**
	 * Make changes under the given name, even if a user is logged in. The name applies
	 * only to changes that the call makes in this thread.
	 * @param who the name of a person or program
	 * @param call makes the changes
	 * @return the result of the call
	 * @throws IllegalArgumentException if the name is empty
	 */
	public <T> T as(String who, Supplier<T> call) {
		Assert.hasText(who, "'who' must not be empty; say in whose name the changes are made");
		String before = this.named.get();
		this.named.set(who);
		try {
			return call.get();
		}
		finally {
			if (before != null) {
				this.named.set(before);
			}
			else {
				this.named.remove();
			}
		}
	}

	private static String printable(String name) {
		String printable = Names.printable(name);
		if (printable.length() <= LONGEST_NAME) {
			return printable;
		}
		int end = LONGEST_NAME - 1;
		return printable.substring(0, Character.isHighSurrogate(printable.charAt(end - 1)) ? end - 1 : end) + "…";
	}

}
