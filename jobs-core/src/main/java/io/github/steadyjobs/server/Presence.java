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
 * This process as its queues see it: the name under which the process has joined each
 * queue, the heartbeats, and whether the process may claim jobs now. A queue rejects a
 * name if the process was presumed dead or Redis lost its data. The process then joins
 * again, but only that queue, under the next generation of the name. Thread safe.
 * <p>
 * Each queue gets separate heartbeats, so a queue that does not answer does not delay the
 * others. Heartbeats use a connection that carries nothing else, so large pushes do not
 * delay heartbeats either.
 */
final class Presence {

	/**
	 * The heartbeat interval is divided into this many parts. A failed heartbeat is
	 * repeated after one part, because after a long gap this process begins to watch all
	 * other processes anew.
	 */
	private static final int PARTS_OF_A_BEAT = 5;

	private static final Logger logger = LoggerFactory.getLogger(Presence.class);

	private final LivenessStore store;

	private final String process;

	private final Liveness liveness;

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

	Presence(LivenessStore store, String process, Liveness liveness, Vitals vitals, WorkerEvents events) {
		this.store = store;
		this.process = process;
		this.liveness = liveness;
		this.interval = liveness.beat().toNanos();
		this.vitals = vitals;
		this.events = events;
	}

	/** Add a listener, to be called after the listeners that were added earlier. */
	void listen(PresenceListener listener) {
		this.listeners.add(listener);
	}

	/**
	 * Start sending heartbeats to the joined queues.
	 * @param scheduler a thread that is used for nothing else
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
				// Fetchers also notice that Redis is unavailable, and report the problem.
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

	/** Return the name of this process, without its generation. */
	String process() {
		return this.process;
	}

	Liveness liveness() {
		return this.liveness;
	}

	boolean isOpen() {
		return this.open;
	}

	/**
	 * Set whether this process may claim jobs. Initially, the process may not. Claims
	 * that are already under way may still deliver jobs.
	 */
	void setOpen(boolean open) {
		this.open = open;
	}

	/**
	 * Return the name to use in claims, or {@code null} if this process has to
	 * {@linkplain #join join} the queue first.
	 */
	@Nullable String nameIn(String queue) {
		return member(queue).joined;
	}

	/**
	 * Join a queue under the first generation of the name that the queue does not reject.
	 * @return the answer: {@code OK} if the process has joined, {@code UPGRADE} if a
	 * newer version of this library has changed the layout of the queue. The future is
	 * never completed if this process is stopping
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

	/** Give up a name that the queue no longer accepts. */
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
	 * Log the queues that no longer accept this process, unless more queues were added
	 * since the last call.
	 * @param all whether to log without waiting for further queues
	 */
	void report(boolean all) {
		this.fencedNotices.report(all);
	}

	boolean isCurrent(JobToken token) {
		return token.process().equals(member(token.queue()).joined);
	}

	/**
	 * Return whether a job was claimed so long ago that other processes may have presumed
	 * this process dead and run the job, without this process knowing.
	 */
	boolean mayHaveLost(UnitOfWork work) {
		return work.isOlderThan(this.liveness.deathAfter());
	}

	/** Return whether this process has ever joined a queue. If not, it holds no jobs. */
	boolean hasJoined() {
		return this.hasJoined;
	}

	/** Return this process's name in each queue that it has joined. */
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

	/** Return this process's name in each queue that it has joined or is joining. */
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

	/** Wait for the answers to the joins that are under way. */
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
	 * Notify all joined queues that this process is stopping. If the process dies from
	 * now on, its jobs are not to blame, because they are being interrupted.
	 */
	void announceStop() {
		synchronized (this.sending) {
			this.state = ProcessState.STOPPING;
		}
		joined().forEach(this::beat);
	}

	private CompletableFuture<Beat> send(String queue, String name, boolean join) {
		// Send one heartbeat at a time; otherwise an older state could arrive last.
		synchronized (this.sending) {
			if (join && this.state == ProcessState.STOPPING) {
				// A heartbeat sent now might arrive after this process has left.
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

		/** Runs to be interrupted, which the queue need not report again. */
		private volatile String known = "";

		/**
		 * Record runs to be interrupted. A run counts as known only after it was reported
		 * twice, because at the first report the job may still have been on its way to
		 * the worker.
		 */
		void interrupted(String runs) {
			this.known = this.interrupted.equals(runs) ? runs : "";
			this.interrupted = runs;
		}

	}

}
