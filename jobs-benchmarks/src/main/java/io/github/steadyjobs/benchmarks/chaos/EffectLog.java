package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Records what the jobs of a process have done, in a file that survives the process. Each
 * line is written by a single call, so that a kill loses at most the last line.
 * Thread-safe.
 */
final class EffectLog implements AutoCloseable {

	private final FileChannel file;

	private final AtomicLong runs = new AtomicLong();

	EffectLog(Path path) {
		try {
			this.file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Could not create '%s'".formatted(path), ex);
		}
	}

	/**
	 * Record that the worker has started.
	 */
	void started() {
		write(EffectLine.started(System.currentTimeMillis()));
	}

	/**
	 * Record that a run begins.
	 * @param job number of the job
	 * @param id id of the job
	 * @param token fencing token of the run
	 */
	Effect begin(int job, String id, long token) {
		Effect effect = new Effect(this.runs.incrementAndGet());
		write(EffectLine.begin(effect.run, System.currentTimeMillis(), job, id, token));
		return effect;
	}

	/**
	 * Record that the end of a run did not count, because the job had been given to
	 * another worker.
	 * @param id id of the job
	 */
	void refused(String id) {
		write(EffectLine.refused(System.currentTimeMillis(), id));
	}

	/**
	 * Record any other line.
	 */
	synchronized void write(EffectLine line) {
		try {
			// The thread must not be interrupted while it writes, because an interrupt
			// would close the file.
			boolean interrupted = Thread.interrupted();
			this.file.write(ByteBuffer.wrap((line.text() + "\n").getBytes(StandardCharsets.US_ASCII)));
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.file.close();
	}

	/**
	 * One run of a job.
	 */
	final class Effect {

		private final long run;

		private Effect(long run) {
			this.run = run;
		}

		void done() {
			end(Run.Ending.DONE);
		}

		void failed() {
			end(Run.Ending.FAILED);
		}

		void interrupted() {
			end(Run.Ending.INTERRUPTED);
		}

		private void end(Run.Ending ending) {
			write(EffectLine.end(this.run, System.currentTimeMillis(), ending));
		}

	}

}
