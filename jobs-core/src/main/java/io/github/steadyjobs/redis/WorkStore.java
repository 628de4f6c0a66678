package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.KeySpace.QueueKeys;
import org.jspecify.annotations.Nullable;

/**
 * The operations of workers on jobs in Redis: one method for each state change, and one
 * script for each method. All may be repeated until they are answered. Methods that
 * return a future neither block nor throw, see {@link #exchange}. Thread safe.
 */
public final class WorkStore {

	/** The most tokens that one call settles. */
	public static final int SETTLED_AT_ONCE = 500;

	/** The most jobs in one claim. */
	public static final int CLAIMED_AT_ONCE = 1000;

	/** The size of payloads, in bytes, at which a claim stops taking jobs ahead. */
	public static final int MOST_BYTES_AHEAD = 1_000_000;

	/** The size of payloads, in bytes, at which a claim stops taking jobs at all. */
	static final int MOST_BYTES = 16_000_000;

	/** How many due or cancelled ids a claim processes in one step. */
	private static final int CLAIM_BOUND = 200;

	private final RedisConnections connections;

	private final String prefix;

	private final StoreCalls calls;

	private final MoveStore moves;

	public WorkStore(RedisConnections connections, String prefix) {
		this.connections = connections;
		this.prefix = prefix;
		this.calls = StoreCalls.inBackground(connections, prefix);
		this.moves = new MoveStore(connections, prefix);
	}

	/**
	 * End jobs that are done and claim others, in one flush, or in one for each node of a
	 * cluster. Neither blocks nor throws: each answer completes, or fails with a
	 * {@link JobStoreException}, independently of the others. Before a call fails because
	 * its connection broke, it is sent once more. A connection that does not answer
	 * within five seconds is replaced.
	 * @param ended the tokens of ended jobs, each list as {@link #settle} takes it
	 * @param requests the claims
	 */
	public Exchange exchange(List<List<JobToken>> ended, List<Claim.Request> requests) {
		List<ScriptCall> calls = new ArrayList<>(ended.size() + requests.size());
		for (List<JobToken> tokens : ended) {
			calls.add(settleCall(tokens, Goal.DONE));
		}
		for (Claim.Request request : requests) {
			calls.add(claimCall(this.calls.keys().queue(request.queue()), request));
		}
		List<RedisCall> answers = this.calls.sendAll(calls);
		List<CompletableFuture<List<Settlement>>> settlements = new ArrayList<>(ended.size());
		for (int i = 0; i < ended.size(); i++) {
			int count = ended.get(i).size();
			settlements.add(answers.get(i).thenApply((answer) -> Settlement.of(answer, count)));
		}
		List<CompletableFuture<Claim>> claims = new ArrayList<>(requests.size());
		for (int i = 0; i < requests.size(); i++) {
			Claim.Request request = requests.get(i);
			claims.add(answers.get(ended.size() + i).thenApply((answer) -> Claim.of(request, answer)));
		}
		return new Exchange(settlements, claims);
	}

	static ScriptCall claimCall(QueueKeys queue, Claim.Request request) {
		int wanted = Math.min(request.wanted(), CLAIMED_AT_ONCE);
		return ScriptCall.of(JobScript.CLAIM, queue)
			.add(request.process())
			.add(request.capsule())
			.add(request.number())
			.add(wanted)
			.add(Math.max(wanted, CLAIM_BOUND))
			.add(request.mark())
			.add(request.forSuspect() ? 1 : 0)
			.add(Math.min(request.atOnce(), wanted))
			.add(MOST_BYTES_AHEAD)
			.add(MOST_BYTES);
	}

	/**
	 * End jobs, or move them to where they continue.
	 * @param tokens up to {@link #SETTLED_AT_ONCE} tokens of one queue and process; only
	 * one if the goal is for one job; in ascending order of ids if they go back to their
	 * queue
	 * @return how each was settled, in order; for a job that is retried in another queue,
	 * once it has moved
	 */
	public CompletableFuture<List<Settlement>> settle(List<JobToken> tokens, Goal goal) {
		RedisCall call = this.calls.send(settleCall(tokens, goal));
		return call.thenCompose((answer) -> {
			List<Settlement> settlements = Settlement.of(answer, tokens.size());
			return (answer.size() > 1)
					? this.moves.retryElsewhere(tokens.get(0), goal, answer.subList(1, answer.size()))
						.thenApply((moved) -> settlements)
					: CompletableFuture.completedFuture(settlements);
		});
	}

	private ScriptCall settleCall(List<JobToken> tokens, Goal goal) {
		JobToken first = tokens.get(0);
		ScriptCall call = this.calls.to(JobScript.SETTLE, first.queue())
			.add(first.process())
			.add(goal.name())
			.add(tokens.size());
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
	 * Drop the first payloads of a running ordered job, because they are done.
	 * @param left the size of the others with their scores, in bytes
	 * @param envelope the job to store with them, or {@code null} to keep what is stored
	 */
	public CompletableFuture<Settlement> advance(JobToken token, int left, byte @Nullable [] envelope) {
		return this.calls
			.send(this.calls.to(JobScript.ADVANCE, token.queue())
				.add(token.process())
				.add(token.id())
				.add(token.claim())
				.add(left)
				.add((envelope != null) ? envelope : new byte[0]))
			.thenApply((answer) -> Settlement.of(answer, 1).get(0));
	}

	/**
	 * Wait until a settlement is answered.
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public <T> T await(CompletableFuture<T> settlement) {
		return this.calls.commands().await(settlement);
	}

	/** Return the registry of shards. */
	public ShardRegistry shards() {
		return new ShardRegistry(this.connections, this.prefix);
	}

	/**
	 * Create the store for heartbeats and recovery.
	 * @param dead how many dead jobs heartbeats leave, and for how long
	 */
	public LivenessStore liveness(DeadLimits dead) {
		return new LivenessStore(this.connections, this.prefix, dead);
	}

	public ProcessStore processes() {
		return new ProcessStore(this.connections, this.prefix);
	}

	/** Create the wait of a capsule for jobs while its queues are empty. */
	public BlockingPop blockingPop(List<String> queues) {
		return new BlockingPop(this.connections, queues.stream().map(this.calls.keys()::queue).toList());
	}

	/**
	 * The answers to calls of one flush.
	 *
	 * @param settlements how ended jobs were settled, a list for each list given
	 * @param claims an answer for each claim
	 */
	public record Exchange(List<CompletableFuture<List<Settlement>>> settlements,
			List<CompletableFuture<Claim>> claims) {

		/** Return the answers to calls if none could be sent. */
		public static Exchange failed(int settlements, int claims, Throwable failure) {
			return new Exchange(Collections.nCopies(settlements, CompletableFuture.failedFuture(failure)),
					Collections.nCopies(claims, CompletableFuture.failedFuture(failure)));
		}

	}

	/**
	 * The limits of the dead set.
	 *
	 * @param max number of dead jobs
	 * @param age how long each is kept
	 */
	public record DeadLimits(int max, Duration age) {

	}

}
