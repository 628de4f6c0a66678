package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.redis.Claim;
import io.github.steadyjobs.redis.ClaimRequest;
import io.github.steadyjobs.redis.ClaimedJob;
import io.github.steadyjobs.redis.Exchange;
import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.WorkStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims jobs for a capsule, and repeats a claim until it is answered: the workers it was
 * made for stay reserved meanwhile. Used by one thread.
 */
final class Claimer {

	/**
	 * A connection that leaves a claim unanswered for longer is thrown away.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(Claimer.class);

	private final WorkStore store;

	private final Memberships memberships;

	private final Outage outage;

	private final Acknowledger acknowledger;

	private final String capsule;

	private final Consumer<List<UnitOfWork>> taker;

	private final Map<String, FetchedQueue> queues = new LinkedHashMap<>();

	private @Nullable JobStoreException failure;

	Claimer(WorkStore store, Memberships memberships, Outage outage, Acknowledger acknowledger, Capsule capsule,
			Consumer<List<UnitOfWork>> taker) {
		this.store = store;
		this.acknowledger = acknowledger;
		this.memberships = memberships;
		this.outage = outage;
		this.capsule = capsule.name();
		this.taker = taker;
		capsule.queueNames().forEach((queue) -> this.queues.put(queue, new FetchedQueue(queue)));
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
			if (prepare(queue, share.getValue())) {
				claimed.add(queue);
			}
			else {
				unused += share.getValue();
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

	private boolean prepare(FetchedQueue queue, int wanted) {
		if (queue.isWithdrawn() || queue.unanswered() != null || wanted == 0) {
			return false;
		}
		try {
			String process = this.memberships.nameIn(queue.name());
			if (process == null) {
				withdraw(queue);
				return false;
			}
			queue.newClaim(process, this.capsule, wanted);
			return true;
		}
		catch (JobStoreException ex) {
			this.failure = ex;
			return false;
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
			this.failure = ex;
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
			Exchange exchange = this.store.exchange(ended, requests);
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
			claim = await(answer);
			this.outage.succeeded();
		}
		catch (JobStoreException ex) {
			this.failure = ex;
			return 0;
		}
		switch (claim.status()) {
			case OK, PAUSED -> queue.answered(claim);
			case UPGRADE -> withdraw(queue);
			case FENCED, STALE -> {
				this.memberships.fenced(queue.name(), request.process());
				queue.fenced();
			}
		}
		List<UnitOfWork> works = new ArrayList<>(claim.jobs().size());
		for (ClaimedJob job : claim.jobs()) {
			JobToken token = new JobToken(queue.name(), request.process(), job.id(), request.token());
			works.add(new UnitOfWork(token, job.payload(), claim.now()));
		}
		this.taker.accept(works);
		return request.wanted() - claim.jobs().size();
	}

	private Claim await(CompletableFuture<Claim> answer) {
		try {
			return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof JobStoreException cause) ? cause
					: new JobStoreException("A claim failed", ex.getCause());
		}
		catch (TimeoutException ex) {
			this.store.reconnect();
			throw new JobStoreTimeoutException("Redis has not answered for %d s".formatted(PATIENCE.toSeconds()), ex);
		}
		catch (InterruptedException ex) {
			throw new JobStoreTimeoutException("Interrupted while claiming jobs", ex);
		}
	}

	private static void withdraw(FetchedQueue queue) {
		queue.withdraw();
		logger.error("A newer version of Steady Jobs has changed the layout of queue {}: this process takes no more "
				+ "jobs of it. Update this application", queue.name());
	}

	/**
	 * Throw what went wrong since this was called last.
	 */
	void throwFailure() {
		JobStoreException failed = this.failure;
		if (failed != null) {
			this.failure = null;
			throw failed;
		}
	}

	boolean hasFailed() {
		return this.failure != null;
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
	 * Return the queues that a time asks to look at.
	 */
	List<String> due(long now) {
		return this.queues.values()
			.stream()
			.filter((queue) -> !queue.isWithdrawn() && queue.untilLook(now) <= 0)
			.map(FetchedQueue::name)
			.toList();
	}

	/**
	 * Return the nanoseconds until a time asks for a look.
	 */
	long untilLook(long now) {
		return this.queues.values()
			.stream()
			.filter((queue) -> !queue.isWithdrawn())
			.mapToLong((queue) -> queue.untilLook(now))
			.min()
			.orElse(Long.MAX_VALUE);
	}

	private FetchedQueue queue(String name) {
		FetchedQueue queue = this.queues.get(name);
		if (queue == null) {
			throw new IllegalArgumentException("Capsule " + this.capsule + " has no queue " + name);
		}
		return queue;
	}

}
