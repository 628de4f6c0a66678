package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

import io.github.steadyjobs.benchmarks.chaos.Incident.Kind;

/**
 * Knows whether an incident can have taken a job from the worker that was running it. A
 * process loses its jobs only if it has ended or was silent for long enough.
 */
final class Ownership {

	/**
	 * How long it may take until Redis knows that a run has ended, in milliseconds.
	 */
	private static final long SETTLEMENT = 2000;

	/**
	 * How long a process may take to reconnect, in milliseconds.
	 */
	private static final long RECONNECTION = 5000;

	/**
	 * Maximum time between a claim and the start of a run, in milliseconds. It is long
	 * because the payloads of a key run one after another.
	 */
	private static final long CLAIM = 10_000;

	private final List<Incident> incidents;

	private final long silence;

	/**
	 * Create an instance.
	 * @param incidents which fault hit which process
	 * @param timing how long a process may be silent
	 */
	Ownership(List<Incident> incidents, ChaosOptions.Timing timing) {
		this.incidents = incidents.stream().sorted(Comparator.comparingLong(Incident::from)).toList();
		// The last heartbeat may have been sent some time before the incident.
		this.silence = timing.deathAfter().minus(timing.beat().multipliedBy(2)).toMillis();
	}

	boolean wasTaken(Run run) {
		long settled = settled(run);
		return this.incidents.stream()
			.filter((incident) -> incident.hits(run.slot()) && takesJobs(incident))
			.anyMatch((incident) -> incident.overlaps(claimed(run, incident), settled));
	}

	/**
	 * Return whether Redis has forgotten that a process had claimed the job of a run, or
	 * has forgotten that the run has ended.
	 */
	boolean wasForgotten(Run run) {
		long settled = settled(run);
		return this.incidents.stream()
			.filter((incident) -> incident.kind() == Kind.FORGOTTEN)
			.anyMatch((incident) -> incident.overlaps(claimed(run, incident), settled));
	}

	/**
	 * Return when the process was killed during a run.
	 * @return milliseconds since the epoch; empty if the process was not killed
	 */
	OptionalLong killed(Run run) {
		long settled = settled(run);
		return this.incidents.stream()
			.filter((incident) -> incident.hits(run.slot()) && incident.kind() == Kind.KILLED)
			.filter((incident) -> incident.overlaps(run.start(), settled))
			.mapToLong(Incident::from)
			.findFirst();
	}

	/**
	 * Return the time until which the job of a run cannot have been given to another
	 * process, provided that the run has not ended earlier.
	 */
	long heldUntil(Run run) {
		return this.incidents.stream()
			.filter((incident) -> incident.hits(run.slot()) && takesJobs(incident))
			.filter((incident) -> incident.overlaps(claimed(run, incident), run.end()))
			.mapToLong((incident) -> switch (incident.kind()) {
				case KILLED, STOPPED -> incident.to();
				case PAUSED, CUT_OFF -> incident.from() + this.silence;
				case FORGOTTEN -> incident.from();
			})
			.min()
			.orElse(Run.NEVER);
	}

	/**
	 * Return the earliest time at which the job may have been claimed. A process that
	 * comes back still begins jobs that it had claimed, until it learns that these jobs
	 * were given to other processes.
	 */
	private static long claimed(Run run, Incident incident) {
		return run.start() - switch (incident.kind()) {
			case KILLED, STOPPED -> 0;
			case PAUSED, CUT_OFF -> RECONNECTION;
			case FORGOTTEN -> CLAIM;
		};
	}

	private boolean takesJobs(Incident incident) {
		Duration length = Duration.ofMillis(incident.to() - incident.from());
		return switch (incident.kind()) {
			case KILLED, STOPPED, FORGOTTEN -> true;
			case PAUSED -> length.toMillis() >= this.silence;
			case CUT_OFF -> length.toMillis() + RECONNECTION >= this.silence;
		};
	}

	/**
	 * Return the latest time at which Redis can have learned that a run has ended. A
	 * fault that hit the process before it could report the end makes this time later.
	 */
	private long settled(Run run) {
		long settled = (run.end() != Run.NEVER) ? run.end() + SETTLEMENT : run.end();
		for (Incident incident : this.incidents) {
			boolean delays = incident.kind() == Kind.PAUSED || incident.kind() == Kind.CUT_OFF;
			if (delays && incident.hits(run.slot()) && incident.overlaps(run.end(), settled)) {
				settled = Math.max(settled, incident.to() + RECONNECTION);
			}
		}
		return settled;
	}

}
