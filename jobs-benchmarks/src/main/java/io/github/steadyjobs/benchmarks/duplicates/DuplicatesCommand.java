package io.github.steadyjobs.benchmarks.duplicates;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.benchmarks.Json;
import io.github.steadyjobs.benchmarks.Options;
import io.github.steadyjobs.benchmarks.OwnProgram;
import io.github.steadyjobs.benchmarks.TargetRedis;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Enqueues the same few jobs from many threads of many processes while workers run them.
 * Checks that no key ever has two jobs, that the newest state of each key is processed,
 * and that no lock is left. Optionally, processes are killed while they work. In that
 * case, one more job per key then has to repair whatever the killed processes left
 * behind.
 */
public final class DuplicatesCommand {

	private static final Duration LIMIT = Duration.ofMinutes(20);

	private static final long LOOK_EVERY_MILLIS = 100;

	private final String url;

	private final String prefix = "bench-" + UUID.randomUUID();

	private final int keys;

	private final int processes;

	private final int threads;

	private final List<Process> running = new ArrayList<>();

	private DuplicatesCommand(String url, int keys, int processes, int threads) {
		this.url = url;
		this.keys = keys;
		this.processes = processes;
		this.threads = threads;
	}

	/**
	 * Run the program.
	 * @param args the options
	 * @return 1 if a violation was found, otherwise 0
	 * @throws Exception if the program itself failed
	 */
	public static int run(String[] args) throws Exception {
		Options options = new Options(args,
				Set.of("redis", "keys", "enqueues", "processes", "threads", "kills", "seed"));
		try (TargetRedis redis = new TargetRedis(options)) {
			DuplicatesCommand command = new DuplicatesCommand(redis.url(), options.number("keys", 1000),
					options.number("processes", 4), options.number("threads", 64));
			return command.run(options.number("enqueues", 1_000_000), Integer.parseInt(options.text("kills", "0")),
					options.number("seed", 42));
		}
	}

	private int run(int enqueues, int kills, int seed) throws Exception {
		long start = System.nanoTime();
		try (ConfigurableApplicationContext context = DuplicatesProcess.start(this.url, this.prefix, false)) {
			StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
			Ledger ledger = context.getBean(Ledger.class);
			Locks locks = new Locks(redis, this.prefix);
			for (int i = 0; i < this.processes; i++) {
				this.running.add(process(enqueues / this.processes));
			}
			long violations = watch(locks, new Kills(redis, ledger, enqueues, kills, new Random(seed)));
			if (kills > 0) {
				JobClient client = context.getBean(JobClient.class);
				for (int key = 0; key < this.keys; key++) {
					DuplicatesProcess.change(redis, ledger, client, key);
				}
			}
			await(() -> locks.jobs() == 0);
			return report(redis, ledger, locks, violations, Duration.ofNanos(System.nanoTime() - start));
		}
		finally {
			this.running.forEach(Process::destroyForcibly);
		}
	}

	private long watch(Locks locks, Kills kills) throws Exception {
		List<Thread> readers = new ArrayList<>();
		this.running.forEach((process) -> readers.add(awaitEnqueued(process)));
		long violations = 0;
		while (readers.stream().anyMatch(Thread::isAlive)) {
			violations += locks.violations();
			Thread.sleep(LOOK_EVERY_MILLIS);
			if (kills.isDue()) {
				int victim = kills.victim(this.running.size());
				this.running.get(victim).destroyForcibly().waitFor();
				Process next = process(kills.enqueuesOfTheNext(this.processes));
				this.running.set(victim, next);
				readers.add(awaitEnqueued(next));
			}
		}
		return violations;
	}

	private Process process(int enqueues) throws IOException {
		List<String> command = OwnProgram.commandLine("-Xmx128m");
		command.addAll(List.of(DuplicatesProcess.COMMAND, "--redis", this.url, "--prefix", this.prefix, "--keys",
				Integer.toString(this.keys), "--enqueues", Integer.toString(enqueues), "--threads",
				Integer.toString(Math.max(1, this.threads / this.processes))));
		return new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
	}

	private static Thread awaitEnqueued(Process process) {
		Thread reader = new Thread(() -> {
			try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
				String line = output.readLine();
				while (line != null && !line.equals("enqueued")) {
					System.err.println(line);
					line = output.readLine();
				}
			}
			catch (IOException ex) {
				// The process was killed.
			}
		});
		reader.setDaemon(true);
		reader.start();
		return reader;
	}

	private static void await(BooleanSupplier condition) throws InterruptedException {
		long deadline = System.nanoTime() + LIMIT.toNanos();
		while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
			Thread.sleep(LOOK_EVERY_MILLIS);
		}
	}

	private int report(StringRedisTemplate redis, Ledger ledger, Locks locks, long violations, Duration took) {
		Map<Object, Object> counts = redis.opsForHash().entries(ledger.counts());
		Map<Object, Object> processed = redis.opsForHash().entries(ledger.processed());
		long missed = redis.opsForHash()
			.entries(ledger.states())
			.entrySet()
			.stream()
			.filter((state) -> !Objects.equals(processed.get(state.getKey()), state.getValue()))
			.count();
		Map<String, Object> figures = new LinkedHashMap<>();
		for (String name : List.of("enqueues", "stored", "dropped", "asked_for_one_more", "runs")) {
			figures.put(name, count(counts.get(name)));
		}
		figures.put("two_jobs_of_one_key", violations);
		figures.put("overlapping_runs", count(counts.get("overlapping_runs")));
		figures.put("newest_states_missed", missed);
		figures.put("jobs_left", locks.jobs());
		figures.put("locks_left", locks.left());
		figures.put("seconds", took.toSeconds());
		Json.print(figures);
		boolean good = violations + count(counts.get("overlapping_runs")) + missed + locks.jobs() + locks.left() == 0;
		return good ? 0 : 1;
	}

	private static long count(@Nullable Object value) {
		return (value != null) ? Long.parseLong((String) value) : 0;
	}

}
