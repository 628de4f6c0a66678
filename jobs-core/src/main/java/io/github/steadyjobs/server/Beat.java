package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.QueueMonitor.DataSet;

/**
 * The answer to a heartbeat.
 *
 * @param status whether the process counts as alive in the queue
 * @param parked the parked jobs of the queue
 * @param hasJobs whether the queue has jobs available
 * @param suspects the jobs that may have killed processes
 * @param interrupted the runs of the process that must be interrupted because their jobs
 * were cancelled; often empty
 * @param rules the version of the rules in force in the queue
 * @param data the data set of the queue
 * @param counters the heartbeat counters of all processes of the queue;
 * {@link #FENCED_COUNTER} for a process that was presumed dead and still holds jobs
 */
record Beat(Claim.Status status, Parked parked, boolean hasJobs, Suspects suspects, String interrupted, long rules,
		DataSet data, Map<String, Long> counters) {

	/** Replaces the counter of a process whose jobs are being given back. */
	static final long FENCED_COUNTER = -1;

	private static final String FENCED = "FENCED";

	static Beat of(List<Object> answer) {
		Claim.Status status = Claim.Status.valueOf(Answers.text(answer, 0));
		if (status != Claim.Status.OK) {
			return new Beat(status, Parked.NONE, false, Suspects.NONE, "", 0, new DataSet("", 0), Map.of());
		}
		DataSet data = new DataSet(Answers.text(answer, 3), Answers.number(answer, 4));
		return new Beat(status, Parked.of(Answers.number(answer, 1), Answers.utf8(answer.get(2))),
				Answers.number(answer, 5) > 0,
				new Suspects(Answers.number(answer, 6), Duration.ofMillis(Answers.number(answer, 7))),
				Answers.text(answer, 8), Answers.number(answer, 9), data, counters(answer.subList(10, answer.size())));
	}

	/** Return whether a run must be interrupted. */
	boolean isInterrupted(JobToken run) {
		return (this.interrupted + " ").contains(" " + run.id() + " " + run.claim() + " ");
	}

	/** Convert a list in which processes and their counters alternate. */
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
			// Another program wrote this value. Its reading never changes, so the process
			// looks dead. The recovery then passes a counter that differs from the stored
			// value, and so has no effect.
			return Long.MIN_VALUE;
		}
	}

	/**
	 * Parked jobs.
	 *
	 * @param now the number of jobs that are currently parked
	 * @param lately recent reasons for parking jobs, except pauses; each is mapped to the
	 * number of changes that the data set had when the reason was recorded
	 */
	record Parked(long now, Map<String, Long> lately) {

		static final Parked NONE = new Parked(0, Map.of());

		/** The maximum number of reasons that a queue remembers. */
		private static final int MOST = 20;

		private static final Pattern LINE = Pattern.compile("(\\d{1,18}) ([^\n]+)\n");

		static Parked of(long now, String lately) {
			Map<String, Long> reasons = new HashMap<>();
			Matcher lines = LINE.matcher(lately);
			while (lines.find()) {
				reasons.put(lines.group(2), Long.parseLong(lines.group(1)));
			}
			return new Parked(now, reasons);
		}

		/**
		 * Return whether any job may have been parked for a matching reason after the
		 * given number of changes to the data set.
		 */
		boolean isSince(long change, Predicate<String> reason) {
			boolean isComplete = this.lately.size() < MOST
					|| this.lately.values().stream().anyMatch((known) -> known <= change);
			return !isComplete || this.lately.entrySet()
				.stream()
				.anyMatch((known) -> known.getValue() > change && reason.test(known.getKey()));
		}

	}

	/**
	 * Jobs that may have killed processes.
	 *
	 * @param count the number of such jobs in the queue; 0 while the queue is paused
	 * @param waited how long the next of these jobs has waited
	 */
	record Suspects(long count, Duration waited) {

		static final Suspects NONE = new Suspects(0, Duration.ZERO);

	}

	/**
	 * The state of a process. If the process dies, its state decides whether the jobs
	 * that it was running become suspects.
	 */
	enum ProcessState {

		/** If the process dies, any job that it was running may be to blame. */
		RUNNING(""),

		/** The running jobs are not to blame: they were about to be put back anyway. */
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
