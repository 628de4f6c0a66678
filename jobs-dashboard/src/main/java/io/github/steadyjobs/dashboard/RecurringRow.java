package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;

import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.recurring.RecurringState;
import io.github.steadyjobs.recurring.RecurringState.LastTick;
import io.github.steadyjobs.recurring.RecurringState.Origin;
import io.github.steadyjobs.recurring.RecurringState.Status;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job as pages show it.
 *
 * @param state the state of the recurring job
 */
record RecurringRow(RecurringState state) {

	RecurringJob job() {
		return this.state.job();
	}

	String address() {
		return OneRecurringPage.address(job().name());
	}

	String status() {
		return Visit.text(this.state.status());
	}

	boolean isActive() {
		return this.state.status() == Status.ACTIVE;
	}

	boolean isCreated() {
		return this.state.origin() == Origin.CREATED;
	}

	/** Return whether the recurring job was created at run time or is parked. */
	boolean canBeDeleted() {
		return isCreated() || this.state.status() == Status.PARKED;
	}

	/** Return whether the next tick has been due for at least a second. */
	boolean isLate() {
		return this.state.late().toSeconds() > 0;
	}

	@Nullable Instant next() {
		return this.state.next().isEmpty() ? null : this.state.next().get(0);
	}

	/** Return the schedule in words, or its cron expression. */
	String schedule() {
		Duration every = job().schedule().every();
		return (every != null) ? Words.of("recurring.every", Format.duration(every))
				: Plain.line(job().schedule().cron());
	}

	/** Return the time zone of the schedule, empty if it has no time zone. */
	String zone() {
		return (job().schedule().cron() != null) ? job().schedule().zone().getId() : "";
	}

	@Nullable LastTick last() {
		return this.state.last();
	}

	/** Return in words what was decided about the latest tick. */
	String decision(LastTick last) {
		return Words.of("tick." + Visit.text(last.decision()));
	}

	/** Return in words how the job of the latest tick ended, empty if this is unknown. */
	String outcome(LastTick last) {
		return (last.outcome() != null)
				? Words.of("outcome", Words.of("outcome." + Visit.text(last.outcome())), Format.duration(last.ran()))
				: "";
	}

	boolean hasFailed(LastTick last) {
		return last.outcome() != null && switch (last.outcome()) {
			case RETRY, DEAD, DISCARDED -> true;
			default -> false;
		};
	}

}
