package io.github.steadyjobs.admin;

import java.util.List;

import io.github.steadyjobs.JobFailure;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.admin.AdminStore.Description;
import io.github.steadyjobs.admin.JobProcess.Run;
import io.github.steadyjobs.pause.Pauses;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;

/**
 * A job and the reason why it is not running.
 *
 * @param job the job
 * @param reason why it is not running; {@link Reason#RUNS} if it is running
 * @param explanation the reason in words, with names and advice
 * @param blocker the id of the job for which this job waits; empty if there is no such
 * job
 * @param crashes the number of processes that died while running it
 * @param process the name of the process that runs the job; empty if the job is not
 * running
 * @param run the current run; {@code null} if the job is not running, or if the process
 * has not yet reported the run with a heartbeat
 */
public record JobDetails(JobEntry job, Reason reason, String explanation, String blocker, int crashes, String process,
		@Nullable Run run) {

	static JobDetails of(String id, Description found, PayloadCodec codec) {
		JobPlace place = JobPlace.of(found.place());
		JobEntry job = JobEntry.of(id, found.part(), place, found.detail(), found.payload(), codec);
		int end = found.crash().indexOf(' ');
		int crashes = (end > 0) ? Integer.parseInt(found.crash().substring(0, end)) : 0;
		Reason reason = reason(place, found);
		return new JobDetails(job, reason, reason.explain(job, found), found.holder(), crashes,
				(reason == Reason.RUNS) ? process(found.detail()) : "", null);
	}

	/**
	 * Return the name of the process in a claim.
	 * @param claim
	 * {@code <process>.<how often it has joined the queue>/<capsule>/<number>}
	 */
	private static String process(String claim) {
		return claim.substring(0, Math.max(0, claim.indexOf('/'))).replaceFirst("\\.\\d+$", "");
	}

	/**
	 * Return the last failures of the job, at most ten, the newest last.
	 * @return the failures; empty if the job cannot be read
	 */
	public List<JobFailure> failures() {
		JobPayload payload = this.job.payload();
		return (payload != null) ? payload.failures() : List.of();
	}

	boolean isPaused() {
		return this.reason == Reason.QUEUE_PAUSED || this.reason == Reason.JOB_PAUSED;
	}

	/**
	 * Return a copy with details of the pause that holds the job, if known: who made the
	 * pause, why, and when it ends.
	 */
	JobDetails with(Pauses pauses) {
		boolean byQueue = this.reason == Reason.QUEUE_PAUSED;
		String name = byQueue ? this.job.queue() : this.job.note().substring(this.job.note().indexOf(':') + 1);
		Pauses.Pause pause = pauses.find(byQueue ? Target.queue(name) : Target.job(name));
		String text = (byQueue ? "Resume queue '%s', which is paused %s"
				: "Resume jobs called '%s', which are paused %s")
			.formatted(name, pause);
		return (pause != null) ? new JobDetails(this.job, this.reason, text, this.blocker, this.crashes, "", null)
				: this;
	}

	/** Return a copy with the current run, if the job's process has reported it. */
	JobDetails with(List<JobProcess> processes) {
		Run present = processes.stream()
			// A dead process that ran the job before is still listed for a while.
			.filter((process) -> process.name().equals(this.process))
			.flatMap((process) -> process.running().stream())
			.filter((run) -> run.id().equals(this.job.id()))
			.findAny()
			.orElse(null);
		return new JobDetails(this.job, this.reason, this.explanation, this.blocker, this.crashes, this.process,
				present);
	}

	private static Reason reason(JobPlace place, Description found) {
		return switch (place) {
			case WORKING -> Reason.RUNS;
			case DEAD -> Reason.DEAD;
			case SCHEDULED, RETRIES -> found.isDue() ? waits(place, found) : Reason.NOT_DUE;
			case PARKED -> parked(found.detail());
			case READY, SUSPECTS -> waits(place, found);
		};
	}

	private static Reason waits(JobPlace place, Description found) {
		if (!found.paused().isEmpty()) {
			return Reason.QUEUE_PAUSED;
		}
		if (found.processes() == 0) {
			return Reason.NOT_SERVED;
		}
		return (place == JobPlace.SUSPECTS) ? Reason.SUSPECT : Reason.WAITS_ITS_TURN;
	}

	private static Reason parked(String why) {
		return switch (why.substring(0, Math.max(0, why.indexOf(':')))) {
			case "unknown" -> Reason.UNKNOWN_JOB;
			case "unbound" -> Reason.ARGUMENTS_DO_NOT_FIT;
			case "mutex" -> Reason.EQUAL_JOB_RUNS;
			case "moving" -> Reason.MOVES;
			case "paused" -> Reason.JOB_PAUSED;
			default -> Reason.HELD_BACK;
		};
	}

	/** The reason why a job is not running. */
	public enum Reason {

		/** The job is running, or is about to run. */
		RUNS("It runs: worker %2$s has it"),

		/** The job waits only for the jobs before it. */
		WAITS_ITS_TURN("It waits for a worker, after other jobs of queue '%1$s'"),

		/** No process serves the queue of the job. */
		NOT_SERVED("No process serves queue '%1$s': start one whose capsules list it"),

		/** The queue of the job is paused. */
		QUEUE_PAUSED("Queue '%1$s' is paused: resume it"),

		/** Jobs with the name of this job are paused. */
		JOB_PAUSED("It is parked (%2$s): resume jobs of its name"),

		/** A limit or a similar rule currently keeps the job from starting. */
		HELD_BACK("It is held back for now (%2$s)"),

		/** The job is not due yet. */
		NOT_DUE("It is due at %3$s"),

		/** The job waits for a running job with the same key. */
		EQUAL_JOB_RUNS("It waits until job %4$s has ended, because the two must not run at the same time"),

		/** No process that serves the queue defines a job with this name. */
		UNKNOWN_JOB("No worker that serves queue '%1$s' has a job '%5$s': deploy one, or add an alias"),

		/** The job is on its way to another queue. */
		MOVES("It is on its way to another queue (%2$s). If that takes ten seconds, a worker of its queue brings it back; then you may also move it again"),

		/** The arguments do not fit the method that the workers have. */
		ARGUMENTS_DO_NOT_FIT("Its arguments do not fit the method of the workers of queue '%1$s': deploy one "
				+ "that takes them, or edit them"),

		/** Processes died while running the job, so it waits to run alone. */
		SUSPECT("Processes died while they ran it, so it waits to run alone"),

		/** The job has failed for the last time, or was killed. */
		DEAD("It has been dead since %3$s: retry it once the cause of its failure is fixed");

		private final String text;

		Reason(String text) {
			this.text = text;
		}

		private String explain(JobEntry job, Description found) {
			String name = Names.printable(found.detail().substring(found.detail().indexOf(':') + 1));
			return this.text.formatted(job.queue(), found.detail(), job.time(), found.holder(), name);
		}

	}

}
