package io.github.steadyjobs.server;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Beat;
import io.github.steadyjobs.redis.PauseStore;
import io.github.steadyjobs.redis.Pauses;
import io.github.steadyjobs.redis.Pauses.Pause;
import io.github.steadyjobs.redis.Pauses.Target;
import io.github.steadyjobs.redis.Shard;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows what is paused. Tells it to queues that do not know yet, looks at queues when
 * their pauses end, and brings back what was parked for a pause that stands no more.
 * <p>
 * All processes do so for the queues that they serve. That makes pauses reach queues that
 * were not there when they began, and lets jobs go on although the one who has ended a
 * pause died in the middle of it. Thread safe.
 */
final class PauseWatch {

	/**
	 * A minute by default. Changes are heard of before that, but for lost news of them.
	 */
	private static final int ROUNDS_TO_READ = 12;

	private static final Logger logger = LoggerFactory.getLogger(PauseWatch.class);

	private final PauseStore store;

	private final Consumer<String> look;

	private final Consumer<String> parked;

	private final ScheduledExecutorService chores;

	private final Map<String, Beat> beats = new ConcurrentHashMap<>();

	/** Queues in which parked jobs may go on. */
	private final Set<String> owed = ConcurrentHashMap.newKeySet();

	/** Versions of pauses whose ends are waited for. */
	private final Set<Long> awaited = ConcurrentHashMap.newKeySet();

	private final AtomicLong heard = new AtomicLong();

	/** What was heard of until the last reading began. */
	private volatile long read;

	private int rounds;

	private final AtomicBoolean doubted = new AtomicBoolean();

	private volatile Pauses pauses = Pauses.NONE;

	/**
	 * Create a watch.
	 * @param look makes capsules look at a queue at once
	 * @param parked brings back what was parked in a queue and may go on
	 * @param chores runs what waits for answers, one thing after the other
	 */
	PauseWatch(PauseStore store, Consumer<String> look, Consumer<String> parked, ScheduledExecutorService chores) {
		this.store = store;
		this.look = look;
		this.parked = parked;
		this.chores = chores;
	}

	/**
	 * Return whether nothing is paused, as far as anybody has told this process.
	 */
	boolean isQuiet() {
		return this.pauses.byTarget().isEmpty() && !isBehind();
	}

	/**
	 * Return whether something was changed that this process has not read yet.
	 */
	boolean isBehind() {
		return this.heard.get() > this.read;
	}

	@Nullable Pause find(Target target) {
		return this.pauses.find(target);
	}

	/**
	 * Return the version of all pauses as this process knows them.
	 */
	long version() {
		return this.pauses.version();
	}

	/**
	 * Take note of the version that a queue knows. What is new is read soon.
	 */
	void heard(long version) {
		if (version > this.heard.get() && version > this.heard.getAndAccumulate(version, Math::max)) {
			later(this::refresh);
		}
	}

	/**
	 * Read anew what is paused, as something was done that may be out of date.
	 */
	void doubt() {
		if (this.doubted.compareAndSet(false, true)) {
			later(this::refresh);
		}
	}

	/**
	 * Run what waits for answers, after what was to be run before.
	 */
	void later(Runnable task) {
		try {
			this.chores.execute(() -> attempt(task));
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Left undone, because the workers have ended");
		}
	}

	private static void attempt(Runnable task) {
		try {
			task.run();
		}
		catch (JobStoreException ex) {
			logger.debug("Left for the next heartbeat", ex);
		}
	}

	/**
	 * Take note of the answer to a heartbeat.
	 */
	void seen(String queue, Beat beat) {
		Beat before = this.beats.put(queue, beat);
		// What was parked before the change may have to go on.
		if (beat.parked().now() > 0 && (before == null || before.pauses() != beat.pauses())) {
			this.owed.add(queue);
		}
		heard(beat.pauses());
	}

	/**
	 * Do what has to be done as often as heartbeats, by one chore at a time. While
	 * nothing is paused that is a look now and then: a queue knows what concerns it, and
	 * its heartbeats tell.
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	void round() {
		if (!isQuiet() || this.rounds % ROUNDS_TO_READ == 0) {
			refresh();
		}
		this.rounds++;
		Pauses known = this.pauses;
		List<String> behind = this.beats.entrySet()
			.stream()
			.filter((beat) -> beat.getValue().pauses() < known.version())
			.map(Map.Entry::getKey)
			.toList();
		if (!behind.isEmpty()) {
			this.store.tell(behind, known);
		}
		if (known.all().stream().anyMatch((pause) -> !pause.target().isQueue() && pause.hasEndedAt(known.now()))) {
			// Nobody may say how the one ended that was tried last.
			this.beats.keySet().forEach(this::owe);
		}
		behind.forEach(this::owe);
		releaseOwed();
	}

	private void owe(String queue) {
		if (Objects.requireNonNull(this.beats.get(queue)).parked().now() > 0) {
			this.owed.add(queue);
		}
	}

	private void refresh() {
		long before = this.heard.get();
		this.doubted.set(false);
		update(this.store.read());
		// Of lost data a queue may know more than can be read.
		this.read = Math.max(this.read, before);
	}

	/**
	 * Take note of what is paused. Called by one chore at a time.
	 */
	void update(Pauses found) {
		Collection<Pause> before = this.pauses.all();
		this.pauses = found;
		this.read = Math.max(this.read, found.version());
		for (Pause pause : found.all()) {
			if (!before.contains(pause)) {
				logger.warn("Paused: {}, {}", pause.target(), pause);
			}
			if (pause.until() > found.now() && this.awaited.add(pause.version())) {
				// A little later, as the end is by the clock of Redis.
				this.chores.schedule(() -> attempt(() -> ended(pause)), pause.until() - found.now() + 1,
						TimeUnit.MILLISECONDS);
			}
		}
		before.stream()
			.filter((pause) -> found.find(pause.target()) == null)
			.forEach((pause) -> logger.info("No longer paused: {}", pause.target()));
	}

	private void ended(Pause pause) {
		this.awaited.remove(pause.version());
		// Clocks differ: if the end has not come by that of Redis, this waits once more.
		refresh();
		if (pause.target().isQueue()) {
			this.beats.keySet()
				.stream()
				.filter((queue) -> Shard.queueOf(queue).equals(pause.target().name()))
				.forEach(this.look);
		}
		else {
			// What was parked since the last heartbeat counts as well.
			this.owed.addAll(this.beats.keySet());
			releaseOwed();
		}
	}

	private void releaseOwed() {
		for (String queue : List.copyOf(this.owed)) {
			// First, as it may be owed again meanwhile.
			this.owed.remove(queue);
			this.parked.accept(queue);
		}
	}

}
