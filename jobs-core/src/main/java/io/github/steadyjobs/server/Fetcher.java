package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.steadyjobs.redis.BlockingPop;
import org.jspecify.annotations.Nullable;

/**
 * Fetches jobs for a capsule whenever there is room for them, and gives back jobs that
 * cannot begin. All work is done in the {@linkplain FetchLoop loop}. Any thread may call
 * the methods that are not private; these methods do not block.
 */
final class Fetcher {

	/**
	 * The minimum time between checks that a timer triggers. A random time of up to the
	 * same length is added, so that many idle fetchers do not check at the same time.
	 */
	private static final long BETWEEN_TIMED_LOOKS = Duration.ofMillis(10).toNanos();

	private static final long LISTEN_AGAIN_AFTER = Duration.ofMillis(500).toNanos();

	private final FetchLoop loop;

	private final Claims claims;

	private final WorkQueue workQueue;

	private final Settlements settlements;

	private final QueueOrder order;

	private final BlockingPop hints;

	private final ServedQueue[] queues;

	/** Which queues are worth asking for jobs. Valid only during a step. */
	private final boolean[] worthAsking;

	private final int[] shares;

	private final Map<String, List<UnitOfWork>> returning = new LinkedHashMap<>();

	private long nextTimedLook = System.nanoTime();

	Fetcher(FetchLoop loop, Claims claims, WorkQueue workQueue, Settlements settlements, QueueOrder order) {
		this.loop = loop;
		this.claims = claims;
		this.workQueue = workQueue;
		this.settlements = settlements;
		this.order = order;
		this.hints = claims.hints();
		this.queues = claims.queues();
		this.worthAsking = new boolean[this.queues.length];
		this.shares = new int[this.queues.length];
		loop.onNews(this::step);
		claims.onAnswer(this::take, this::giveBackWaiting);
	}

	/** Fetch jobs if there is room. Acknowledge finished jobs, along with any claim. */
	void look() {
		this.loop.run();
	}

	/** Fetch from a queue, if this capsule serves it. */
	void look(String name) {
		tell(name, ServedQueue::lookNow);
	}

	/**
	 * Claim one job that may have killed processes, even while nothing else may be
	 * claimed.
	 * @return whether a claim was sent
	 */
	CompletableFuture<Boolean> claimSuspect(String queue) {
		CompletableFuture<Boolean> sent = new CompletableFuture<>();
		this.loop.post(() -> sent.complete(!this.claims.areClosed() && this.claims.claimSuspect(queue)));
		return sent;
	}

	/** Stop fetching, and give back any jobs that still arrive from unanswered claims. */
	void close() {
		this.claims.close();
	}

	/** Give back the jobs that have not begun. Called after fetching has stopped. */
	void giveBackWaiting() {
		this.loop.post(() -> giveBack(this.workQueue.removeIf((work) -> true)));
	}

	/**
	 * Return whether a claim is under way, not counting claims that wait for hints unless
	 * fetching has stopped. When this method returns {@code false}, all jobs from
	 * answered claims are already counted as claimed.
	 */
	boolean isClaiming() {
		return this.claims.areUnderWay();
	}

	boolean isSettled() {
		return this.settlements.unsettled().isEmpty();
	}

	/**
	 * Return whether this capsule holds a job or may be about to receive it: its claim
	 * has not been answered, the job has not ended, or Redis has not confirmed the end of
	 * the job.
	 */
	boolean holds(JobToken token) {
		// Checked in the order in which a job passes through these places, so that a job
		// that moves on during the check is not missed.
		return this.claims.mayBring(token) || this.workQueue.claimed().contains(token)
				|| this.settlements.unsettled().contains(token);
	}

	/**
	 * Return the jobs that this capsule holds from each queue, if a claim on that queue
	 * has ever been answered. An audit compares the result with Redis.
	 * @param names the name of this process in each queue
	 * @return a line for each queue,
	 * {@code <queue> <process>/<capsule>/<number of the latest answered claim>}, followed
	 * by the ids of the jobs
	 */
	List<String> held(Map<String, String> names) {
		Map<String, StringBuilder> lines = new LinkedHashMap<>();
		// Read the claims first. Otherwise a claim that is answered in the meantime would
		// appear to have brought no jobs.
		for (ServedQueue queue : this.queues) {
			String name = names.get(queue.name());
			if (name != null && queue.answered() > 0) {
				lines.put(queue.name() + " " + name, new StringBuilder(
						"%s %s/%s/%d".formatted(queue.name(), name, this.claims.capsule(), queue.answered())));
			}
		}
		Stream.concat(this.workQueue.claimed().stream(), this.settlements.unsettled().stream()).forEach((token) -> {
			StringBuilder line = lines.get(token.queue() + " " + token.process());
			if (line != null) {
				line.append(' ').append(token.id());
			}
		});
		return lines.values().stream().map(StringBuilder::toString).toList();
	}

	/** Return whether this capsule may fetch. */
	boolean isFetching() {
		return this.claims.areAllowed();
	}

	long progress() {
		return this.workQueue.begun() + this.settlements.settledEver();
	}

	private void step() {
		long now = System.nanoTime();
		giveBackLate(now);
		boolean fetching = isFetching();
		if (!fetching) {
			this.claims.takeBack(0);
		}
		releaseReturning();
		if (this.claims.takeWithheld()) {
			// Jobs were withheld because of a crash. Without a pause, the queue would be
			// asked for these jobs again and again.
			this.workQueue.pauseAhead(now);
		}
		int ahead = fetching ? this.workQueue.ahead(now) : 0;
		int free = this.workQueue.room(this.settlements.unsettled().size(), ahead) - this.claims.expected(now);
		this.workQueue.setLow(ahead / 2);
		if (fetching) {
			// No worker is reserved for a claim that waits. If other queues have got the
			// free workers since then, some of these claims are taken back.
			this.claims.takeBack(Math.max(0, free + ahead));
		}
		if (!fetching || free + ahead <= 0) {
			// This capsule cannot use its hints now, but other processes may.
			putHintsBack();
		}
		else if (this.workQueue.isLow()) {
			fetch(free, ahead, now);
		}
		long next = nextLook(now, fetching && free + ahead > 0);
		if (next != Long.MAX_VALUE) {
			this.loop.runAt(now + next);
		}
		if (this.workQueue.isEmpty() || this.workQueue.hasFreeWorker()) {
			// If all workers are busy and jobs are waiting, the next claim takes the
			// acknowledgements along instead.
			this.settlements.acknowledger().send();
		}
	}

	private void fetch(int free, int ahead, long now) {
		if (this.claims.join(now)) {
			this.loop.runAt(now + LISTEN_AGAIN_AFTER);
		}
		else {
			boolean worthAsking = findWorthAsking(now);
			if (!worthAsking || !claim(free, ahead)) {
				this.claims.listen(free, (name) -> tell(name, ServedQueue::hint));
				if (worthAsking || !this.hints.isListening()) {
					this.loop.runAt(now + LISTEN_AGAIN_AFTER);
				}
			}
		}
	}

	private boolean findWorthAsking(long now) {
		boolean timed = now - this.nextTimedLook >= 0;
		boolean listening = willListen();
		boolean found = false;
		for (int i = 0; i < this.queues.length; i++) {
			this.worthAsking[i] = this.queues[i].isWorthAsking(now, timed, listening);
			found |= this.worthAsking[i];
		}
		if (timed && found) {
			this.nextTimedLook = now + BETWEEN_TIMED_LOOKS + ThreadLocalRandom.current().nextLong(BETWEEN_TIMED_LOOKS);
		}
		return found;
	}

	/**
	 * Return whether a hint would announce new jobs: the capsule is waiting for hints, or
	 * will be waiting after it has used the hints that have arrived.
	 */
	private boolean willListen() {
		boolean left = false;
		for (ServedQueue queue : this.queues) {
			left |= queue.hasLeft();
		}
		return left ? this.hints.isListening() : this.hints.isReady();
	}

	/** Claim jobs. Return whether the queue order has assigned room to any queue. */
	private boolean claim(int free, int ahead) {
		int room = free + ahead;
		for (int i = 0; i < this.queues.length; i++) {
			this.shares[i] = this.queues[i].isUnderWay() ? 0 : Math.min(room, this.queues[i].takeOwed());
			room -= this.shares[i];
		}
		if (room > 0) {
			this.order.share(room, this.worthAsking, this.shares);
		}
		int shared = 0;
		int wanted = 0;
		for (int i = 0; i < this.queues.length; i++) {
			shared += this.shares[i];
			if (this.queues[i].isUnderWay()) {
				// Giving this room to other queues would break the order of the queues.
				this.queues[i].owe(this.shares[i]);
				this.shares[i] = 0;
			}
			wanted += this.shares[i];
		}
		if (wanted > 0) {
			this.workQueue.setLow(0);
			this.claims.claim(this.shares, free);
		}
		return shared > 0;
	}

	private void tell(@Nullable String name, Consumer<ServedQueue> news) {
		this.loop.post(() -> {
			ServedQueue queue = this.claims.queue(name);
			if (queue != null) {
				news.accept(queue);
			}
		});
	}

	private void putHintsBack() {
		for (ServedQueue queue : this.queues) {
			if (queue.takeHint()) {
				this.hints.putBack(queue.name());
			}
		}
	}

	/**
	 * Return how many nanoseconds the loop may sleep if there is no news;
	 * {@link Long#MAX_VALUE} for no limit.
	 */
	private long nextLook(long now, boolean fetching) {
		long next = this.workQueue.untilLate(now);
		for (ServedQueue queue : this.queues) {
			if (queue.isUnderWay()) {
				next = Math.min(next, queue.untilLate(now));
			}
			else if (fetching) {
				next = Math.min(next, Math.max(queue.untilLook(now), this.nextTimedLook - now));
			}
		}
		return next;
	}

	private void take(ServedQueue queue, List<UnitOfWork> works) {
		if (this.claims.areClosed() || this.returning.containsKey(queue.name())) {
			giveBack(works);
		}
		else {
			this.workQueue.add(works, queue.batchSize());
		}
	}

	private void giveBackWaiting(String queue) {
		giveBack(this.workQueue.removeIf((work) -> work.token().queue().equals(queue)));
	}

	/** Give back jobs that were claimed ahead and have waited here for too long. */
	private void giveBackLate(long now) {
		if (this.workQueue.untilLate(now) < 0) {
			giveBack(this.workQueue.removeLate(now));
		}
	}

	/** Put jobs that have not begun back at the head of their queues. */
	void giveBackSoon(Collection<UnitOfWork> works) {
		this.loop.post(() -> giveBack(works));
	}

	private void giveBack(Collection<UnitOfWork> works) {
		for (UnitOfWork work : works) {
			this.settlements.hold(work);
			this.returning.computeIfAbsent(work.token().queue(), (queue) -> new ArrayList<>()).add(work);
		}
	}

	/**
	 * Release the jobs to be given back to each queue, but only after the queue's last
	 * claim has been answered, so that jobs from this claim are included. If these jobs
	 * were released later, they would be put in front of the jobs released now.
	 */
	private void releaseReturning() {
		if (!this.returning.isEmpty()) {
			for (ServedQueue queue : this.queues) {
				List<UnitOfWork> works = queue.isUnderWay() ? null : this.returning.remove(queue.name());
				if (works != null) {
					this.settlements.release(works, false);
				}
			}
		}
	}

}
