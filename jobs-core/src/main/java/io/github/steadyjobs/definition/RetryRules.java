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
 * The retry settings of a job, from its annotation and the configuration. Thread safe.
 *
 * @param retries the maximum number of retries, or {@code null} to use the worker's
 * default
 * @param dead whether the job is kept when it has failed for the last time
 * @param backoff decides when the job is retried, or {@code null} to use the
 * application's default
 */
public record RetryRules(@Nullable Integer retries, JobLimits limits, boolean dead,
		@Nullable Supplier<RetryDelay> backoff, FailureTypes types) {

	/** The rules for a job that specifies nothing. */
	public static final RetryRules DEFAULT = new RetryRules(null, JobLimits.NONE, true, null, FailureTypes.ALL);

	/**
	 * Decides after which failures a job is retried, is dead, or is discarded. As in
	 * Spring's retry support, the causes of an exception are checked too.
	 *
	 * @param includes the exception types after which a job is retried, empty for all
	 * @param excludes the exception types after which a job is not retried
	 * @param discards the exception types after which a job is discarded
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
		 * Return whether an exception or one of its causes has one of the given types.
		 * Spring's own filter does not terminate if the causes form a cycle.
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
				// If getCause itself throws an exception, there is no usable cause.
			}
			return false;
		}

	}

}
