package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves jobs from one queue to another. The queues may be on different nodes of a
 * cluster, so a move takes three scripts: the first parks the job in its queue, the
 * second stores it in the other queue, and the third removes it from the first queue. A
 * job that the other queue refuses goes back to where it was. If a move is interrupted,
 * {@code unpark.lua} puts the job back ten seconds later; if the other queue has taken
 * the job by then, the job may run twice. Thread safe.
 */
public final class MoveStore {

	private static final Logger logger = LoggerFactory.getLogger(MoveStore.class);

	private final StoreCalls calls;

	private final Duration timeout;

	/** The queues that refused the last job to be retried there; each is logged once. */
	private final Set<String> refusing = ConcurrentHashMap.newKeySet();

	public MoveStore(RedisConnections connections, String prefix) {
		this.calls = StoreCalls.of(connections, prefix);
		this.timeout = connections.commandTimeout();
	}

	/**
	 * Move a job.
	 * @param from the place where the job waits in its queue
	 * @param target the other queue, which must not be a queue of ordered jobs
	 * @return whether the job is now in the other queue; {@code false} if it was no
	 * longer in the given place, was already being moved, or was cancelled during the
	 * move
	 * @throws JobStoreException if the other queue refused the job, which is then back
	 * where it was; or if Redis refused the call, is not reachable or did not answer
	 */
	public boolean move(String queue, QueuePart from, String id, String target) {
		// This call comes first because a full Redis refuses it, and the job then stays
		// where it is.
		this.calls.makeKnown(target);
		List<Object> out = this.calls.run(call(JobScript.MOVE_OUT, queue, id).add(from.text()).add(target));
		return !out.isEmpty()
				&& Answers.await(carry(new Move(id, queue, target, out.subList(0, 4), (byte[]) out.get(4))),
						this.timeout.multipliedBy(3));
	}

	/**
	 * Move a job, which is already parked, to the queue in which it is to be retried.
	 * Neither blocks nor fails: if the other queue refuses the job, the job is retried in
	 * its own queue.
	 * @param way the answer of the script that parked the job
	 */
	public CompletableFuture<Void> retryElsewhere(String id, String queue, String target, List<Object> way,
			byte[] payload) {
		Move move = new Move(id, queue, target, way, payload);
		return this.calls.register(target)
			.handle((added, failure) -> (failure == null) ? carry(move) : giveBack(move, failure))
			.thenCompose(Function.identity())
			.handle((moved, failure) -> {
				if (failure == null) {
					this.refusing.remove(target);
				}
				else if (this.refusing.add(target)) {
					logger.warn(
							"Job {} of queue {} was to be retried in queue {}, which did not take it. It is retried "
									+ "where it is; the same goes for others: {}",
							id, queue, target, RedisErrors.unwrap(failure).getMessage());
				}
				return null;
			});
	}

	private CompletableFuture<Boolean> carry(Move move) {
		ScriptCall in = call(JobScript.MOVE_IN, move.target(), move.id());
		move.way().forEach((field) -> in.add((byte[]) field));
		return this.calls.send(in.add(move.payload()))
			.thenAccept((answer) -> accepted(move, Answers.text(answer, 0)))
			.handle((taken, failure) -> (failure == null) ? forget(move) : giveBack(move, failure))
			.thenCompose(Function.identity());
	}

	private static void accepted(Move move, String answer) {
		@Nullable String refusal = switch (answer) {
			case "B" -> "it has not left that queue yet";
			case "LATE" -> "that took too long, or the clocks of the nodes are more than five seconds apart";
			case "UPGRADE" -> "a newer version of Steady Jobs has changed the layout of that queue";
			default -> null;
		};
		if (refusal != null) {
			throw new JobStoreException(
					"Queue '%s' did not take job %s: %s".formatted(move.target(), move.id(), refusal));
		}
	}

	private CompletableFuture<Boolean> forget(Move move) {
		return this.calls.send(endOf(move, "moved")).thenCompose((answer) -> {
			boolean cancelled = Answers.text(answer, 0).equals("C");
			return cancelled ? this.calls.send(cancel(move)).thenApply((ended) -> false)
					: CompletableFuture.completedFuture(true);
		});
	}

	private CompletableFuture<Boolean> giveBack(Move move, Throwable failure) {
		JobStoreException refusal = RedisErrors.translate(RedisErrors.unwrap(failure));
		if (refusal.reason() == Reason.UNANSWERED) {
			// The other queue may have the job, so the job stays parked here until
			// unpark.lua puts it back.
			return CompletableFuture.failedFuture(refusal);
		}
		return this.calls.send(endOf(move, "back"))
			.handle((answer, ex) -> CompletableFuture.<Boolean>failedFuture(refusal))
			.thenCompose(Function.identity());
	}

	private ScriptCall endOf(Move move, String how) {
		return call(JobScript.MOVE_END, move.queue(), move.id()).add((byte[]) move.way().get(0)).add(how);
	}

	private ScriptCall cancel(Move move) {
		return this.calls.to(JobScript.CANCEL, move.target()).add("").add("").addText(move.id());
	}

	private ScriptCall call(JobScript script, String queue, String id) {
		return this.calls.to(script, queue).addText(id);
	}

	/**
	 * A job that is being moved to another queue.
	 *
	 * @param way four values: the start of the move, the place in the other queue, the
	 * time at which the job is due or died (empty if it is ready), and the lock of the
	 * job
	 */
	private record Move(String id, String queue, String target, List<Object> way, byte[] payload) {

	}

}
