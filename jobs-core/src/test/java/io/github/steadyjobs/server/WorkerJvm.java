package io.github.steadyjobs.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.support.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers in a separate JVM, which may be killed and stopped. Redis contains the
 * instructions for the jobs, and a record of what the jobs have done.
 */
public final class WorkerJvm implements AutoCloseable {

	/**
	 * Prefix of the names of queues that run each job at most once.
	 */
	public static final String ONCE = "once";

	public static final String HALT = "halt";

	public static final String HOLD = "hold";

	private final TestRedis redis;

	private final Process process;

	private WorkerJvm(TestRedis redis, Process process) {
		this.redis = redis;
		this.process = process;
	}

	/**
	 * Start workers whose heartbeat interval is a twentieth of the time after which a
	 * process is declared dead.
	 */
	public static WorkerJvm start(TestRedis redis, Duration deathAfter, int concurrency, String... queues) {
		return start(redis, deathAfter.dividedBy(20), deathAfter, concurrency, queues);
	}

	public static WorkerJvm start(TestRedis redis, Duration beat, Duration deathAfter, int concurrency,
			String... queues) {
		List<String> arguments = new ArrayList<>(
				List.of(beat.toString(), deathAfter.toString(), Integer.toString(concurrency)));
		arguments.addAll(List.of(queues));
		return start(redis, WorkerMain.class, arguments);
	}

	/**
	 * Start another main class. Its first arguments are the URL of Redis and the prefix.
	 */
	public static WorkerJvm start(TestRedis redis, Class<?> main, List<String> arguments) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx96m", "-cp", classPath()));
		command.addAll(List.of(main.getName(), redis.url(), redis.prefix()));
		command.addAll(arguments);
		try {
			File log = File.createTempFile("worker-", ".log");
			log.deleteOnExit();
			return new WorkerJvm(redis,
					new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.to(log)).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String classPath() {
		return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
	}

	public static String key(TestRedis redis, String name) {
		return redis.prefix() + ":" + name;
	}

	/**
	 * Set the behaviour of some jobs. All other jobs end immediately.
	 */
	public static void order(TestRedis redis, String what, List<Integer> numbers) {
		numbers.forEach((number) -> redis.template().opsForHash().put(key(redis, "orders"), "" + number, what));
	}

	/**
	 * Let held jobs end.
	 */
	public static void letGo(TestRedis redis) {
		redis.template().delete(key(redis, "orders"));
	}

	/**
	 * Return the numbers of the jobs that began in this process, in order.
	 */
	public List<Integer> begun() {
		return numbers("begun");
	}

	public List<Integer> ended() {
		return numbers("ended");
	}

	private List<Integer> numbers(String what) {
		return lines(what).stream().map(Integer::valueOf).toList();
	}

	/**
	 * Return the events that the workers have reported, except for heartbeats.
	 */
	public List<String> events() {
		return lines("events");
	}

	private List<String> lines(String name) {
		String start = pid() + " ";
		return this.redis.template()
			.opsForList()
			.range(key(this.redis, name), 0, -1)
			.stream()
			.filter((line) -> line.startsWith(start))
			.map((line) -> line.substring(start.length()))
			.toList();
	}

	public void awaitBegun(int count) {
		WorkerFixture.await().until(() -> begun().size() >= count);
	}

	public void awaitEvent(String start) {
		WorkerFixture.await().until(() -> events().stream().anyMatch((event) -> event.startsWith(start)));
	}

	public long pid() {
		return this.process.pid();
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Stop the process in the same way as a platform does.
	 */
	public void terminate() {
		this.process.destroy();
	}

	public void kill() {
		this.process.destroyForcibly();
		awaitEnd();
	}

	public void awaitEnd() {
		try {
			assertThat(this.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	public void freeze() {
		signal("STOP");
	}

	public void thaw() {
		signal("CONT");
	}

	private void signal(String name) {
		try {
			assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor()).isZero();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
