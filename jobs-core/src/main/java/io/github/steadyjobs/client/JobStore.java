package io.github.steadyjobs.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.ordered.ShardRegistry;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.NumberedCalls;
import io.github.steadyjobs.redis.PlainCommands;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.util.Assert;

/**
 * The operations of producers on jobs in Redis. A script makes each state change. Thread
 * safe.
 * <p>
 * The store works without being started. Each start of the application context gives the
 * store a new producer name. Spring starts a context again when its process is restored
 * from a snapshot, for example by CRaC. With the old name, all processes restored from
 * that snapshot would use the same numbers for different calls.
 */
public final class JobStore implements JobStorage, SmartLifecycle {

	/** Prefix of an answer that names the queue to which a job is being moved. */
	private static final String MOVING = "MOVING ";

	/** The default for the maximum number of payloads that wait for an ordered key. */
	public static final int MOST_PAYLOADS = 100_000;

	private static final int MOST_REMOVALS = 8;

	private final StoreCalls calls;

	private final PlainCommands commands;

	private final Producer producer;

	private final NumberedCalls removals;

	private final ShardRegistry shards;

	private final int mostPayloads;

	private volatile boolean running;

	/**
	 * Create a store.
	 * @param prefix the prefix of all keys
	 */
	public JobStore(RedisConnections connections, String prefix) {
		this(connections, prefix, MOST_PAYLOADS);
	}

	/**
	 * Create a store.
	 * @param prefix the prefix of all keys
	 * @param mostPayloads the maximum number of payloads that wait for the key of an
	 * ordered job, 1 or more
	 */
	public JobStore(RedisConnections connections, String prefix, int mostPayloads) {
		this(connections, prefix, mostPayloads, NumberedCalls::randomName);
	}

	JobStore(RedisConnections connections, String prefix, int mostPayloads, Supplier<String> producers) {
		Assert.isTrue(mostPayloads > 0, "'mostPayloads' must be 1 or more");
		this.mostPayloads = mostPayloads;
		this.calls = StoreCalls.of(connections, prefix);
		this.commands = this.calls.commands();
		this.producer = new Producer(connections, prefix, mostPayloads, producers);
		this.removals = new NumberedCalls(this.calls, MOST_REMOVALS, producers);
		this.shards = new ShardRegistry(connections, prefix);
	}

	/** Return the maximum number of payloads that wait for the key of an ordered job. */
	public int mostPayloads() {
		return this.mostPayloads;
	}

	/** Return the calls that remove jobs. They are renamed with this store. */
	public NumberedCalls removals() {
		return this.removals;
	}

	/**
	 * Store one job.
	 * @throws JobStoreException if Redis refused the call, is not reachable or did not
	 * answer
	 */
	public Admission enqueue(String queue, NewJob job) {
		Push push = enqueueAll(queue, List.of(job), Durability.STORED);
		Admission admission = push.admissions()[0];
		if (admission == null) {
			throw Objects.requireNonNull(push.failure());
		}
		return admission;
	}

	/**
	 * {@inheritDoc} The jobs are stored in chunks of up to 1,000 jobs and about 1 MB.
	 */
	@Override
	public Push enqueueAll(String queue, List<NewJob> jobs, Durability wanted) {
		return this.producer.enqueueAll(queue, jobs, wanted, false);
	}

	@Override
	public Push enqueueOrKeep(String queue, List<NewJob> jobs, Durability wanted) {
		return this.producer.enqueueAll(queue, jobs, wanted, true);
	}

	@Override
	public <T> Optional<T> find(String id, BiFunction<String, byte[], T> reader) {
		List<String> queues = this.calls.queues();
		List<CompletableFuture<byte @Nullable []>> answers = this.commands
			.hashValues(this.calls.keys(queues, QueuePart.PAYLOADS), id);
		long deadline = this.commands.deadline();
		JobStoreException failure = null;
		for (int i = 0; i < answers.size(); i++) {
			try {
				byte[] found = Answers.await(answers.get(i), deadline);
				if (found != null) {
					return Optional.of(reader.apply(queues.get(i), found));
				}
			}
			catch (JobStoreException ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
		return Optional.empty();
	}

	@Override
	public boolean cancel(String id, boolean interrupt) {
		List<String> queues = this.calls.queues();
		Map<String, JobStoreException> failed = new LinkedHashMap<>();
		boolean cancelled = cancel(queues.stream().filter((queue) -> !QueueRef.isPart(queue)).toList(), id, interrupt,
				failed);
		for (String shard : queues.stream().filter(QueueRef::isPart).toList()) {
			cancelled |= cancelKey(shard, id, interrupt, failed);
		}
		if (!failed.isEmpty() && !cancelled) {
			throw failed.values().iterator().next();
		}
		return cancelled;
	}

	private boolean cancelKey(String shard, String id, boolean interrupt, Map<String, JobStoreException> failed) {
		try {
			return isCancelled(
					this.removals.remove(JobScript.CANCEL, shard, (call) -> addArguments(call, id, interrupt)));
		}
		catch (JobStoreException ex) {
			failed.put(shard, ex);
			return false;
		}
	}

	/**
	 * Cancel a job in several queues, with all calls sent together.
	 * @param failed receives each queue whose call failed, with the failure
	 * @return whether one of the queues had the job
	 */
	private boolean cancel(List<String> queues, String id, boolean interrupt, Map<String, JobStoreException> failed) {
		boolean cancelled = false;
		for (List<Object> answer : this.calls
			.runAll(queues,
					(queue) -> addArguments(this.calls.to(JobScript.CANCEL, queue).add("").add(""), id, interrupt),
					failed::put)
			.values()) {
			String outcome = Answers.text(answer, 0);
			boolean moves = outcome.startsWith(MOVING);
			cancelled |= moves || isCancelled(outcome);
			if (moves) {
				cancel(List.of(outcome.substring(MOVING.length())), id, interrupt, failed);
			}
		}
		return cancelled;
	}

	private static ScriptCall addArguments(ScriptCall call, String id, boolean interrupt) {
		call.addText(id);
		return interrupt ? call.add("interrupt") : call;
	}

	private static boolean isCancelled(String outcome) {
		return outcome.equals("CANCELLED") || outcome.equals("RUNNING");
	}

	@Override
	public CompletableFuture<Boolean> isServed(String lane) {
		return this.shards.parts(lane)
			.thenCompose((parts) -> this.commands.hashLengths(this.calls.keys(parts, QueuePart.BEATS))
				.stream()
				.reduce((one, other) -> one.thenCombine(other, Math::min))
				.orElseThrow())
			.thenApply((processes) -> processes > 0);
	}

	@Override
	public void start() {
		this.producer.rename();
		this.removals.rename();
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		// Starts before any bean that enqueues jobs on start-up.
		return Integer.MIN_VALUE;
	}

}
