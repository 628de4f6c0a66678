package io.github.steadyjobs.boot;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.Names;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.RecurringState;
import io.github.steadyjobs.recurring.RecurringState.Pause;
import io.github.steadyjobs.recurring.RecurringState.Status;
import org.jspecify.annotations.Nullable;

/**
 * Finds recurring jobs that do not run, for health and the doctor. Thread safe.
 */
final class RecurringReport {

	/**
	 * How long a reading is reused. A health check needs a reading twice: for late ticks
	 * and for the doctor.
	 */
	private static final long KEPT_NANOS = Duration.ofSeconds(1).toNanos();

	static final int MOST_NAMED = 20;

	private final RecurringJobs jobs;

	private final Duration lateAfter;

	private volatile @Nullable Reading latest;

	RecurringReport(RecurringJobs jobs, Duration lateAfter) {
		this.jobs = jobs;
		this.lateAfter = lateAfter;
	}

	/**
	 * Return the recurring jobs with a late tick, including jobs that no live process can
	 * run.
	 */
	List<RecurringState> late() {
		return states().stream().filter(this::isLate).toList();
	}

	/**
	 * Return the recurring jobs that do not run: parked, paused or late.
	 */
	List<RecurringState> idle() {
		return states().stream()
			.filter((state) -> state.status() == Status.PARKED || state.pause() != null || isLate(state))
			.toList();
	}

	/**
	 * Return a text that explains why a recurring job does not run.
	 */
	static String describe(RecurringState state) {
		Pause pause = state.pause();
		if (pause != null) {
			return "is paused by %s since %s: %s".formatted(pause.who(), pause.since(), Names.printable(pause.why()));
		}
		String late = "is late by %d s".formatted(state.late().toSeconds());
		if (state.status() != Status.PARKED) {
			return late;
		}
		String parked = "is parked, because no living process has its job '%s'".formatted(state.job().job());
		return state.late().isZero() ? parked : parked + ", and " + late;
	}

	private boolean isLate(RecurringState state) {
		return state.late().compareTo(this.lateAfter) > 0;
	}

	private List<RecurringState> states() {
		Reading reading = this.latest;
		if (reading == null || System.nanoTime() - reading.nanos() > KEPT_NANOS) {
			reading = new Reading(this.jobs.list(), System.nanoTime());
			this.latest = reading;
		}
		return reading.states();
	}

	private record Reading(List<RecurringState> states, long nanos) {

	}

}
