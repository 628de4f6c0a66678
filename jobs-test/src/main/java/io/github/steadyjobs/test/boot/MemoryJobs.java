package io.github.steadyjobs.test.boot;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Predicate;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.client.Admission;
import io.github.steadyjobs.client.Admission.Kind;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.server.JobRunner.Claimed;
import io.github.steadyjobs.server.JobRunner.Ran;
import io.github.steadyjobs.test.boot.KeyedPayloads.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in memory: stores them, finds those that are due, and applies the outcomes of
 * runs. Thread safe.
 */
final class MemoryJobs implements MemoryLocks.Jobs {

	private static final byte[] ENDED = {};

	private final Map<String, Stored> jobs = new LinkedHashMap<>();

	private final MemoryLocks locks = new MemoryLocks();

	private final Clock clock;

	private final int mostPayloads;

	private long arrivals;

	/**
	 * Create an empty memory.
	 * @param mostPayloads the maximum number of payloads that wait for a key
	 */
	MemoryJobs(Clock clock, int mostPayloads) {
		this.clock = clock;
		this.mostPayloads = mostPayloads;
	}

	/**
	 * Store a job as Redis does, unless it is a duplicate.
	 * @param due when the job is due, in milliseconds since the epoch; {@code null} for
	 * now
	 */
	synchronized Admission add(String queue, NewJob job, @Nullable Long due) {
		long now = this.clock.millis();
		if (job.ordering() != null) {
			return new Admission(gather(queue, job, (due != null) ? due : now, due != null), "");
		}
		Admission admission = this.locks.admit(queue, job, due, now, this);
		if (admission.isStored()) {
			Stored stored = stored(job.id(), queue, job.payload(), (due != null) ? due : now);
			stored.delayed = due != null;
			put(stored);
		}
		return admission;
	}

	private Kind gather(String queue, NewJob job, long due, boolean delayed) {
		Gathered pushed = Gathered.read(job.payload());
		// Without a score, payloads are sorted by their arrival.
		String score = pushed.score(0).isEmpty() ? "%d.%09d".formatted(this.clock.millis(), this.arrivals + 1)
				: pushed.score(0);
		Entry entry = new Entry(score, new String(pushed.arguments(0), StandardCharsets.UTF_8));
		Stored known = this.jobs.get(job.id());
		Stored stored = (known != null) ? known : stored(job.id(), QueueRef.allOf(queue), ENDED, due);
		stored.pushed = pushed.envelope();
		Kind kind = stored.keyed.push(entry, new Head(pushed.envelope(), due, delayed));
		if (kind == Kind.STORED) {
			put(stored);
			stored.waitAgain();
		}
		return kind;
	}

	private Stored stored(String id, String queue, byte[] payload, long due) {
		return new Stored(id, new KeyedPayloads<>(this.mostPayloads), queue, payload, due);
	}

	private void put(Stored job) {
		job.arrival = ++this.arrivals;
		this.jobs.put(job.id, job);
	}

	/**
	 * Find the next job to run.
	 * @param latest the latest due time, in milliseconds since the epoch
	 */
	synchronized @Nullable Stored next(Predicate<Stored> wanted, long latest) {
		return this.jobs.values()
			.stream()
			.filter((job) -> job.place == Place.WAITING && job.due <= latest)
			.filter(wanted)
			.min(Comparator.<Stored>comparingLong((job) -> job.due).thenComparingLong((job) -> job.arrival))
			.orElse(null);
	}

	/** Return how often a job was stored or put back so far. */
	synchronized long arrivals() {
		return this.arrivals;
	}

	synchronized Claimed begin(Stored job) {
		String positions = this.locks.positions(job.id);
		this.locks.begun(job.id);
		job.place = Place.RUNNING;
		job.runs++;
		if (job.isOrdered()) {
			job.running = Objects.requireNonNull(job.keyed.head());
			job.keyed.begin(new Head(job.pushed, this.clock.millis(), false));
		}
		return new Claimed(job.queue, job.id, job.payload(), positions, job.runs);
	}

	/** Apply the outcome of a run to its job. */
	synchronized void settle(Stored job, Ran ran) {
		Long due = (ran.delay() != null && !job.cancelled) ? Long.valueOf(this.clock.millis() + ran.delay().toMillis())
				: null;
		if (ran.dead() != null) {
			Stored dead = stored(ran.dead().id(), job.queue, ran.dead().payload(), 0);
			dead.place = Place.DEAD;
			endLock(job.id, false);
			put(dead);
		}
		boolean parked = ran.outcome() == JobOutcome.PARKED;
		if (job.isOrdered()) {
			settleOrdered(job, ran, due, parked);
		}
		else if (parked || due != null) {
			job.payload = (ran.payload() != null) ? ran.payload() : job.payload;
			job.queue = (ran.queue() != null) ? ran.queue() : job.queue;
			job.place = parked ? Place.PARKED : Place.WAITING;
			job.due = (due != null) ? due : 0;
			job.delayed = due != null;
			job.arrival = ++this.arrivals;
			if (due != null) {
				this.locks.kept(job.id, due);
			}
		}
		else if (ran.dead() == null) {
			this.jobs.remove(job.id);
			endLock(job.id, false);
		}
	}

	private void settleOrdered(Stored job, Ran ran, @Nullable Long due, boolean parked) {
		boolean continues = parked || due != null;
		Gathered left = (continues && ran.payload() != null) ? Gathered.read(ran.payload()) : null;
		Head running = Objects.requireNonNull(job.running);
		List<Entry> entries = (left != null) ? entries(left) : continues ? job.keyed.running() : List.of();
		// Without a delay, the job continues with its other payloads.
		boolean delayed = due != null && !Duration.ZERO.equals(ran.delay());
		job.keyed.end(entries,
				new Head((left != null) ? left.envelope() : running.envelope(), (due != null) ? due : 0, delayed));
		job.running = null;
		job.cancelled = false;
		if (job.keyed.waiting().isEmpty()) {
			this.jobs.remove(job.id);
			return;
		}
		job.waitAgain();
		job.place = (parked && !entries.isEmpty()) ? Place.PARKED : Place.WAITING;
		job.arrival = ++this.arrivals;
	}

	private static List<Entry> entries(Gathered gathered) {
		List<Entry> entries = new ArrayList<>(gathered.size());
		for (int i = 0; i < gathered.size(); i++) {
			entries.add(new Entry(gathered.score(i), new String(gathered.arguments(i), StandardCharsets.UTF_8)));
		}
		return entries;
	}

	private void endLock(String id, boolean unrun) {
		String positions = this.locks.positions(id);
		MemoryLocks.Duplicate duplicate = this.locks.ended(id, unrun);
		if (duplicate != null) {
			NewJob job = duplicate.job();
			put(stored(job.id(), duplicate.queue(), job.payload(), this.clock.millis()));
			this.locks.again(duplicate, positions, this.clock.millis());
		}
	}

	/** Return the payload of a job. See {@code JobStorage#find}. */
	synchronized <T> @Nullable T find(String id, BiFunction<String, byte[], T> reader) {
		Stored job = this.jobs.get(id);
		return (job != null) ? reader.apply(job.queue, job.payload()) : null;
	}

	/**
	 * Cancel a job. If it is running, it does not run again.
	 * @return whether there was a job to cancel
	 */
	synchronized boolean cancel(String id) {
		Stored job = this.jobs.get(id);
		if (job == null || job.place == Place.DEAD) {
			return false;
		}
		if (job.place == Place.RUNNING) {
			job.cancelled = true;
			return true;
		}
		this.jobs.remove(id);
		endLock(id, job.runs == 0);
		return true;
	}

	@Override
	public boolean isThere(String id) {
		return this.jobs.containsKey(id);
	}

	@Override
	public boolean isRunning(String id) {
		Stored job = this.jobs.get(id);
		return job != null && job.place == Place.RUNNING;
	}

	private enum Place {

		WAITING, RUNNING, PARKED, DEAD

	}

	/**
	 * The data that is stored for a key besides its payloads.
	 */
	private record Head(byte[] envelope, long due, boolean delayed) {

	}

	/** A stored job. Only {@link MemoryJobs} may change it. */
	static final class Stored {

		private final String id;

		private final KeyedPayloads<Head> keyed;

		private String queue;

		private byte[] payload;

		private @Nullable Head running;

		/** The envelope of the payload that arrived last for this key. */
		private byte[] pushed = ENDED;

		private Place place = Place.WAITING;

		private long due;

		private boolean delayed;

		private long arrival;

		private int runs;

		private boolean cancelled;

		private Stored(String id, KeyedPayloads<Head> keyed, String queue, byte[] payload, long due) {
			this.id = id;
			this.keyed = keyed;
			this.queue = queue;
			this.payload = payload;
			this.due = due;
		}

		private boolean isOrdered() {
			return this.place != Place.DEAD && QueueRef.isPart(this.queue);
		}

		private void waitAgain() {
			Head head = Objects.requireNonNull(this.keyed.head());
			this.place = Place.WAITING;
			this.due = head.due();
			this.delayed = head.delayed();
		}

		/** Return what is stored: one payload, or the payloads of a key. */
		byte[] payload() {
			if (!isOrdered()) {
				return this.payload;
			}
			List<Entry> entries = (this.running != null) ? this.keyed.running() : this.keyed.waiting();
			Head head = (this.running != null) ? this.running : Objects.requireNonNull(this.keyed.head());
			StringBuilder lines = new StringBuilder(new String(head.envelope(), StandardCharsets.UTF_8)).append('\n');
			entries.forEach((entry) -> lines.append(entry).append('\n'));
			return lines.toString().getBytes(StandardCharsets.UTF_8);
		}

		String id() {
			return this.id;
		}

		/** Return the name of the queue that applications know. */
		String queue() {
			return QueueRef.queueOf(this.queue);
		}

		/** Return the name of the queue or, if the job is ordered, of its parts. */
		String lane() {
			return this.queue;
		}

		/** Return when the job is due, in milliseconds since the epoch. */
		long due() {
			return this.due;
		}

		/**
		 * Return whether the job was delayed, even if it is due by now: it was scheduled,
		 * or it is retried, has snoozed or was put off.
		 */
		boolean isDelayed() {
			return this.delayed;
		}

		/**
		 * Return the count of {@link #arrivals()} when the job was last stored or put
		 * back.
		 */
		long arrival() {
			return this.arrival;
		}

	}

}
