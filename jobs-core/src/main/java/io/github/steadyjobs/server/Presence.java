package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.server.Beat.ProcessState;
import io.github.steadyjobs.server.Claim.Status;
import io.github.steadyjobs.server.WorkerSettings.Liveness;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process from the point of view of its queues: the names under which it has joined
 * them, its heartbeats, and whether it claims jobs at present. A queue may no longer know
 * a name, because the process was taken for dead or Redis lost its data. The name is then
 * replaced by its next generation, in that queue only. Thread safe.
 * <p>
 * Each queue has separate heartbeats, so a queue that does not answer delays no other.
 * They use a connection that carries nothing else, so no large push delays them either.
 */
final class Presence {

	/**
	 * A failed heartbeat is soon repeated, because after a gap all others begin to watch
	 * this process anew.
	 */
	private static final int PARTS_OF_A_BEAT = 5;

	private static final Logger logger = LoggerFactory.getLogger(Presence.class);

	private final LivenessStore store;

	private final String process;

	private final Duration deathAfter;

	/** The time between two heartbeats of a queue. */
	private final long interval;

	private final Vitals vitals;

	private final WorkerEvents events;

	private final Map<String, Membership> members = new ConcurrentHashMap<>();

	private final Object sending = new Object();

	private ProcessState state = ProcessState.RUNNING;

	private final QueueNotices fencedNotices = new QueueNotices((queues) -> logger
		.warn("Queues no longer count this process as alive: {}. Its running jobs of those queues are interrupted and "
				+ "will settle nothing; it continues under a new name", queues));

	private volatile boolean open;

	private volatile boolean hasJoined;

	private final List<PresenceListener> listeners = new CopyOnWriteArrayList<>();

	Presence(LivenessStore store, String process, Liveness times, Vitals vitals, WorkerEvents events) {
		this.store = store;
		this.process = process;
		this.deathAfter = times.deathAfter();
		this.interval = times.beat().toNanos();
		this.vitals = vitals;
		this.events = events;
	}

	/** Add a listener, after those that are there. */
	void listen(PresenceListener listener) {
		this.listeners.add(listener);
	}

	/**
	 * Start telling the joined queues that this process is alive.
	 * @param scheduler a thread that has nothing else to do
	 */
	void start(BackgroundThread scheduler) {
		scheduler.repeat(this::beat, 0, Math.max(1, this.interval / PARTS_OF_A_BEAT), TimeUnit.NANOSECONDS);
	}

	private void beat() {
		long now = System.nanoTime();
		this.members.forEach((queue, member) -> {
			String name = member.joined;
			if (name != null && !member.beating && now - member.nextBeat >= 0) {
				member.beating = true;
				member.nextBeat = now + this.interval;
				beat(queue, name).whenComplete((beat, failure) -> completed(queue, name, beat, failure));
			}
		});
	}

	private void completed(String queue, String name, @Nullable Beat beat, @Nullable Throwable failure) {
		try {
			if (beat == null) {
				// Fetchers notice this too, and report it.
				logger.debug("No heartbeat in queue {}", queue, failure);
			}
			else if (beat.status() == Status.FENCED) {
				fenced(queue, name);
			}
			else if (beat.status() == Status.OK) {
				this.listeners.forEach((listener) -> listener.answered(queue, beat));
			}
		}
		catch (Throwable ex) {
			logger.error("The answer to a heartbeat in queue {} could not be handled", queue, ex);
			this.vitals.unexpected(ex);
		}
		finally {
			Membership member = member(queue);
			if (failure != null) {
				member.nextBeat = System.nanoTime() + this.interval / PARTS_OF_A_BEAT;
			}
			member.beating = false;
		}
	}

	/** Return the name of this process, without a generation. */
	String process() {
		return this.process;
	}

	boolean isOpen() {
		return this.open;
	}

	/**
	 * Set whether this process may claim jobs. At first it may not. Claims under way may
	 * still bring some.
	 */
	void setOpen(boolean open) {
		this.open = open;
	}

	/**
	 * Return the name for claims, or {@code null} if the queue has to be
	 * {@linkplain #join joined} first.
	 */
	@Nullable String nameIn(String queue) {
		return member(queue).joined;
	}

	/**
	 * Join a queue under the first name that it does not take for dead.
	 * @return the answer, {@code OK} if the queue was joined, {@code UPGRADE} if a newer
	 * version of this library has changed its layout. Never answered once this process
	 * stops
	 */
	CompletableFuture<Beat> join(String queue) {
		Membership member = member(queue);
		synchronized (member) {
			if (member.joining == null || member.joining.isDone()) {
				member.joining = join(queue, member);
			}
			return member.joining;
		}
	}

	private CompletableFuture<Beat> join(String queue, Membership member) {
		String name = this.process + "." + member.generation;
		long least = this.vitals.seq(queue);
		return send(queue, name, true).thenCompose((beat) -> switch (beat.status()) {
			case OK -> {
				this.vitals.seen(queue, least, beat.data());
				member.joined = name;
				this.hasJoined = true;
				yield CompletableFuture.completedFuture(beat);
			}
			case UPGRADE -> CompletableFuture.completedFuture(beat);
			default -> {
				member.generation++;
				yield join(queue, member);
			}
		});
	}

	/** Give up a name that the queue does not know. */
	void fenced(String queue, String name) {
		Membership member = member(queue);
		synchronized (member) {
			if (!name.equals(member.joined)) {
				return;
			}
			member.joined = null;
			member.generation++;
		}
		String whole = QueueRef.queueOf(queue);
		this.fencedNotices.add(whole, whole);
		this.events.publish(new WorkerEvent.Fenced(whole, name));
		this.listeners.forEach((listener) -> listener.fenced(queue, name));
	}

	/**
	 * Log which queues have given up this process, once no more do.
	 * @param all whether to log without waiting for more
	 */
	void report(boolean all) {
		this.fencedNotices.report(all);
	}

	boolean isCurrent(JobToken token) {
		return token.process().equals(member(token.queue()).joined);
	}

	/**
	 * Return whether a job was claimed so long ago that others may have taken this
	 * process for dead and run the job, without this process knowing yet.
	 */
	boolean mayHaveLost(UnitOfWork work) {
		return work.isOlderThan(this.deathAfter);
	}

	/**
	 * Return whether this process has ever joined a queue. Before that it holds nothing.
	 */
	boolean hasJoined() {
		return this.hasJoined;
	}

	/** Return the queues that this process has joined, and its name in each. */
	Map<String, String> joined() {
		Map<String, String> joined = new TreeMap<>();
		this.members.forEach((queue, member) -> {
			String name = member.joined;
			if (name != null) {
				joined.put(queue, name);
			}
		});
		return joined;
	}

	/**
	 * Return the queues that this process has joined or is joining, and its name in each.
	 */
	Map<String, String> names() {
		Map<String, String> names = joined();
		this.members.forEach((queue, member) -> names.putIfAbsent(queue, this.process + "." + member.generation));
		return names;
	}

	private CompletableFuture<Beat> beat(String queue, String name) {
		long least = this.vitals.seq(queue);
		return send(queue, name, false).whenComplete((beat, failure) -> {
			if (beat != null && beat.status() == Status.OK) {
				this.vitals.seen(queue, least, beat.data());
				member(queue).interrupted(beat.interrupted());
			}
		});
	}

	/** Wait for the answers to joins that were sent. */
	void awaitJoins(Duration patience) {
		CompletableFuture<?>[] joins = this.members.values()
			.stream()
			.map((member) -> member.joining)
			.filter(Objects::nonNull)
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(joins)
			.exceptionally((failure) -> null)
			.completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS)
			.join();
	}

	/**
	 * Tell all joined queues that this process stops: if it dies from now on, its jobs
	 * were interrupted and did not crash it.
	 */
	void announceStop() {
		synchronized (this.sending) {
			this.state = ProcessState.STOPPING;
		}
		joined().forEach(this::beat);
	}

	private CompletableFuture<Beat> send(String queue, String name, boolean join) {
		// One sender at a time, or an older state may overtake a newer one.
		synchronized (this.sending) {
			if (join && this.state == ProcessState.STOPPING) {
				// A beat sent now might arrive after this process has left.
				return new CompletableFuture<>();
			}
			return this.store.beat(queue, name, join, this.state, member(queue).known);
		}
	}

	private Membership member(String queue) {
		Membership member = this.members.get(queue);
		return (member != null) ? member : this.members.computeIfAbsent(queue, (name) -> new Membership());
	}

	private static final class Membership {

		private volatile @Nullable String joined;

		private volatile @Nullable CompletableFuture<Beat> joining;

		private volatile int generation = 1;

		private volatile boolean beating;

		private volatile long nextBeat = System.nanoTime();

		private volatile String interrupted = "";

		/** The runs to be interrupted that need not be reported again. */
		private volatile String known = "";

		/**
		 * Record runs to be interrupted. They are known after they were reported twice,
		 * because at first a job may have been between its queue and its worker.
		 */
		void interrupted(String runs) {
			this.known = this.interrupted.equals(runs) ? runs : "";
			this.interrupted = runs;
		}

	}

}
