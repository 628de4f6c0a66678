package io.github.steadyjobs.pause;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.gate.Gate.Worker;
import io.github.steadyjobs.pause.Pauses.Pause;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.redis.QueueRef;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps track of all pauses. Updates queues that have an older version of the pauses,
 * checks queues when their pauses end, and brings back jobs that were parked for a pause
 * that is over.
 * <p>
 * Every process does this for the queues that it serves. So pauses reach queues that did
 * not exist when the pauses began, and jobs continue even if a process dies while it is
 * ending a pause. Thread safe.
 */
final class PauseWatch {

	/**
	 * The number of heartbeats between two readings of the pauses while nothing is
	 * paused. By default, these heartbeats take a minute. Changes are normally known
	 * earlier; readings make up for lost notifications.
	 */
	private static final int ROUNDS_TO_READ = 12;

	private static final Logger logger = LoggerFactory.getLogger(PauseWatch.class);

	private final PauseStore store;

	private final Worker worker;

	private final ScheduledExecutorService chores;

	private final Map<String, State> queues = new ConcurrentHashMap<>();

	/** The versions of pauses whose end is awaited. */
	private final Set<Long> awaited = ConcurrentHashMap.newKeySet();

	private final AtomicLong heard = new AtomicLong();

	/** The latest version that was known when the pauses were last read. */
	private volatile long read;

	private int rounds;

	private volatile Pauses pauses = Pauses.NONE;

	PauseWatch(PauseStore store, Worker worker) {
		this.store = store;
		this.worker = worker;
		this.chores = worker.chores();
	}

	/**
	 * Return whether nothing is paused and this process has read all changes of which it
	 * has heard.
	 */
	boolean isQuiet() {
		return this.pauses.byTarget().isEmpty() && !isBehind();
	}

	/** Return whether there is a change that this process has not read yet. */
	boolean isBehind() {
		return this.heard.get() > this.read;
	}

	/**
	 * Return whether a queue knows newer pauses than this process. If Redis has lost the
	 * latest change of the pauses, this stays so until the next change.
	 */
	boolean isOutdated() {
		return this.heard.get() > this.pauses.version();
	}

	@Nullable Pause find(Target target) {
		return this.pauses.find(target);
	}

	/** Return the version of the pauses that this process knows. */
	long version() {
		return this.pauses.version();
	}

	/** Record the version that a queue knows. If it is new, read the pauses soon. */
	void heard(long version) {
		if (version > this.heard.get() && version > this.heard.getAndAccumulate(version, Math::max)) {
			later(this::refresh);
		}
	}

	/** Run a task that waits for answers, after all earlier tasks. */
	void later(Runnable task) {
		this.chores.execute(task);
	}

	void answered(String queue, long parked, long version) {
		State before = this.queues.put(queue, new State(parked, version));
		// The pauses have changed, so that parked jobs may be able to continue.
		if (parked > 0 && (before == null || before.version() != version)) {
			this.worker.opened(queue);
		}
		heard(version);
	}

	/**
	 * Do the work that is due with each heartbeat. Called by one thread at a time. While
	 * nothing is paused, the pauses are read only from time to time, because each queue
	 * knows its own pauses and reports their version with heartbeats.
	 * @throws JobStoreException if Redis refused the call, is not reachable or did not
	 * answer
	 */
	void round() {
		if (!isQuiet() || this.rounds % ROUNDS_TO_READ == 0) {
			refresh();
		}
		this.rounds++;
		Pauses known = this.pauses;
		List<String> behind = this.queues.entrySet()
			.stream()
			.filter((queue) -> queue.getValue().version() < known.version())
			.map(Map.Entry::getKey)
			.toList();
		if (!behind.isEmpty()) {
			this.store.tell(behind, known);
		}
		if (known.all().stream().anyMatch((pause) -> !pause.target().isQueue() && pause.hasEndedAt(known.now()))) {
			// The process that tried a job may have died before it ended or renewed the
			// pause. Another parked job must then be tried.
			this.queues.keySet().forEach(this::release);
		}
		behind.forEach(this::release);
	}

	/** Let jobs that were parked at the time of the last heartbeat continue. */
	private void release(String queue) {
		if (Objects.requireNonNull(this.queues.get(queue)).parked() > 0) {
			this.worker.opened(queue);
		}
	}

	private void refresh() {
		long before = this.heard.get();
		update(this.store.read());
		// After a loss of data, a queue may know a newer version than the hash has.
		this.read = Math.max(this.read, before);
	}

	/** Record the current pauses. Called by one thread at a time. */
	void update(Pauses found) {
		Collection<Pause> before = this.pauses.all();
		this.pauses = found;
		this.read = Math.max(this.read, found.version());
		for (Pause pause : found.all()) {
			if (before.stream().noneMatch(pause::isSame)) {
				logger.warn("Paused: {}, {}", pause.target(), pause);
			}
			if (pause.until() > found.now() && this.awaited.add(pause.version())) {
				// Check slightly later, because the clock of Redis determines the end.
				this.chores.schedule(() -> ended(pause), pause.until() - found.now() + 1, TimeUnit.MILLISECONDS);
			}
		}
		before.stream()
			.filter((pause) -> found.find(pause.target()) == null)
			.forEach((pause) -> logger.info("No longer paused: {}", pause.target()));
	}

	private void ended(Pause pause) {
		this.awaited.remove(pause.version());
		// If the pause has not ended by the clock of Redis, this starts another wait.
		refresh();
		look(pause.target());
	}

	/** Look for jobs that may begin, or be tried, because a pause has ended. */
	void look(Target target) {
		if (target.isQueue()) {
			this.queues.keySet()
				.stream()
				.filter((queue) -> QueueRef.queueOf(queue).equals(target.name()))
				.forEach(this.worker::look);
		}
		else {
			// This includes jobs that were parked after the last heartbeat.
			this.queues.keySet().forEach(this.worker::opened);
		}
	}

	/**
	 * The state of a queue as of the last heartbeat.
	 *
	 * @param parked the number of parked jobs
	 * @param version the version of the pauses that the queue knows
	 */
	private record State(long parked, long version) {

	}

}
