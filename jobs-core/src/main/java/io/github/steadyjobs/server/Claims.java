package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.redis.BlockingPop;
import io.github.steadyjobs.redis.RedisErrors;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.server.WorkerSettings.Liveness;
import org.jspecify.annotations.Nullable;

/**
 * Claims jobs for a capsule, and repeats each claim until it is answered, because an
 * unanswered claim may have been carried out. Each answer is handled when it arrives, so
 * a queue that does not answer does not delay the others. Never blocks. Methods may only
 * be called in the loop of the fetcher, unless their descriptions say otherwise.
 * <p>
 * While a capsule waits for hints that its queues have jobs, claims of one run each wait
 * as well: they are sent along with the wait, and Redis carries them out when the wait
 * ends. Such a claim blocks nothing. If there is another reason to claim from its queue,
 * another copy of the claim, which may ask for more jobs or for none, is sent in the
 * usual way. Both copies have the same number. So the copy that reaches Redis second gets
 * the jobs of the first copy, and no job is lost, whichever answer arrives first.
 */
final class Claims {

	/**
	 * If processes count as dead sooner than this, no claims wait for hints. A claim that
	 * waited is as old as its wait when it gets a job, and a job has to be given back if
	 * its claim is as old as the silence after which a process counts as dead.
	 */
	private static final Duration SHORTEST_DEATH = BlockingPop.BLOCK.multipliedBy(4);

	private final String capsule;

	private final boolean sentAlong;

	private final ServedQueue[] queues;

	private final WorkStore store;

	private final BlockingPop hints;

	private final Presence presence;

	private final Acknowledger acknowledger;

	private final Vitals vitals;

	private final FetchLoop loop;

	private final AtomicInteger underWay = new AtomicInteger();

	private final AtomicInteger waiting = new AtomicInteger();

	private volatile boolean closed;

	private int mostWaiting;

	private boolean withheld;

	private BiConsumer<ServedQueue, List<UnitOfWork>> taker = (queue, works) -> {
	};

	private Consumer<String> stopped = (queue) -> {
	};

	Claims(Capsule capsule, WorkStore store, Presence presence, Acknowledger acknowledger, Vitals vitals,
			FetchLoop loop) {
		this.capsule = capsule.name();
		Liveness liveness = presence.liveness();
		// The application's rules must be asked just before jobs are claimed, so if there
		// are rules, no claim may wait for hints.
		this.sentAlong = capsule.rules().equals(Capsule.Rules.NONE) && liveness.allowsEarlyClaims()
				&& liveness.deathAfter().compareTo(SHORTEST_DEATH) >= 0;
		this.queues = capsule.queues()
			.stream()
			.flatMap((queue) -> queue.names().stream().map((name) -> new ServedQueue(queue, name)))
			.toArray(ServedQueue[]::new);
		this.store = store;
		this.hints = store.blockingPop(capsule.parts());
		this.presence = presence;
		this.acknowledger = acknowledger;
		this.vitals = vitals;
		this.loop = loop;
	}

	/**
	 * Set the receivers of answers.
	 * @param taker called with a queue and one or more jobs claimed from that queue
	 * @param stopped called with the name of a queue that has turned out to be paused
	 */
	void onAnswer(BiConsumer<ServedQueue, List<UnitOfWork>> taker, Consumer<String> stopped) {
		this.taker = taker;
		this.stopped = stopped;
	}

	String capsule() {
		return this.capsule;
	}

	BlockingPop hints() {
		return this.hints;
	}

	/** Make no more claims, and wait for no more hints. Callable by any thread. */
	void close() {
		this.closed = true;
		this.hints.close();
	}

	/** Return whether {@link #close} was called. Callable by any thread. */
	boolean areClosed() {
		return this.closed;
	}

	/** Return whether jobs may be claimed. Callable by any thread. */
	boolean areAllowed() {
		return !this.closed && this.presence.isOpen();
	}

	ServedQueue[] queues() {
		return this.queues;
	}

	/** Return the queue with this name; {@code null} if the capsule does not serve it. */
	@Nullable ServedQueue queue(@Nullable String name) {
		for (ServedQueue queue : this.queues) {
			if (queue.name().equals(name)) {
				return queue;
			}
		}
		return null;
	}

	/**
	 * Return whether any claim is waiting for an answer. A claim that waits for a hint
	 * counts only if no jobs may be claimed, because it is then taken back. Callable by
	 * any thread.
	 */
	boolean areUnderWay() {
		// Checked in this order, so that a claim that stops waiting and comes under way
		// during the check is not missed.
		return (!areAllowed() && this.waiting.get() > 0) || this.underWay.get() > 0;
	}

	/** Return whether an unanswered claim may deliver a job. Callable by any thread. */
	boolean mayBring(JobToken token) {
		for (ServedQueue queue : this.queues) {
			Claim.Request request = queue.unanswered();
			if (request != null && request.brings(token)) {
				return true;
			}
		}
		return false;
	}

	/** Return how many runs to expect from claims under way, except late claims. */
	int expected(long now) {
		int expected = 0;
		for (ServedQueue queue : this.queues) {
			expected += queue.expected(now);
		}
		return expected;
	}

	/**
	 * Return whether, since the last call of this method, Redis has withheld jobs that
	 * were to be claimed ahead.
	 */
	boolean takeWithheld() {
		boolean taken = this.withheld;
		this.withheld = false;
		return taken;
	}

	/**
	 * Join the queues that this process has not joined yet or has been fenced from.
	 * @return whether a join is expected to be answered very soon, so that claiming from
	 * other queues now would break the order of the queues
	 */
	boolean join(long now) {
		boolean joining = false;
		for (ServedQueue queue : this.queues) {
			String name = this.presence.nameIn(queue.name());
			queue.setJoined(name != null);
			forgetWaiting(queue, name);
			if (queue.hasToBeJoined(now)) {
				queue.joining(now);
				this.presence.join(queue.name())
					.whenComplete((answer, failure) -> this.loop.post(() -> joined(queue, answer, failure)));
			}
			joining |= queue.isJoining(now);
		}
		return joining;
	}

	/**
	 * Claim jobs, and send acknowledgements in the same flush.
	 * @param shares how many runs to claim from each queue; 0 for a queue whose last
	 * claim is unanswered
	 * @param free the number of free workers, and so the number of runs that can begin
	 * immediately
	 */
	void claim(int[] shares, int free) {
		List<ServedQueue> claimed = new ArrayList<>(shares.length);
		int left = Math.max(0, free);
		for (int i = 0; i < shares.length; i++) {
			int atOnce = Math.min(shares[i], left);
			if (shares[i] > 0 && prepare(this.queues[i], shares[i], atOnce, false)) {
				claimed.add(this.queues[i]);
				left -= atOnce;
			}
		}
		send(claimed);
	}

	/**
	 * Wait for hints, and send claims along with the waits that begin.
	 * @param free the number of free workers. For each of them, one claim may wait
	 * @param listener called with the name of the queue that a hint names, if no claim
	 * was waiting for that hint
	 */
	void listen(int free, Consumer<@Nullable String> listener) {
		this.mostWaiting = this.sentAlong ? free : 0;
		this.hints.listen(listener, this::claimAlong);
	}

	private BlockingPop.@Nullable CallAlong claimAlong(String name) {
		ServedQueue queue = queue(name);
		String process = this.presence.nameIn(name);
		if (queue == null || process == null || !queue.mayWait()) {
			return null;
		}
		forgetWaiting(queue, process);
		if (!queue.isWaiting() && !countWaiting()) {
			return null;
		}
		queue.newWaitingClaim(process, this.capsule, this.vitals.seq(name));
		return new ClaimAlong(queue, Objects.requireNonNull(queue.unanswered()));
	}

	private boolean countWaiting() {
		if (this.waiting.get() >= this.mostWaiting) {
			return false;
		}
		// Check only after the claim has been counted, as in prepare.
		this.waiting.incrementAndGet();
		if (!areAllowed()) {
			this.waiting.decrementAndGet();
			return false;
		}
		return true;
	}

	/**
	 * Take back claims that wait, because there is no room for their jobs or because no
	 * jobs may be claimed. If such a claim has already got a job, the job comes with the
	 * answer.
	 * @param except how many of these claims may go on waiting
	 */
	void takeBack(int except) {
		if (this.waiting.get() > except) {
			List<ServedQueue> taken = new ArrayList<>();
			// Begin with the last queue, because in some orders the first queue is the
			// most important.
			for (int i = this.queues.length - 1; i >= 0 && this.waiting.get() > except; i--) {
				if (this.queues[i].isWaiting()) {
					sendNow(this.queues[i], 0);
					taken.add(this.queues[i]);
				}
			}
			send(taken);
		}
	}

	/** Make a copy of a claim that waits, to be sent like any other claim. */
	private void sendNow(ServedQueue queue, int share) {
		Claim.Request request = Objects.requireNonNull(queue.unanswered());
		this.underWay.incrementAndGet();
		this.waiting.decrementAndGet();
		queue.newClaim(request.process(), this.capsule, share, share, false, queue.expectedSeq());
	}

	/** Forget a claim that waits under a name that the queue no longer accepts. */
	private void forgetWaiting(ServedQueue queue, @Nullable String process) {
		if (queue.isWaiting() && !Objects.requireNonNull(queue.unanswered()).process().equals(process)) {
			queue.forget();
			this.waiting.decrementAndGet();
		}
	}

	/**
	 * Claim a suspect (a job that may have killed processes) from a queue, even while no
	 * other jobs may be claimed.
	 * @return whether a claim was sent
	 */
	boolean claimSuspect(String name) {
		ServedQueue queue = queue(name);
		if (queue == null || queue.isUnderWay() || queue.isWaiting() || !prepare(queue, 1, 1, true)) {
			return false;
		}
		send(List.of(queue));
		return true;
	}

	private boolean prepare(ServedQueue queue, int share, int atOnce, boolean forSuspect) {
		String process = this.presence.nameIn(queue.name());
		if (process == null) {
			// The process was fenced after the queue was selected.
			return false;
		}
		// Check only after the claim has been counted: a thread that forbids claims then
		// either prevents this claim or sees that the claim is under way.
		this.underWay.incrementAndGet();
		if (!forSuspect && !areAllowed()) {
			this.underWay.decrementAndGet();
			return false;
		}
		forgetWaiting(queue, process);
		if (queue.isWaiting()) {
			this.waiting.decrementAndGet();
		}
		queue.newClaim(process, this.capsule, Math.min(share, WorkStore.CLAIMED_AT_ONCE / queue.batchSize()), atOnce,
				forSuspect, this.vitals.seq(queue.name()));
		return true;
	}

	private void joined(ServedQueue queue, @Nullable Beat answer, @Nullable Throwable failure) {
		queue.joinAnswered();
		if (failure != null) {
			this.vitals.failed(queue.name(), failure);
			this.loop.postLater(() -> {
			});
		}
		else if (answer == null || answer.status() != Claim.Status.OK) {
			withdraw(queue);
		}
	}

	/**
	 * Send claims. If a hint for the only claim has just arrived, the connection of the
	 * hint is used. Otherwise, acknowledgements are sent along with the claims.
	 */
	private void send(List<ServedQueue> claimed) {
		CompletableFuture<List<Object>> quick = (claimed.size() == 1) ? claimAtHint(claimed.get(0)) : null;
		if (quick != null) {
			await(claimed.get(0), quick);
		}
		else if (!claimed.isEmpty()) {
			List<Acknowledger.Batch> batches = this.acknowledger.take();
			List<? extends CompletableFuture<List<Object>>> answers = send(batches, claimed);
			for (int i = 0; i < batches.size(); i++) {
				batches.get(i).sent(answers.get(i));
			}
			for (int i = 0; i < claimed.size(); i++) {
				await(claimed.get(i), answers.get(batches.size() + i));
			}
		}
	}

	private @Nullable CompletableFuture<List<Object>> claimAtHint(ServedQueue queue) {
		try {
			return this.hints.follow(queue.name(), () -> claimCall(queue));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private List<? extends CompletableFuture<List<Object>>> send(List<Acknowledger.Batch> batches,
			List<ServedQueue> claimed) {
		try {
			List<ScriptCall> calls = new ArrayList<>(batches.size() + claimed.size());
			for (Acknowledger.Batch batch : batches) {
				calls.add(this.store.doneCall(batch.tokens()));
			}
			for (ServedQueue queue : claimed) {
				calls.add(claimCall(queue));
			}
			return this.store.send(calls);
		}
		catch (Throwable ex) {
			// For example, memory may be exhausted. The claim must be repeated; otherwise
			// it would never be answered.
			return Collections.nCopies(batches.size() + claimed.size(), CompletableFuture.failedFuture(ex));
		}
	}

	private ScriptCall claimCall(ServedQueue queue) {
		return this.store.claimCall(Objects.requireNonNull(queue.unanswered()));
	}

	private void await(ServedQueue queue, CompletableFuture<List<Object>> answer) {
		Claim.Request request = Objects.requireNonNull(queue.unanswered());
		int copy = queue.copies();
		answer.thenApply((found) -> Claim.of(request, found))
			.whenComplete((claim, failure) -> this.loop.post(() -> completed(queue, request, copy, claim, failure)));
	}

	/**
	 * Handle the end of a copy.
	 * @return whether it was a copy of the current claim. Otherwise, another copy of its
	 * claim has been answered
	 */
	private boolean completed(ServedQueue queue, Claim.Request request, int copy, @Nullable Claim claim,
			@Nullable Throwable failure) {
		Claim.Request current = queue.unanswered();
		if (current == null || current.number() != request.number()) {
			return false;
		}
		if (claim != null) {
			AtomicInteger counter = queue.isWaiting() ? this.waiting : this.underWay;
			try {
				answered(queue, request, claim);
			}
			finally {
				counter.decrementAndGet();
			}
		}
		else if (failure != null && copy == queue.copies()) {
			failed(queue, current, RedisErrors.unwrap(failure));
		}
		return true;
	}

	private void answered(ServedQueue queue, Claim.Request request, Claim claim) {
		try {
			// Hand over the jobs before the claim counts as answered. Otherwise the jobs
			// would be missed by a check between the two steps.
			if (!claim.jobs().isEmpty()) {
				this.taker.accept(queue, works(queue, claim.jobs()));
			}
		}
		finally {
			take(queue, request, claim);
		}
	}

	private void take(ServedQueue queue, Claim.Request request, Claim claim) {
		this.vitals.answered(queue, claim);
		switch (claim.status()) {
			case OK -> this.withheld |= queue.answered(claim);
			case PAUSED -> {
				queue.answered(claim);
				this.stopped.accept(queue.name());
			}
			case UPGRADE -> withdraw(queue);
			case FENCED, STALE -> {
				this.presence.fenced(queue.name(), request.process());
				queue.fenced();
			}
		}
	}

	private static List<UnitOfWork> works(ServedQueue queue, List<ClaimedJob> jobs) {
		List<UnitOfWork> works = new ArrayList<>(jobs.size());
		long now = System.nanoTime();
		for (ClaimedJob job : jobs) {
			works.add(new UnitOfWork(job, queue.firstSentAt(), now));
		}
		return works;
	}

	private void failed(ServedQueue queue, Claim.Request request, Throwable failure) {
		if (queue.copies() <= 1 && failure instanceof JobStoreException known && known.reason() == Reason.DAMAGED) {
			damaged(queue, failure);
			return;
		}
		if (queue.isWaiting()) {
			// The wait may have failed only because of its connection.
			sendNow(queue, areAllowed() ? 1 : 0);
			send(List.of(queue));
			return;
		}
		// This claim, or an earlier copy, may have been carried out.
		this.vitals.failed(queue.name(), failure);
		queue.late();
		this.loop.postLater(() -> repeat(queue, request));
	}

	/**
	 * Give up a claim. A copy that was sent along with a wait is refused too, unless the
	 * queue is damaged or repaired in between. If that copy gets a job, {@link StrayJobs}
	 * puts the job back.
	 */
	private void damaged(ServedQueue queue, Throwable failure) {
		AtomicInteger counter = queue.isWaiting() ? this.waiting : this.underWay;
		queue.forget();
		counter.decrementAndGet();
		if (queue.stop()) {
			this.vitals.damaged(queue.name(), failure);
		}
	}

	private void repeat(ServedQueue queue, Claim.Request request) {
		if (queue.unanswered() == request) {
			queue.repeat();
			send(List.of(queue));
		}
	}

	private void withdraw(ServedQueue queue) {
		queue.withdraw();
		// Leave the queue's hints to other processes, which may be able to use them.
		this.hints.leaveOut(queue.name());
		this.vitals.withdrawn(queue.name());
	}

	/** A claim that is sent along with a wait for hints. */
	private final class ClaimAlong implements BlockingPop.CallAlong {

		private final ServedQueue queue;

		private final Claim.Request request;

		ClaimAlong(ServedQueue queue, Claim.Request request) {
			this.queue = queue;
			this.request = request;
		}

		@Override
		public ScriptCall call() {
			return Claims.this.store.claimCall(this.request);
		}

		@Override
		public void answered(boolean hinted, @Nullable List<Object> answer, @Nullable Throwable failure) {
			Claim claim = null;
			Throwable problem = failure;
			try {
				claim = (answer != null) ? Claim.of(this.request, answer) : null;
			}
			catch (Throwable ex) {
				problem = ex;
			}
			completed(hinted, claim, problem);
		}

		private void completed(boolean hinted, @Nullable Claim claim, @Nullable Throwable failure) {
			Claims.this.loop.post(() -> {
				boolean current = Claims.this.completed(this.queue, this.request, 0, claim, failure);
				if (hinted && (!current || (claim != null && claim.rest().ready() > 0))) {
					// No claim has used this hint for all jobs that it may stand for: the
					// claim was answered through another copy before, or repeats an
					// answer.
					this.queue.hint();
				}
			});
		}

	}

}
