package io.github.steadyjobs.sidekiq;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;

import io.github.steadyjobs.support.TestRedis;

/**
 * A bridge in a separate JVM that is killed, or ends between two steps.
 */
final class BridgeMain {

	/** Move batches until the process is killed. */
	static final String RUN = "run";

	/** End after taking a batch. */
	static final String TAKE = "take";

	/** End after storing a batch, before confirming it. */
	static final String STORE = "store";

	private BridgeMain() {
	}

	public static void main(String[] args) throws InterruptedException {
		SidekiqFixture fixture = new SidekiqFixture(TestRedis.shared(args[0], args[1]));
		if (args[2].equals(RUN)) {
			fixture.bridge().start();
			Thread.currentThread().join();
		}
		Batch batch = fixture.take("ended" + ProcessHandle.current().pid(), 1, 500);
		if (args[2].equals(STORE)) {
			fixture.mover().move(batch);
		}
		Runtime.getRuntime().halt(137);
	}

	/**
	 * Start a JVM with this program.
	 */
	static Process start(TestRedis redis, String mode) throws IOException {
		File log = File.createTempFile("bridge-", ".log");
		log.deleteOnExit();
		String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		return new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx96m", "-cp", classPath, BridgeMain.class.getName(),
				redis.url(), redis.prefix(), mode))
			.redirectErrorStream(true)
			.redirectOutput(Redirect.to(log))
			.start();
	}

}
