package io.github.steadyjobs.benchmarks;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;

/**
 * Speaks the line protocol of a comparison with other systems: a word that says that the
 * measurement begins, and one with figures when it ends. The server listens on the
 * loopback at the port that {@code BENCH_REDIS_PORT} names.
 */
final class DriverCommand {

	private static final String PREFIX = "bench";

	private DriverCommand() {
	}

	static void run(String[] args) throws Exception {
		switch ((args.length > 0) ? args[0] : "") {
			case "version" -> say("VERSION " + version());
			case "enqueue" -> enqueue(args[1], Integer.parseInt(args[2]));
			case "work" -> work(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
			case "paced" -> paced(Integer.parseInt(args[1]), Duration.ofMillis(Long.parseLong(args[2])));
			default -> throw new IllegalArgumentException(
					"driver version|enqueue single N|enqueue bulk N|work N C|paced M MS");
		}
	}

	private static String version() {
		String version = DriverCommand.class.getPackage().getImplementationVersion();
		return "%s lettuce, jdk %d".formatted((version != null) ? version : "development", Runtime.version().feature());
	}

	private static void enqueue(String mode, int count) throws Exception {
		try (Running application = start(1)) {
			say("START");
			long start = System.nanoTime();
			if (mode.equals("single")) {
				application.enqueue(0, count);
			}
			else {
				application.enqueueInBulk(0, count);
			}
			done(Map.of("elapsed_s", (System.nanoTime() - start) / 1e9));
		}
	}

	private static void work(int count, int concurrency) throws Exception {
		try (Running application = start(concurrency)) {
			Runs runs = application.runs();
			runs.expect(count);
			say("START");
			application.workers().start();
			runs.await();
			Map<String, Object> figures = new LinkedHashMap<>();
			figures.put("executed", runs.executed());
			figures.put("first_us", runs.firstMicros());
			figures.put("half_us", runs.halfMicros());
			figures.put("last_us", runs.lastMicros());
			figures.put("lat_us", runs.latencies());
			done(figures);
			// Until the one who measures has read this process's figures and ends it.
			Thread.currentThread().join();
		}
	}

	private static void paced(int count, Duration every) throws Exception {
		try (Running application = start(1)) {
			LatencyCommand.pace(count, every, (i) -> application.client().enqueue(Argument.of(i, Runs.nowMicros())));
		}
	}

	private static Running start(int concurrency) {
		String port = System.getenv().getOrDefault("BENCH_REDIS_PORT", "6390");
		return BenchmarkApplication.start("redis://127.0.0.1:" + port, PREFIX, concurrency);
	}

	private static void done(Map<String, Object> figures) {
		System.out.print("DONE ");
		Json.print(figures);
	}

	private static void say(String line) {
		System.out.println(line);
		System.out.flush();
	}

}
