package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Claim;
import io.github.steadyjobs.redis.ClaimRequest;
import io.github.steadyjobs.redis.ClaimedJob;
import io.github.steadyjobs.redis.DataSet;
import io.github.steadyjobs.redis.Exchange;
import io.github.steadyjobs.redis.JobToken;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims jobs for a capsule, and repeats a claim until it is answered: the workers it was
 * made for stay reserved meanwhile. Used by one thread.
 */
final class Claimer {

	private static final Logger logger = LoggerFactory.getLogger(Claimer.class);

	private final WorkerParts parts;

	private final Acknowledger acknowledger;

	private final FetchWatch watch;

	private final String capsule;

	private final Consumer<List<UnitOfWork>> taker;

	private final Map<String, FetchedQueue> queues = new LinkedHashMap<>();

	private final ClaimFailures failures;

	Claimer(WorkerParts parts, Acknowledger acknowledger, FetchWatch watch, Capsule capsule,
			Consumer<List<UnitOfWork>> taker) {
		this.parts = parts;
		this.acknowledger = acknowledger;
		this.watch = watch;
		this.capsule = capsule.name();
		this.taker = taker;
		this.failures = new ClaimFailures(parts, watch);
		capsule.queues().forEach((queue) -> this.queues.put(queue.name(), new FetchedQueue(queue)));
	}

	/**
	 * Claim jobs and hand them over.
	 * @param shares queues and the number of workers for each
	 * @return how many workers got nothing; those of a claim without answer stay reserved
	 */
	int claim(Map<String, Integer> shares) {
		int unused = 0;
		List<FetchedQueue> claimed = new ArrayList<>(shares.size());
		for (Map.Entry<String, Integer> share : shares.entrySet()) {
			FetchedQueue queue = queue(share.getKey());
			int wanted = prepare(queue, share.getValue());
			unused += share.getValue() - wanted;
			if (wanted > 0) {
				claimed.add(queue);
			}
		}
		return unused + send(claimed);
	}

	/**
	 * Repeat the claims that have no answer yet.
	 * @return how many of their workers got nothing
	 */
	int repeatUnanswered() {
		List<FetchedQueue> claimed = new ArrayList<>();
		for (FetchedQueue queue : this.queues.values()) {
			if (queue.unanswered() != null) {
				claimed.add(queue);
			}
		}
		return claimed.isEmpty() ? 0 : send(claimed);
	}

	/**
	 * Make a claim, without sending it.
	 * @return how many jobs it wants
	 */
	private int prepare(FetchedQueue queue, int share) {
		if (queue.isWithdrawn() || queue.isStopped() || queue.unanswered() != null || share == 0) {
			return 0;
		}
		try {
			String process = this.parts.memberships().nameIn(queue.name());
			if (process == null) {
				withdraw(queue);
				return 0;
			}
			// A suspect before others, or it would wait for ever where jobs never end.
			boolean forSuspect = queue.hasSuspects() && this.parts.suspects().enter();
			int wanted = forSuspect ? 1 : share;
			queue.newClaim(process, this.capsule, wanted, forSuspect);
			queue.expect(this.parts.data().seq(queue.name()));
			return wanted;
		}
		catch (JobStoreException ex) {
			this.failures.add(queue, ex);
			return 0;
		}
	}

	private int send(List<FetchedQueue> claimed) {
		if (claimed.isEmpty()) {
			return 0;
		}
		List<ClaimRequest> requests = new ArrayList<>(claimed.size());
		for (FetchedQueue queue : claimed) {
			ClaimRequest request = queue.unanswered();
			if (request != null) {
				requests.add(request);
			}
		}
		int unused = 0;
		try {
			List<CompletableFuture<Claim>> answers = exchange(requests);
			for (int i = 0; i < answers.size(); i++) {
				unused += answered(claimed.get(i), requests.get(i), answers.get(i));
			}
		}
		catch (JobStoreException ex) {
			this.failures.addUnsent(claimed, ex);
		}
		return unused;
	}

	private List<CompletableFuture<Claim>> exchange(List<ClaimRequest> requests) {
		List<Acknowledger.Batch> batches = this.acknowledger.take();
		List<List<JobToken>> ended = new ArrayList<>(batches.size());
		for (Acknowledger.Batch batch : batches) {
			ended.add(batch.tokens());
		}
		try {
			Exchange exchange = this.parts.store().exchange(ended, requests);
			for (int i = 0; i < batches.size(); i++) {
				batches.get(i).sent(exchange.settlements().get(i));
			}
			return exchange.claims();
		}
		catch (JobStoreException ex) {
			batches.forEach((batch) -> batch.notSent(ex));
			throw ex;
		}
	}

	private int answered(FetchedQueue queue, ClaimRequest request, CompletableFuture<Claim> answer) {
		Claim claim;
		try {
			claim = Waits.on(answer);
		}
		catch (JobStoreException ex) {
			return this.failures.add(queue, ex) ? nothing(request) : 0;
		}
		this.parts.outage().succeeded(queue);
		this.watch.answered();
		this.parts.data().seen(queue.name(), queue.expected(), new DataSet("", claim.seq()));
		this.parts.clock().seen(queue.name(), claim.now(), queue.sentAt(), System.nanoTime());
		switch (claim.status()) {
			case OK, PAUSED -> queue.answered(claim, this.parts.suspects().isFree());
			case UPGRADE -> withdraw(queue);
			case FENCED, STALE -> {
				this.parts.memberships().fenced(queue.name(), request.process());
				queue.fenced();
			}
		}
		if (claim.jobs().isEmpty()) {
			return nothing(request);
		}
		List<UnitOfWork> works = new ArrayList<>(claim.jobs().size());
		for (ClaimedJob job : claim.jobs()) {
			JobToken token = new JobToken(queue.name(), request.process(), job.id(), request.token());
			works.add(new UnitOfWork(token, job, claim.now(), claim.seq(), queue.sentAt()));
		}
		this.taker.accept(works);
		return request.wanted() - claim.jobs().size();
	}

	private int nothing(ClaimRequest request) {
		if (request.isForSuspect()) {
			this.parts.suspects().leave();
		}
		return request.wanted();
	}

	private void withdraw(FetchedQueue queue) {
		queue.withdraw();
		this.parts.outage().succeeded(queue);
		logger.error("A newer version of Steady Jobs has changed the layout of queue {}: this process takes no more "
				+ "jobs of it. Update this application", queue.name());
	}

	/**
	 * Throw what went wrong since this was called last.
	 */
	void throwFailure() {
		this.failures.throwLast();
	}

	boolean hasFailed() {
		return this.failures.hasAny();
	}

	boolean hasUnanswered() {
		return this.queues.values().stream().anyMatch((queue) -> queue.unanswered() != null);
	}

	boolean hasMore() {
		return this.queues.values().stream().anyMatch(FetchedQueue::hasMore);
	}

	boolean hasMore(String queue) {
		return queue(queue).hasMore();
	}

	/**
	 * Return the queues of which nothing is claimed any more.
	 */
	List<String> withdrawn() {
		return this.queues.values().stream().filter(FetchedQueue::isWithdrawn).map(FetchedQueue::name).toList();
	}

	/**
	 * Return the queues that a time asks to look at.
	 */
	List<String> due(long now) {
		return this.queues.values()
			.stream()
			.filter((queue) -> queue.untilLook(now) <= 0)
			.map(FetchedQueue::name)
			.toList();
	}

	/**
	 * Return the nanoseconds until a time asks for a look.
	 */
	long untilLook(long now) {
		return this.queues.values().stream().mapToLong((queue) -> queue.untilLook(now)).min().orElse(Long.MAX_VALUE);
	}

	private FetchedQueue queue(String name) {
		FetchedQueue queue = this.queues.get(name);
		if (queue == null) {
			throw new IllegalArgumentException("Capsule " + this.capsule + " has no queue " + name);
		}
		return queue;
	}

}
