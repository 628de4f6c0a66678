package io.github.steadyjobs.sidekiq;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ruby processes with the gem {@code sidekiq}. If anything is missing, the test fails.
 */
final class Ruby implements AutoCloseable {

	private final Process process;

	private final File output;

	private final File errors;

	private Ruby(String redis, String... command) {
		try {
			this.output = File.createTempFile("ruby-", ".out");
			this.output.deleteOnExit();
			// Warnings go to this file. Otherwise they would appear in the middle of a
			// line.
			this.errors = File.createTempFile("ruby-", ".err");
			this.errors.deleteOnExit();
			ProcessBuilder builder = new ProcessBuilder(command).directory(folder().toFile())
				.redirectOutput(Redirect.to(this.output))
				.redirectError(Redirect.to(this.errors));
			builder.environment().put("REDIS_URL", redis);
			this.process = builder.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Needs a Ruby with the gem: apt-get install ruby-sidekiq", ex);
		}
	}

	private static Path folder() {
		try {
			return Path.of(Ruby.class.getResource("/ruby").toURI());
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Enqueue jobs with the real client.
	 * @return the ids of the jobs
	 */
	static List<String> enqueue(String redis, String what, int count) {
		try (Ruby ruby = new Ruby(redis, "ruby", "enqueue.rb", what, Integer.toString(count))) {
			assertThat(ruby.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
			assertThat(ruby.process.exitValue()).as(Files.readString(ruby.errors.toPath())).isZero();
			List<String> jids = Files.readAllLines(ruby.output.toPath());
			assertThat(jids).hasSize(count);
			return jids;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Start a process that performs the jobs of the queue 'hard'.
	 */
	static Ruby perform(String redis) {
		return new Ruby(redis, "sidekiq", "-r", "./workers.rb", "-q", "hard", "-c", "2");
	}

	/**
	 * Stop the process in the same way as a platform does.
	 */
	@Override
	public void close() {
		this.process.destroy();
		try {
			if (!this.process.waitFor(15, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
		}
	}

}
