package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.redis.QueueMonitor.DataSet;

/**
 * The answer to a heartbeat.
 *
 * @param status whether the process counts as alive in the queue
 * @param parked how many jobs are parked
 * @param hasJobs whether the queue has jobs to give out
 * @param suspects the jobs that may have killed processes
 * @param interrupted the runs of the process that are to be interrupted, because their
 * jobs were cancelled; often empty
 * @param pauses the version of the pauses that the queue knows
 * @param data the data set of the queue
 * @param counters the heartbeat counters of all processes of the queue,
 * {@link #FENCED_COUNTER} for one that was taken for dead and still has jobs
 */
public record Beat(Claim.Status status, Parked parked, boolean hasJobs, Suspects suspects, String interrupted,
		long pauses, DataSet data, Map<String, Long> counters) {

	/** Stands in for the counter of a process whose jobs are being given back. */
	public static final long FENCED_COUNTER = -1;

	private static final String FENCED = "FENCED";

	static Beat of(List<Object> answer) {
		Claim.Status status = Claim.Status.valueOf(Answers.text(answer, 0));
		if (status != Claim.Status.OK) {
			return new Beat(status, new Parked(0, 0), false, Suspects.NONE, "", 0, new DataSet("", 0), Map.of());
		}
		DataSet data = new DataSet(Answers.text(answer, 3), Answers.number(answer, 4));
		return new Beat(status, new Parked(Answers.number(answer, 1), Answers.number(answer, 2)),
				Answers.number(answer, 5) > 0,
				new Suspects(Answers.number(answer, 6), Duration.ofMillis(Answers.number(answer, 7))),
				Answers.text(answer, 8), Answers.number(answer, 9), data, counters(answer.subList(10, answer.size())));
	}

	/**
	 * Return whether a run is among those that are to be interrupted.
	 */
	public boolean isInterrupted(JobToken run) {
		return (this.interrupted + " ").contains(" " + run.id() + " " + run.claim() + " ");
	}

	/**
	 * Read processes and their counters, which alternate.
	 */
	static Map<String, Long> counters(List<Object> fields) {
		Map<String, Long> counters = new HashMap<>();
		for (int i = 0; i < fields.size(); i += 2) {
			counters.put(Answers.text(fields, i), counter(Answers.text(fields, i + 1)));
		}
		return counters;
	}

	static String observed(long counter) {
		return (counter == FENCED_COUNTER) ? FENCED : Long.toString(counter);
	}

	private static long counter(String text) {
		try {
			return text.equals(FENCED) ? FENCED_COUNTER : Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			// A foreign value never changes, so its process is found dead. The recovery
			// then names a counter that is not the one stored, and changes nothing.
			return Long.MIN_VALUE;
		}
	}

	/**
	 * Parked jobs.
	 *
	 * @param now how many there are
	 * @param ever how often a job was parked
	 */
	public record Parked(long now, long ever) {

	}

	/**
	 * Jobs that may have killed processes.
	 *
	 * @param count how many there are that the queue would give out
	 * @param waited how long the next of them has waited
	 */
	public record Suspects(long count, Duration waited) {

		static final Suspects NONE = new Suspects(0, Duration.ZERO);

	}

	/**
	 * What the death of a process would mean for the jobs that it runs.
	 */
	public enum ProcessState {

		/** Each of them may be to blame. */
		RUNNING(""),

		/** None is to blame: they were about to be put back anyway. */
		STOPPING("stopping");

		private final String text;

		ProcessState(String text) {
			this.text = text;
		}

		String text() {
			return this.text;
		}

	}

}
