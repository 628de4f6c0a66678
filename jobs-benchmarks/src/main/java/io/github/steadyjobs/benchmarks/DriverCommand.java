package io.github.steadyjobs.benchmarks;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;
import io.lettuce.core.RedisClient;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Speaks the line protocol of a comparison with other systems: a word that says that the
 * measurement begins, and one with figures when it ends. The server listens on the
 * loopback at the port that {@code BENCH_REDIS_PORT} names.
 */
final class DriverCommand {

	private static final String HOST = "127.0.0.1";

	private static final int PORT = Integer.parseInt(System.getenv().getOrDefault("BENCH_REDIS_PORT", "6390"));

	private static final String URL = "redis://" + HOST + ":" + PORT;

	private static final Rival OURS = new Rival(DriverCommand.class,
			(concurrency) -> BenchmarkApplication.start(URL, "bench", BenchmarkApplication.concurrency(concurrency)));

	private static final Map<String, Rival> RIVALS = Map.of("steady-jobs", OURS, "ceiling",
			new Rival(RedisClient.class, (concurrency) -> new Ceiling(URL, concurrency)), "spring-streams",
			new Rival(StringRedisTemplate.class, (concurrency) -> new Streams(HOST, PORT, concurrency)));

	private final Rival rival;

	private DriverCommand(Rival rival) {
		this.rival = rival;
	}

	static void run(String[] args) throws Exception {
		Rival named = (args.length > 0) ? RIVALS.get(args[0]) : null;
		if (named != null) {
			new DriverCommand(named).drive(Arrays.copyOfRange(args, 1, args.length));
		}
		else {
			new DriverCommand(OURS).drive(args);
		}
	}

	private void drive(String[] args) throws Exception {
		switch ((args.length > 0) ? args[0] : "") {
			case "version" -> say("VERSION %s, jdk %d".formatted(this.rival.version(), Runtime.version().feature()));
			case "enqueue" -> enqueue(args[1], Integer.parseInt(args[2]));
			case "work" -> work(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
			case "paced" -> paced(Integer.parseInt(args[1]), Duration.ofMillis(Long.parseLong(args[2])));
			default -> throw new IllegalArgumentException(
					"driver [steady-jobs|ceiling|spring-streams] version|enqueue single N|enqueue bulk N|work N C|paced M MS");
		}
	}

	private void enqueue(String mode, int count) throws Exception {
		try (Contender contender = this.rival.start.apply(1)) {
			say("START");
			long start = System.nanoTime();
			if (mode.equals("single")) {
				contender.enqueue(0, count);
			}
			else {
				contender.enqueueInBulk(0, count);
			}
			done(Map.of("elapsed_s", (System.nanoTime() - start) / 1e9));
		}
	}

	private void work(int count, int concurrency) throws Exception {
		try (Contender contender = this.rival.start.apply(concurrency)) {
			Runs runs = contender.runs();
			runs.expect(count);
			say("START");
			contender.startWorkers();
			runs.await();
			Map<String, Object> figures = new LinkedHashMap<>();
			figures.put("executed", runs.executed());
			figures.put("first_us", runs.firstMicros());
			figures.put("half_us", runs.halfMicros());
			figures.put("last_us", runs.lastMicros());
			figures.put("lat_us", runs.latencies());
			done(figures);
			// Until whoever measures has read this process's figures and ends it.
			Thread.currentThread().join();
		}
	}

	private void paced(int count, Duration every) throws Exception {
		try (Contender contender = this.rival.start.apply(1)) {
			LatencyCommand.pace(count, every, (i) -> contender.enqueue(Argument.of(i, Runs.nowMicros())));
		}
	}

	private static void done(Map<String, Object> figures) {
		System.out.print("DONE ");
		Json.print(figures);
	}

	private static void say(String line) {
		System.out.println(line);
		System.out.flush();
	}

	/**
	 * A system that this program can drive.
	 *
	 * @param library a type of the library that makes the figures
	 * @param start connects to the server, for so many workers
	 */
	private record Rival(Class<?> library, IntFunction<Contender> start) {

		String version() {
			String version = this.library.getPackage().getImplementationVersion();
			// Lettuce appends its commit.
			return (version != null) ? version.replaceAll("/.*", "") : "development";
		}

	}

}
