package io.github.steadyjobs.definition;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.github.steadyjobs.JobLimits;
import io.github.steadyjobs.RetryDelay;
import org.jspecify.annotations.Nullable;

/**
 * The settings for retries of a job, from annotation and configuration. Thread safe.
 *
 * @param retries how often it is run again, or {@code null} for as often as the worker
 * says
 * @param dead whether it is kept when it has failed for the last time
 * @param backoff when it runs again, or {@code null} for the default of the application
 */
public record RetryRules(@Nullable Integer retries, JobLimits limits, boolean dead,
		@Nullable Supplier<RetryDelay> backoff, FailureTypes types) {

	/** Those of a job that says nothing. */
	public static final RetryRules DEFAULT = new RetryRules(null, JobLimits.NONE, true, null, FailureTypes.ALL);

	/**
	 * Which failures are retried, which are final, and which end a job without a trace.
	 * As in Spring's retry support the causes of an exception count as well.
	 *
	 * @param includes those that are retried, empty for all
	 * @param excludes those that are not retried
	 * @param discards those that end a job without a trace
	 */
	public record FailureTypes(List<Class<? extends Throwable>> includes, List<Class<? extends Throwable>> excludes,
			List<Class<? extends Throwable>> discards) {

		static final FailureTypes ALL = new FailureTypes(List.of(), List.of(), List.of());

		public FailureTypes {
			includes = List.copyOf(includes);
			excludes = List.copyOf(excludes);
			discards = List.copyOf(discards);
		}

		public boolean isRetried(Throwable failure) {
			return !isCausedBy(failure, this.excludes)
					&& (this.includes.isEmpty() || isCausedBy(failure, this.includes));
		}

		public boolean isDiscarded(Throwable failure) {
			return isCausedBy(failure, this.discards);
		}

		/**
		 * Return whether an exception or one of its causes is of one of some types.
		 * Spring's filter for this does not end where causes go in circles.
		 */
		public static boolean isCausedBy(Throwable failure, List<? extends Class<? extends Throwable>> types) {
			if (types.isEmpty()) {
				return false;
			}
			Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
			try {
				for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
					for (Class<? extends Throwable> type : types) {
						if (type.isInstance(cause)) {
							return true;
						}
					}
				}
			}
			catch (Throwable ex) {
				// An exception that throws when asked for its cause is a failure of its
				// own.
			}
			return false;
		}

	}

}
