package io.github.steadyjobs.benchmarks;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;
import io.lettuce.core.RedisClient;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Speaks the line protocol of the comparison with other systems: it prints one line when
 * the measurement begins, and a line with figures when the measurement ends. The server
 * listens on the loopback interface, at the port in the environment variable {@code
 * BENCH_REDIS_PORT} or, if it is not set, at port 6390.
 */
final class DriverCommand {

	private static final String HOST = "127.0.0.1";

	private static final int PORT = Integer.parseInt(System.getenv().getOrDefault("BENCH_REDIS_PORT", "6390"));

	private static final String URL = "redis://" + HOST + ":" + PORT;

	private static final Rival OURS = new Rival(DriverCommand.class,
			(concurrency, virtual) -> BenchmarkApplication.start(URL, "bench",
					Map.of("steadyjobs.capsules.default.concurrency", concurrency, "spring.threads.virtual.enabled",
							virtual)));

	private static final Map<String, Rival> RIVALS = Map.of("steady-jobs", OURS, "ceiling",
			new Rival(RedisClient.class, (concurrency, virtual) -> new Ceiling(URL, concurrency, virtual)),
			"spring-streams", new Rival(StringRedisTemplate.class,
					(concurrency, virtual) -> new Streams(HOST, PORT, concurrency, virtual)));

	private static final String USAGE = "driver [steady-jobs|ceiling|spring-streams] version|enqueue single N|"
			+ "enqueue bulk N|work N C [--threads platform|virtual]|paced M MS";

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
			case "work" -> work(Integer.parseInt(args[1]), Integer.parseInt(args[2]),
					onVirtualThreads(Arrays.copyOfRange(args, 3, args.length)));
			case "paced" -> paced(Integer.parseInt(args[1]), Duration.ofMillis(Long.parseLong(args[2])));
			default -> throw new IllegalArgumentException(USAGE);
		}
	}

	private static boolean onVirtualThreads(String[] args) {
		String threads = new Options(args, Set.of("threads")).text("threads", "platform");
		if (!threads.equals("platform") && !threads.equals("virtual")) {
			throw new IllegalArgumentException("--threads has to be platform or virtual, not '%s'".formatted(threads));
		}
		boolean virtual = threads.equals("virtual");
		if (virtual && Runtime.version().feature() < 21) {
			throw new IllegalArgumentException("--threads virtual needs Java 21 or newer, and this is Java %d"
				.formatted(Runtime.version().feature()));
		}
		return virtual;
	}

	private void enqueue(String mode, int count) throws Exception {
		try (Contender contender = this.rival.starter.start(1, false)) {
			contender.connect();
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

	private void work(int count, int concurrency, boolean virtual) throws Exception {
		try (Contender contender = this.rival.starter.start(concurrency, virtual)) {
			Runs runs = contender.runs();
			runs.expect(count);
			long allocated = ProcessMemory.allocatedBytes();
			say("START");
			contender.startWorkers();
			runs.await();
			allocated = ProcessMemory.allocatedBytes() - allocated;
			Map<String, Object> figures = new LinkedHashMap<>();
			figures.put("executed", runs.executed());
			figures.put("first_us", runs.firstMicros());
			figures.put("half_us", runs.halfMicros());
			figures.put("last_us", runs.lastMicros());
			figures.put("lat_us", runs.latencies());
			figures.put("allocated_bytes", allocated);
			done(figures);
			// Stay alive until the measuring program, which still reads figures of this
			// process, ends this process.
			Thread.currentThread().join();
		}
	}

	private void paced(int count, Duration every) throws Exception {
		try (Contender contender = this.rival.starter.start(1, false)) {
			contender.connect();
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
	 * @param library a class of the measured library
	 * @param starter connects to the server
	 */
	private record Rival(Class<?> library, Starter starter) {

		String version() {
			String version = this.library.getPackage().getImplementationVersion();
			// Lettuce appends its commit hash to the version.
			return (version != null) ? version.replaceAll("/.*", "") : "development";
		}

	}

	/**
	 * Connects a system to the server.
	 */
	private interface Starter {

		Contender start(int concurrency, boolean virtualThreads);

	}

}
