package io.github.steadyjobs.admin;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A process that runs jobs, as it was at its last heartbeat.
 *
 * @param name the name of the process, which is never reused
 * @param origin the machine and the application from which it was started
 * @param state whether the process takes jobs
 * @param lastBeat when the process reported this information, by its own clock
 * @param concurrency the maximum number of jobs that the process runs at the same time
 * @param capsules its capsules, each with the number of running jobs
 * @param running its running jobs, longest running first, at most 100
 * @param obeyed the {@link ProcessOrder#number() number} of the latest order that it has
 * carried out or begun to carry out; 0 if there has been no order
 */
public record JobProcess(String name, Origin origin, State state, Instant lastBeat, int concurrency,
		List<Workers> capsules, List<Run> running, long obeyed) {

	private static final Pattern CAPSULE = Pattern.compile("(?m)^(\\S+) (\\d{1,9})/(\\d{1,9}) (\\S*)$");

	private static final Pattern RUN = Pattern
		.compile("(?m)^(\\S+) (\\S+)/(\\d{1,9}) (\\S+) (\\d{1,9}) (\\d{1,15}) (.*)$");

	public JobProcess {
		capsules = List.copyOf(capsules);
		running = List.copyOf(running);
	}

	/** Create a process from its stored fields, perhaps written by another release. */
	static JobProcess of(String name, Map<String, String> fields) {
		Origin origin = new Origin(fields.getOrDefault("hostname", ""), number(fields, "pid"),
				fields.getOrDefault("label", ""), fields.getOrDefault("version", ""),
				fields.getOrDefault("library", ""), Instant.ofEpochMilli(number(fields, "started_at")));
		return new JobProcess(name, origin, State.of(fields.getOrDefault("state", "")),
				Instant.ofEpochMilli(number(fields, "beat_at")), (int) number(fields, "concurrency"),
				lines(CAPSULE, fields.getOrDefault("capsules", ""), Workers::of),
				lines(RUN, fields.getOrDefault("running", ""), Run::of), number(fields, "obeyed"));
	}

	private static <T> List<T> lines(Pattern pattern, String text, Function<MatchResult, T> reader) {
		return pattern.matcher(text).results().map(reader).toList();
	}

	private static long number(Map<String, String> fields, String name) {
		String value = fields.getOrDefault(name, "");
		return value.matches("\\d{1,15}") ? Long.parseLong(value) : 0;
	}

	/**
	 * The machine and the application from which a process was started.
	 *
	 * @param host the name of its machine or container
	 * @param pid its process id in the operating system
	 * @param label the name of the application; may be empty
	 * @param version the version of the application; may be empty
	 * @param library the version of this library; may be empty
	 * @param startedAt when its workers were started, by its own clock
	 */
	public record Origin(String host, long pid, String label, String version, String library, Instant startedAt) {

	}

	/**
	 * A capsule of a process.
	 *
	 * @param name the name of the capsule
	 * @param busy the number of its running jobs
	 * @param concurrency the maximum number of jobs that it runs at the same time
	 * @param queues the queues that it serves
	 */
	public record Workers(String name, int busy, int concurrency, List<String> queues) {

		public Workers {
			queues = List.copyOf(queues);
		}

		private static Workers of(MatchResult line) {
			return new Workers(line.group(1), Integer.parseInt(line.group(2)), Integer.parseInt(line.group(3)),
					line.group(4).isEmpty() ? List.of() : List.of(line.group(4).split(",")));
		}

	}

	/**
	 * A job that a process is running.
	 *
	 * @param id the id of the job
	 * @param capsule the name of the capsule that runs it
	 * @param slot the number of the worker, from 1; its thread is called
	 * {@code jobs-<capsule>-<slot>}
	 * @param queue the name of the queue of the job
	 * @param attempt the number of the attempt, from 1
	 * @param since when this attempt began, by the clock of the process
	 * @param job the name of the job
	 */
	public record Run(String id, String capsule, int slot, String queue, int attempt, Instant since, String job) {

		private static Run of(MatchResult line) {
			return new Run(line.group(1), line.group(2), Integer.parseInt(line.group(3)), line.group(4),
					Integer.parseInt(line.group(5)), Instant.ofEpochMilli(Long.parseLong(line.group(6))),
					line.group(7));
		}

	}

	/** Whether a process takes jobs. */
	public enum State {

		/** The process takes jobs and runs them. */
		RUNNING,

		/** The process continues its running jobs, but takes no more jobs. */
		QUIET,

		/** The process is stopping its workers, usually because it is about to end. */
		STOPPING,

		/** The state of the process is unknown to this release. */
		UNKNOWN;

		private static State of(String text) {
			return Arrays.stream(values())
				.filter((state) -> state.name().equalsIgnoreCase(text))
				.findAny()
				.orElse(UNKNOWN);
		}

	}

}
