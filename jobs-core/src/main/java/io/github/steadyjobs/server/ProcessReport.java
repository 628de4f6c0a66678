package io.github.steadyjobs.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.redis.ProcessStore.Instruction;
import io.github.steadyjobs.server.WorkerSettings.Oversight;

/**
 * Writes the report of this process for operators.
 */
final class ProcessReport {

	/**
	 * The report expires after this many missed heartbeats: a minute by default, as in
	 * Sidekiq.
	 */
	private static final int BEATS_TO_LIVE = 12;

	/** The maximum number of runs in a report. The longest runs are listed. */
	private static final int MOST_RUNS = 100;

	/** Limits the characters in the list of runs, because job names can be long. */
	private static final int LONGEST_RUNS = 64 * 1024;

	/**
	 * The maximum number of characters in the list of held jobs. An audit covers only the
	 * queues that fit into the list.
	 */
	private static final int LONGEST_HELD = 16 * 1024;

	private static final Pattern BREAKS = Pattern.compile("\\p{Cntrl}");

	private final ProcessStore store;

	private final ProcessName name;

	private final List<Manager> managers;

	private final Supplier<String> state;

	private final Map<String, String> fixed = new LinkedHashMap<>();

	private int beats;

	ProcessReport(ProcessStore store, ProcessName name, Oversight application, List<Manager> managers,
			Supplier<String> state) {
		this.store = store;
		this.name = name;
		this.managers = managers;
		this.state = state;
		String library = ProcessReport.class.getPackage().getImplementationVersion();
		this.fixed.put("hostname", name.host());
		this.fixed.put("pid", Long.toString(name.pid()));
		this.fixed.put("label", application.label());
		this.fixed.put("version", application.version());
		this.fixed.put("library", Objects.requireNonNullElse(library, ""));
		this.fixed.put("started_at", Long.toString(System.currentTimeMillis()));
	}

	/**
	 * Write the report, and read instructions. Called with each heartbeat. Neither blocks
	 * nor throws an exception.
	 * @param interval the time between two heartbeats
	 * @param obeyed the number of the latest instruction that was carried out
	 * @return the number of the latest instruction of each kind
	 */
	CompletableFuture<Map<Instruction, Long>> beat(Duration interval, long obeyed) {
		if (this.beats % BEATS_TO_LIVE == 0) {
			this.store.register(this.name.toString());
		}
		this.beats++;
		return this.store.report(this.name.toString(), fields(obeyed), interval.multipliedBy(BEATS_TO_LIVE));
	}

	private Map<String, String> fields(long obeyed) {
		List<Capsule.Status> capsules = this.managers.stream().map(Manager::status).toList();
		long now = System.currentTimeMillis();
		Map<String, String> fields = new LinkedHashMap<>(this.fixed);
		fields.put("beat_at", Long.toString(now));
		fields.put("state", this.state.get());
		fields.put("busy", Integer.toString(capsules.stream().mapToInt(Capsule.Status::busy).sum()));
		fields.put("concurrency", Integer.toString(capsules.stream().mapToInt(Capsule.Status::concurrency).sum()));
		fields.put("capsules", capsules.stream().map(ProcessReport::capsule).collect(Collectors.joining("\n")));
		fields.put("running", running(now));
		fields.put("held", held());
		fields.put("obeyed", Long.toString(obeyed));
		return fields;
	}

	private static String capsule(Capsule.Status capsule) {
		return "%s %d/%d %s".formatted(capsule.name(), capsule.busy(), capsule.concurrency(),
				String.join(",", capsule.queues()));
	}

	private String running(long now) {
		return joined(this.managers.stream()
			.flatMap((manager) -> manager.runs().stream())
			.filter((run) -> run.work().isRead())
			.sorted(Comparator.comparing(WorkerRun::begunAt))
			.limit(MOST_RUNS)
			.map((run) -> line(run, now)), LONGEST_RUNS);
	}

	private String held() {
		return joined(this.managers.stream().flatMap((manager) -> manager.held().stream()), LONGEST_HELD);
	}

	private static String joined(Stream<String> lines, int longest) {
		StringBuilder joined = new StringBuilder();
		lines.takeWhile((line) -> joined.length() + line.length() < longest)
			.forEach((line) -> joined.append(joined.isEmpty() ? "" : "\n").append(line));
		return joined.toString();
	}

	private static String line(WorkerRun run, long now) {
		UnitOfWork job = run.work();
		return "%s %s/%d %s %d %d %s".formatted(job.id(), run.capsule(), run.slot() + 1, job.queue(), job.attempt(),
				now - run.lasted().toMillis(), BREAKS.matcher(job.name()).replaceAll("?"));
	}

	void remove() {
		this.store.remove(this.name.toString());
	}

	/**
	 * The name of this process in Redis. The random part makes the name unique for each
	 * start, even if the host name and the process id are always the same, as in a
	 * container.
	 */
	record ProcessName(String host, long pid, String nonce) {

		static ProcessName create() {
			byte[] random = new byte[6];
			new SecureRandom().nextBytes(random);
			return new ProcessName(hostName(), ProcessHandle.current().pid(), HexFormat.of().formatHex(random));
		}

		private static String hostName() {
			String host;
			try {
				host = InetAddress.getLocalHost().getHostName();
			}
			catch (UnknownHostException ex) {
				host = "localhost";
			}
			// Slashes and spaces, in particular, must be replaced, because they separate
			// the parts of a token and the words of a claim.
			return host.replaceAll("[^A-Za-z0-9_.-]", "_");
		}

		@Override
		public String toString() {
			return this.host + ":" + this.pid + ":" + this.nonce;
		}

	}

}
