package io.github.steadyjobs.test.boot;

import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;

import io.github.steadyjobs.JobOutcome;
import org.jspecify.annotations.Nullable;

/**
 * How a run of a job has ended.
 *
 * @param id the id of the job
 * @param name the name of the job
 * @param outcome the outcome, as reported to a {@link io.github.steadyjobs.JobListener}
 * @param runsAgainIn the time until the job runs again, {@code null} if it does not
 * @param failure the exception or error that the run has thrown or, for a job that cannot
 * be read, the reason why it is dead; {@code null} if there is none
 * @param failed whether the run has failed; {@code false} if its job was discarded on
 * request, for example because of a {@link io.github.steadyjobs.DiscardJobException}, but
 * {@code true} if its job was discarded after its last failure
 */
public record RunResult(String id, String name, JobOutcome outcome, @Nullable Duration runsAgainIn,
		@Nullable Throwable failure, boolean failed) {

	/**
	 * Throw the failure, if the run has failed. A checked exception is wrapped in an
	 * {@link UndeclaredThrowableException}.
	 */
	public void rethrow() {
		if (!this.failed) {
			return;
		}
		if (this.failure instanceof Error error) {
			throw error;
		}
		if (this.failure instanceof RuntimeException exception) {
			throw exception;
		}
		if (this.failure != null) {
			throw new UndeclaredThrowableException(this.failure, "Job %s[%s] has failed".formatted(this.name, this.id));
		}
	}

	@Override
	public String toString() {
		return "%s[%s] %s%s%s".formatted(this.name, this.id, this.outcome,
				(this.runsAgainIn != null) ? ", again in " + this.runsAgainIn : "",
				(this.failure != null) ? ": " + this.failure : "");
	}

}
