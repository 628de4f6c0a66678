package io.github.steadyjobs.sidekiq;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.steadyjobs.sidekiq.SidekiqRedis.DueSet;
import io.github.steadyjobs.sidekiq.SidekiqRedis.Sources;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Takes jobs out of Sidekiq's lists and stores them in Steady Jobs. It has one thread. A
 * batch takes one script call in Sidekiq's Redis, and one here for each target queue.
 * Several bridges, in this process or in other processes, share the work.
 */
final class SidekiqBridge implements SmartLifecycle {

	/**
	 * Higher than the phase of the workers, so that the bridge starts after them and
	 * stops before them. Jobs are taken only while there are workers.
	 */
	private static final int PHASE = DEFAULT_PHASE - 512;

	private static final int BATCH = 500;

	private static final Duration TIME_TO_STOP = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(SidekiqBridge.class);

	private final SidekiqRedis redis;

	private final BatchMover mover;

	private final Translation translation;

	private final Mapping mapping;

	private final Times times;

	private final Consumer<Throwable> listener;

	private @Nullable Run run;

	/**
	 * Create a bridge. It does nothing until it is started.
	 * @param mapping contains the Sidekiq queues from which to take jobs
	 * @param listener takes the first of several consecutive failures that keep this
	 * bridge from working
	 */
	SidekiqBridge(SidekiqRedis redis, BatchMover mover, Translation translation, Mapping mapping, Times times,
			Consumer<Throwable> listener) {
		this.redis = redis;
		this.mover = mover;
		this.translation = translation;
		this.mapping = mapping;
		this.times = times;
		this.listener = listener;
	}

	@Override
	public synchronized void start() {
		if (this.run == null) {
			this.run = new Run();
			this.run.thread.start();
		}
	}

	@Override
	public synchronized void stop() {
		Run run = this.run;
		if (run != null) {
			run.end();
			this.run = null;
		}
	}

	@Override
	public void stop(Runnable callback) {
		// Stop on another thread, because the caller's thread also has to stop other
		// beans.
		new Thread(() -> {
			try {
				stop();
			}
			finally {
				callback.run();
			}
		}, "jobs-sidekiq-stop").start();
	}

	@Override
	public synchronized boolean isRunning() {
		return this.run != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * Times of a bridge.
	 *
	 * @param poll the time between two checks of empty lists
	 * @param patience the time without progress after which a bridge is declared dead
	 * @param clock the clock that decides which jobs are due
	 */
	record Times(Duration poll, Duration patience, Clock clock) {

	}

	/**
	 * The work of a bridge between one start and the next stop, under a unique name.
	 */
	private final class Run {

		private final CountDownLatch stopping = new CountDownLatch(1);

		private final Thread thread = new Thread(this::loop, "jobs-sidekiq");

		private final List<String> queues = new ArrayList<>(SidekiqBridge.this.mapping.queues());

		private final DueJobs due = new DueJobs(SidekiqBridge.this.redis, SidekiqBridge.this.translation,
				SidekiqBridge.this.mapping);

		private final LeftBatches left = new LeftBatches(SidekiqBridge.this.redis, SidekiqBridge.this.mover,
				SidekiqBridge.this.times.patience());

		private String name = randomName();

		private long number = 1;

		private List<Integer> refused = List.of();

		private long lookedForDue;

		private long lookedForLeft;

		private boolean failing;

		private Run() {
			this.thread.setDaemon(true);
			this.lookedForDue = System.nanoTime() - SidekiqBridge.this.times.poll().toNanos();
			this.lookedForLeft = System.nanoTime();
		}

		private void loop() {
			while (this.stopping.getCount() > 0) {
				boolean more = false;
				try {
					more = moveNext();
					lookForLeft();
					recovered();
				}
				catch (Throwable ex) {
					// Catch errors too: their cause may pass, but a bridge that has ended
					// does not restart on its own.
					failed(ex);
				}
				if (!more) {
					await(this.stopping, SidekiqBridge.this.times.poll());
				}
			}
			leave();
		}

		/**
		 * Take a batch and store its jobs. After a failure, the same batch is taken
		 * again.
		 * @return whether there may be more batches
		 */
		private boolean moveNext() {
			Batch batch = SidekiqBridge.this.redis.exchange(this.name, this.number, BATCH, this.refused, sources());
			this.refused = List.of();
			if (batch == null) {
				logger
					.warn("The bridge {} to Sidekiq goes on under a new name, because Redis has gone back in time, or "
							+ "a call came very late. Another bridge moves what it had taken", this.name);
				this.name = randomName();
				this.number = 1;
				return true;
			}
			if (batch.elements().isEmpty()) {
				return false;
			}
			this.refused = SidekiqBridge.this.mover.move(batch);
			this.number++;
			return true;
		}

		private Sources sources() {
			// Each queue comes first in turn, so that a long queue does not block other
			// queues.
			Collections.rotate(this.queues, 1);
			List<byte[]> scheduled = List.of();
			List<byte[]> retries = List.of();
			if (System.nanoTime() - this.lookedForDue >= SidekiqBridge.this.times.poll().toNanos()) {
				long now = SidekiqBridge.this.times.clock().millis();
				scheduled = this.due.find(DueSet.SCHEDULE, now, BATCH);
				retries = this.due.find(DueSet.RETRY, now, BATCH);
				// If all elements of a full page belong here, the next page is read at
				// once.
				if (Math.max(scheduled.size(), retries.size()) < BATCH) {
					this.lookedForDue = System.nanoTime();
				}
			}
			return new Sources(this.queues, scheduled, retries);
		}

		private void lookForLeft() {
			long now = System.nanoTime();
			if (now - this.lookedForLeft >= SidekiqBridge.this.times.patience().toNanos() / 2) {
				this.lookedForLeft = now;
				this.left.move(this.name, now);
			}
		}

		private void failed(Throwable failure) {
			this.left.forget();
			if (!this.failing) {
				this.failing = true;
				logger.warn("The bridge to Sidekiq cannot move jobs, and keeps trying. Nothing is lost", failure);
				SidekiqBridge.this.listener.accept(failure);
			}
		}

		private void recovered() {
			if (this.failing) {
				this.failing = false;
				logger.info("The bridge to Sidekiq moves jobs again");
			}
		}

		private void leave() {
			try {
				SidekiqBridge.this.redis.exchange(this.name, this.number, -1, this.refused, Sources.NONE);
			}
			catch (RuntimeException ex) {
				logger.debug("The bridge {} could not report that it has stopped; another one moves what it has left",
						this.name, ex);
			}
		}

		private void end() {
			this.stopping.countDown();
			try {
				this.thread.join(TIME_TO_STOP.toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		private static void await(CountDownLatch latch, Duration time) {
			try {
				latch.await(time.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				// Nobody needs to interrupt this thread, because the latch ends it.
			}
		}

		private static String randomName() {
			byte[] random = new byte[6];
			new SecureRandom().nextBytes(random);
			return HexFormat.of().formatHex(random);
		}

	}

}
