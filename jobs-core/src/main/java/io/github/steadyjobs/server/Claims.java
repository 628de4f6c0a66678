package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.redis.Claim;
import io.github.steadyjobs.redis.ClaimedJob;
import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.WorkStore;
import io.github.steadyjobs.redis.WorkStore.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * Claims jobs for a capsule, and repeats each claim until it is answered, because it may
 * have been carried out. Each answer is handled when it comes, so a queue that does not
 * answer keeps no other waiting. Never blocks. Used only in the loop of its fetcher,
 * unless a method says otherwise.
 */
final class Claims {

	private final String capsule;

	private final Map<String, ServedQueue> queues = new LinkedHashMap<>();

	private final WorkStore store;

	private final Presence presence;

	private final Acknowledger acknowledger;

	private final Vitals vitals;

	private final FetchLoop loop;

	private final AtomicInteger underWay = new AtomicInteger();

	private boolean withheld;

	private Consumer<List<UnitOfWork>> taker = (works) -> {
	};

	private Consumer<String> paused = (queue) -> {
	};

	Claims(Capsule capsule, WorkStore store, Presence presence, Acknowledger acknowledger, Vitals vitals,
			FetchLoop loop) {
		this.capsule = capsule.name();
		capsule.queues().forEach((queue) -> this.queues.put(queue.name(), new ServedQueue(queue)));
		this.store = store;
		this.presence = presence;
		this.acknowledger = acknowledger;
		this.vitals = vitals;
		this.loop = loop;
	}

	/**
	 * Set what takes answers.
	 * @param taker takes claimed jobs of one queue, at least one
	 * @param paused told the name of a queue that is paused
	 */
	void onAnswer(Consumer<List<UnitOfWork>> taker, Consumer<String> paused) {
		this.taker = taker;
		this.paused = paused;
	}

	boolean areAllowed() {
		return this.presence.isOpen();
	}

	Collection<ServedQueue> queues() {
		return this.queues.values();
	}

	private ServedQueue queue(String name) {
		ServedQueue queue = this.queues.get(name);
		if (queue == null) {
			throw new IllegalArgumentException("Capsule " + this.capsule + " has no queue " + name);
		}
		return queue;
	}

	/**
	 * Return how many claims wait for an answer. May be called by any thread.
	 */
	int underWay() {
		return this.underWay.get();
	}

	/**
	 * Return how many jobs the claims that wait for an answer may bring. Late answers are
	 * not counted.
	 */
	int expected(long now) {
		int expected = 0;
		for (ServedQueue queue : this.queues.values()) {
			expected += queue.expected(now);
		}
		return expected;
	}

	/**
	 * Return whether Redis has withheld since the last call what was to be claimed ahead.
	 */
	boolean takeWithheld() {
		boolean taken = this.withheld;
		this.withheld = false;
		return taken;
	}

	/**
	 * Join the queues that this process has not joined, or was fenced from.
	 * @return whether some will be joined at any moment: claims from other queues now
	 * would break the order of the queues
	 */
	boolean join(long now) {
		boolean joining = false;
		for (ServedQueue queue : this.queues.values()) {
			queue.setJoined(this.presence.nameIn(queue.name()) != null);
			if (queue.hasToBeJoined(now)) {
				join(queue);
			}
			joining |= queue.isJoining(now);
		}
		return joining;
	}

	/**
	 * Claim jobs, in one flush with what has to be acknowledged.
	 * @param shares joined queues without a claim under way, and how many jobs are wanted
	 * from each
	 * @param free how many workers are free, so that as many of the jobs begin at once
	 */
	void claim(Map<String, Integer> shares, int free) {
		List<ServedQueue> claimed = new ArrayList<>(shares.size());
		int left = Math.max(0, free);
		for (Map.Entry<String, Integer> share : shares.entrySet()) {
			ServedQueue queue = queue(share.getKey());
			int atOnce = Math.min(share.getValue(), left);
			if (prepare(queue, share.getValue(), atOnce, false)) {
				claimed.add(queue);
				left -= atOnce;
			}
		}
		send(claimed);
	}

	/**
	 * Claim a job that may have killed processes.
	 * @return whether a claim was sent
	 */
	boolean claimSuspect(String name) {
		ServedQueue queue = queue(name);
		boolean prepared = !queue.isUnderWay() && prepare(queue, 1, 1, true);
		if (prepared) {
			send(List.of(queue));
		}
		return prepared;
	}

	private boolean prepare(ServedQueue queue, int share, int atOnce, boolean forSuspect) {
		String process = this.presence.nameIn(queue.name());
		if (process == null) {
			// Fenced since it was found worth asking.
			return false;
		}
		// Asked after counting the claim: a thread that closes this process to claims
		// either is noticed here, or notices that a claim is under way.
		this.underWay.incrementAndGet();
		if (!forSuspect && !areAllowed()) {
			this.underWay.decrementAndGet();
			return false;
		}
		queue.newClaim(process, this.capsule, Math.min(share, WorkStore.CLAIMED_AT_ONCE), atOnce, forSuspect,
				this.vitals.seq(queue.name()));
		return true;
	}

	private void join(ServedQueue queue) {
		queue.joining(System.nanoTime());
		this.presence.join(queue.name())
			.whenComplete((joined, failure) -> this.loop.post(() -> joined(queue, joined, failure)));
	}

	private void joined(ServedQueue queue, @Nullable Boolean joined, @Nullable Throwable failure) {
		queue.joinAnswered();
		if (failure != null) {
			this.vitals.failed(queue.name(), failure);
			this.loop.postLater(() -> {
			});
		}
		else if (Boolean.TRUE.equals(joined)) {
			queue.lookNow();
		}
		else {
			withdraw(queue);
		}
	}

	private void send(List<ServedQueue> claimed) {
		if (claimed.isEmpty()) {
			return;
		}
		List<Claim.Request> requests = new ArrayList<>(claimed.size());
		for (ServedQueue queue : claimed) {
			requests.add(Objects.requireNonNull(queue.unanswered()));
		}
		List<CompletableFuture<Claim>> answers = exchange(requests);
		for (int i = 0; i < requests.size(); i++) {
			ServedQueue queue = claimed.get(i);
			Claim.Request request = requests.get(i);
			int copy = queue.copies();
			answers.get(i)
				.whenComplete(
						(claim, failure) -> this.loop.post(() -> completed(queue, request, copy, claim, failure)));
		}
	}

	/**
	 * Send claims, and along with them what has ended.
	 */
	private List<CompletableFuture<Claim>> exchange(List<Claim.Request> requests) {
		List<Acknowledger.Batch> batches = this.acknowledger.take();
		List<List<JobToken>> ended = new ArrayList<>(batches.size());
		for (Acknowledger.Batch batch : batches) {
			ended.add(batch.tokens());
		}
		WorkStore.Exchange exchange = this.store.exchange(ended, requests);
		for (int i = 0; i < batches.size(); i++) {
			batches.get(i).sent(exchange.settlements().get(i));
		}
		return exchange.claims();
	}

	private void completed(ServedQueue queue, Claim.Request request, int copy, @Nullable Claim claim,
			@Nullable Throwable failure) {
		if (queue.unanswered() != request) {
			// Another copy has been answered.
			return;
		}
		if (claim != null) {
			try {
				answered(queue, request, claim);
			}
			finally {
				this.underWay.decrementAndGet();
			}
		}
		else if (copy == queue.copies()) {
			failed(queue, request, Vitals.unwrapped(failure));
		}
	}

	private void answered(ServedQueue queue, Claim.Request request, Claim claim) {
		this.vitals.answered(queue, claim);
		switch (claim.status()) {
			case OK -> this.withheld |= queue.answered(claim);
			case PAUSED -> {
				queue.answered(claim);
				this.paused.accept(queue.name());
			}
			case UPGRADE -> withdraw(queue);
			case FENCED, STALE -> {
				this.presence.fenced(queue.name(), request.process());
				queue.fenced();
			}
		}
		if (!claim.jobs().isEmpty()) {
			this.taker.accept(works(queue, claim));
		}
	}

	private static List<UnitOfWork> works(ServedQueue queue, Claim claim) {
		List<UnitOfWork> works = new ArrayList<>(claim.jobs().size());
		long now = System.nanoTime();
		for (ClaimedJob job : claim.jobs()) {
			works.add(new UnitOfWork(job, queue.sentAt(), now));
		}
		return works;
	}

	private void failed(ServedQueue queue, Claim.Request request, Throwable failure) {
		boolean damaged = failure instanceof JobStoreException known && known.reason() == Reason.DAMAGED;
		if (damaged && queue.copies() == 1) {
			this.underWay.decrementAndGet();
			if (queue.stop()) {
				this.vitals.damaged(queue.name());
			}
			return;
		}
		// It, or an earlier copy of it, may have been carried out.
		this.vitals.failed(queue.name(), failure);
		queue.late();
		this.loop.postLater(() -> repeat(queue, request));
	}

	private void repeat(ServedQueue queue, Claim.Request request) {
		if (queue.unanswered() == request) {
			queue.repeat();
			send(List.of(queue));
		}
	}

	private void withdraw(ServedQueue queue) {
		queue.withdraw();
		this.vitals.withdrawn(queue.name());
	}

}
