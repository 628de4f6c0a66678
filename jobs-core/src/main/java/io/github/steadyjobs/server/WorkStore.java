package io.github.steadyjobs.server;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.BlockingPop;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.MoveStore;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * The operations of workers on jobs in Redis. Each state change within a queue is a
 * single call of a script, and each call can be repeated until it is answered. Methods
 * that return futures neither block nor throw; see {@link #send}. Thread safe.
 */
final class WorkStore {

	/** The maximum number of tokens that one call settles. */
	static final int SETTLED_AT_ONCE = 500;

	/** The maximum number of jobs in one claim. */
	static final int CLAIMED_AT_ONCE = 1000;

	/** The total size of payloads, in bytes, at which a claim stops taking jobs ahead. */
	static final int MOST_BYTES_AHEAD = 1_000_000;

	/** The total size of payloads, in bytes, at which a claim takes no more jobs. */
	static final int MOST_BYTES = 16_000_000;

	/**
	 * How many due jobs a claim may make ready from each place, and how many ids it may
	 * take from the list, even if it wants fewer jobs. So due jobs do not pile up, and a
	 * claim can skip cancelled jobs in the list.
	 */
	private static final int CLAIM_BOUND = 200;

	private static final JobScript CLAIM = JobScript.of(WorkStore.class, "claim");

	private static final JobScript SETTLE = JobScript.of(WorkStore.class, "settle");

	private static final JobScript ADVANCE = JobScript.of(WorkStore.class, "advance");

	private final RedisConnections connections;

	private final String prefix;

	private final StoreCalls calls;

	private final MoveStore moves;

	private final DeadLimits dead;

	/**
	 * Create a store.
	 * @param dead how many dead jobs of a queue are kept, and for how long
	 */
	WorkStore(RedisConnections connections, String prefix, DeadLimits dead) {
		this.dead = dead;
		this.connections = connections;
		this.prefix = prefix;
		this.calls = StoreCalls.inBackground(connections, prefix);
		this.moves = new MoveStore(connections, prefix);
	}

	/**
	 * Send calls in one flush, or in one flush for each node of a cluster. Neither blocks
	 * nor throws: each answer completes, or fails with a {@link JobStoreException},
	 * independently of the others. If the connection breaks, a call is sent once more
	 * before it fails. A connection that does not answer in time is replaced.
	 */
	List<? extends CompletableFuture<List<Object>>> send(List<ScriptCall> calls) {
		return this.calls.sendAll(calls);
	}

	/**
	 * Create the call of a claim. A claim of no jobs takes back an earlier copy of the
	 * same claim: whichever copy comes first, the answer contains all jobs that the claim
	 * has got.
	 */
	ScriptCall claimCall(Claim.Request request) {
		return this.calls.to(CLAIM, request.queue())
			.add(request.process())
			.add(request.capsule())
			.add(request.number())
			.add(request.wanted())
			.add(Math.max(request.wanted(), CLAIM_BOUND))
			.add(request.mark())
			.add(request.forSuspect() ? 1 : 0)
			.add(request.atOnce())
			.add(MOST_BYTES_AHEAD)
			.add(MOST_BYTES);
	}

	/**
	 * Create the call that ends jobs that are done.
	 * @param tokens valid for {@link #settle}
	 */
	ScriptCall doneCall(List<JobToken> tokens) {
		return settleCall(tokens, Outcome.DONE.goal(this.dead));
	}

	/**
	 * End jobs, or move them, as an outcome requires.
	 * @param tokens up to {@link #SETTLED_AT_ONCE} tokens of one queue and process; only
	 * one token if the outcome applies to a single job; in the wanted order if the jobs
	 * have not begun and go back to their queue
	 * @return how each job was settled, in order. For a job that is retried in another
	 * queue, the future completes when the job has been moved
	 */
	CompletableFuture<List<Settlement>> settle(List<JobToken> tokens, Outcome outcome) {
		Goal goal = outcome.goal(this.dead);
		return this.calls.send(settleCall(tokens, goal)).thenCompose((answer) -> {
			List<Settlement> settlements = Settlement.of(answer, tokens.size());
			return (answer.size() > 1) ? goal.carry(this.moves, tokens.get(0), answer.subList(1, answer.size()))
				.thenApply((moved) -> settlements) : CompletableFuture.completedFuture(settlements);
		});
	}

	private ScriptCall settleCall(List<JobToken> tokens, Goal goal) {
		JobToken first = tokens.get(0);
		ScriptCall call = this.calls.to(SETTLE, first.queue()).add(first.process()).add(goal.name()).add(tokens.size());
		for (int i = 0; i < tokens.size();) {
			String claim = tokens.get(i).claim();
			int end = i + 1;
			while (end < tokens.size() && tokens.get(end).claim().equals(claim)) {
				end++;
			}
			call.add(claim).add(end - i);
			for (; i < end; i++) {
				call.add(tokens.get(i).id());
			}
		}
		goal.arguments().forEach(call::add);
		return call;
	}

	/**
	 * Remove the completed first payloads of a running ordered job.
	 * @param left the size of the remaining payloads including their scores, in bytes
	 * @param envelope the job to store with the remaining payloads, or {@code null} to
	 * keep the stored job
	 */
	CompletableFuture<Settlement> advance(JobToken token, int left, byte @Nullable [] envelope) {
		return this.calls
			.send(this.calls.to(ADVANCE, token.queue())
				.add(token.process())
				.add(token.id())
				.add(token.claim())
				.add(left)
				.add((envelope != null) ? envelope : new byte[0]))
			.thenApply((answer) -> Settlement.of(answer, 1).get(0));
	}

	/**
	 * Wait until a settlement is answered.
	 * @throws JobStoreException if Redis refused the call, is not reachable or did not
	 * answer
	 */
	<T> T await(CompletableFuture<T> settlement) {
		return this.calls.commands().await(settlement);
	}

	/** Create an object that waits for jobs while the queues of a capsule are empty. */
	BlockingPop blockingPop(List<String> queues) {
		return new BlockingPop(this.connections, this.prefix, queues);
	}

}
