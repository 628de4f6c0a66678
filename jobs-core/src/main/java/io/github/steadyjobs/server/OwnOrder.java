package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Shares out room according to the application's rules. The filters decide which queues
 * may be asked. The selector, or else a built-in order, decides which queues come first.
 */
final class OwnOrder implements QueueOrder {

	private static final Logger logger = LoggerFactory.getLogger(OwnOrder.class);

	private static final long LOG_EVERY = Duration.ofMinutes(1).toNanos();

	private final String capsule;

	private final List<String> names;

	private final Capsule.Rules rules;

	private final @Nullable QueueOrder builtIn;

	private boolean failed;

	private long loggedAt;

	private OwnOrder(Capsule capsule, @Nullable QueueOrder builtIn) {
		this.capsule = capsule.name();
		this.names = capsule.queueNames();
		this.rules = capsule.rules();
		this.builtIn = builtIn;
	}

	/**
	 * Return the order of a capsule.
	 * @param builtIn supplies the order to use if the application has no selector
	 */
	static QueueOrder of(Capsule capsule, Supplier<QueueOrder> builtIn) {
		if (capsule.rules().selector() != null) {
			return new OwnOrder(capsule, null);
		}
		return capsule.rules().filters().isEmpty() ? builtIn.get() : new OwnOrder(capsule, builtIn.get());
	}

	/**
	 * If the application throws an exception, no queue is asked for jobs, and another
	 * attempt follows soon. The exception is not passed on, because jobs that have ended
	 * must still be acknowledged in the same step.
	 */
	@Override
	public void share(int room, boolean[] among, int[] shares) {
		try {
			shareAsRuled(room, among, shares);
		}
		catch (Throwable ex) {
			long now = System.nanoTime();
			if (!this.failed || now - this.loggedAt > LOG_EVERY) {
				logger.error("Capsule {} asks no queue for jobs as long as its selector or a filter fails",
						this.capsule, ex);
				this.loggedAt = now;
			}
			this.failed = true;
		}
	}

	private void shareAsRuled(int room, boolean[] among, int[] shares) {
		boolean[] allowed = new boolean[among.length];
		List<String> queues = new ArrayList<>();
		for (int i = 0; i < among.length; i++) {
			allowed[i] = among[i] && isAllowed(this.names.get(i));
			if (allowed[i]) {
				queues.add(this.names.get(i));
			}
		}
		QueueSelector selector = this.rules.selector();
		if (selector != null && !queues.isEmpty()) {
			select(selector, room, List.copyOf(queues), shares);
		}
		else if (this.builtIn != null && !queues.isEmpty()) {
			this.builtIn.share(room, allowed, shares);
		}
		this.failed = false;
	}

	private boolean isAllowed(String queue) {
		for (FetchFilter filter : this.rules.filters()) {
			if (!filter.mayFetch(this.capsule, queue)) {
				return false;
			}
		}
		return true;
	}

	private void select(QueueSelector selector, int room, List<String> queues, int[] shares) {
		for (int i = 0; i < room; i++) {
			String next = selector.next(this.capsule, queues);
			if (next == null) {
				return;
			}
			Assert.state(queues.contains(next), () -> "%s chose the queue '%s' for capsule '%s', which is none of %s"
				.formatted(selector.getClass().getName(), next, this.capsule, queues));
			shares[this.names.indexOf(next)]++;
		}
	}

}
