package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps of a fetcher one after another. The loop has no thread of its own: the
 * thread that brings news runs the next step. This can be the thread of a free worker, a
 * timer thread, or a network thread that received an answer, or a hint that a queue has
 * jobs. If a step is already running, its thread handles the news too, and the thread
 * that brought the news returns. Nothing that runs here may block. Thread safe.
 */
final class FetchLoop {

	private static final long PAUSE_AFTER_FAILURE = Duration.ofMillis(500).toNanos();

	private static final Logger logger = LoggerFactory.getLogger(FetchLoop.class);

	private final Repeater repeater;

	private final Vitals vitals;

	private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

	private final AtomicInteger visits = new AtomicInteger();

	private Runnable step = () -> {
	};

	private long alarmAt;

	private long alarms;

	private boolean alarmSet;

	FetchLoop(Repeater repeater, Vitals vitals) {
		this.repeater = repeater;
		this.vitals = vitals;
	}

	/** Set the step that runs after each piece of news. Call this method first. */
	void onNews(Runnable step) {
		this.step = step;
	}

	void run() {
		if (this.visits.getAndIncrement() == 0) {
			int seen = 1;
			do {
				attempt();
				seen = this.visits.addAndGet(-seen);
			}
			while (seen != 0);
		}
	}

	/** Handle news, and then run the step. */
	void post(Runnable news) {
		this.news.add(news);
		run();
	}

	void postLater(Runnable news) {
		this.repeater.later(() -> post(news));
	}

	/**
	 * Run the step at the given time or earlier. Called only by steps.
	 * @param time a time as returned by {@link System#nanoTime()}
	 */
	void runAt(long time) {
		if (!this.alarmSet || time - this.alarmAt < 0) {
			this.alarmSet = true;
			this.alarmAt = time;
			long alarm = ++this.alarms;
			// A superseded timer leaves the alarm set. Otherwise the step would start
			// another timer, and timers would accumulate.
			this.repeater.in(Math.max(0, time - System.nanoTime()),
					() -> post(() -> this.alarmSet &= alarm != this.alarms));
		}
	}

	private void attempt() {
		try {
			for (Runnable next = this.news.poll(); next != null; next = this.news.poll()) {
				next.run();
			}
			this.step.run();
		}
		catch (Throwable ex) {
			// The loop must continue, because nothing would restart it.
			logger.error("Fetching failed, trying again", ex);
			this.vitals.unexpected(ex);
			runAt(System.nanoTime() + PAUSE_AFTER_FAILURE);
		}
	}

}
