package io.github.steadyjobs.activity;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A change that an operator has made. This type is internal to the library and may change
 * with any release. Applications use the event {@code OperatorAction} of
 * {@code jobs-admin} instead.
 *
 * @param action the kind of change, as named by the endpoint, such as {@code retry}
 * @param target the object of the change: values by name, such as the id of a job, or the
 * parts of a filter
 * @param count the number of jobs or other objects that were changed
 * @param message a description of the change for the log
 * @param by the name given by the caller; {@code null} if the caller gave no name
 * @param bulk an id that all steps of a change to many jobs share; {@code null} for a
 * change that is made in a single step
 */
public record OperatorChange(String action, Map<String, String> target, long count, String message, @Nullable String by,
		@Nullable String bulk) {

	private static final Pattern BREAKS = Pattern.compile("[\\p{Cntrl}\u0085\u2028\u2029]+");

	public OperatorChange {
		target = Collections.unmodifiableMap(new LinkedHashMap<>(target));
		// A message may quote what the operator has typed, such as the reason of a pause.
		message = BREAKS.matcher(message).replaceAll(" ");
	}

	/**
	 * Create a change of a single object.
	 * @param target names, each followed by its value; a name with the value {@code null}
	 * is omitted
	 */
	public static OperatorChange of(String action, String message, @Nullable String... target) {
		Map<String, String> values = new LinkedHashMap<>();
		for (int i = 0; i < target.length; i += 2) {
			String value = target[i + 1];
			if (value != null) {
				values.put(Objects.requireNonNull(target[i]), value);
			}
		}
		return of(action, message, values);
	}

	/** Create a change of a single object. */
	public static OperatorChange of(String action, String message, Map<String, String> target) {
		return new OperatorChange(action, target, 1, message, null, null);
	}

	/** Return a copy of this change, with another number of changed objects. */
	public OperatorChange count(long count) {
		return new OperatorChange(this.action, this.target, count, this.message, this.by, this.bulk);
	}

	/** Return a copy of this change, with a name that is used if nobody is logged in. */
	public OperatorChange by(String who) {
		return new OperatorChange(this.action, this.target, this.count, this.message, who, this.bulk);
	}

	/** Return a copy of this change, as a step of the bulk change with the given id. */
	public OperatorChange stepOf(String bulk) {
		return new OperatorChange(this.action, this.target, this.count, this.message, this.by, bulk);
	}

	/** Receives notifications of changes, on the thread that made the changes. */
	@FunctionalInterface
	public interface Listener {

		/** Logs changes, without the name of the person who made them. */
		Listener LOG = new Log();

		/**
		 * Handle a change that was made. Must not throw an exception, because the change
		 * is already in effect.
		 */
		void changed(OperatorChange change);

	}

	private static final class Log implements Listener {

		private static final Logger logger = LoggerFactory.getLogger(OperatorChange.class);

		@Override
		public void changed(OperatorChange change) {
			logger.info("{}", change.message());
		}

	}

}
