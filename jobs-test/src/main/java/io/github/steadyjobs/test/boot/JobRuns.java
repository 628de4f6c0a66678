package io.github.steadyjobs.test.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.client.PreparingJobClient;
import io.github.steadyjobs.client.PreparingJobClient.Prepared;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.JobIds;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.server.JobRunner;
import io.github.steadyjobs.server.JobRunner.Claimed;
import io.github.steadyjobs.server.JobRunner.Ran;
import io.github.steadyjobs.test.boot.MemoryJobs.Stored;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs jobs that are stored in memory, on the thread of the caller but outside its
 * transaction, because a worker would not take part in it either. Thread safe.
 */
final class JobRuns {

	private final JobIds ids = new JobIds();

	private final Recordings recordings;

	private final Supplier<JobRunner> runner;

	private final JobRegistry registry;

	private final PayloadCodec codec;

	private final ObjectProvider<PlatformTransactionManager> transactionManagers;

	/** Whether jobs are run as soon as they are stored. */
	private final boolean inline;

	/** Whether the thread is running jobs, so that no job runs inside another. */
	private final ThreadLocal<Boolean> running = ThreadLocal.withInitial(() -> false);

	JobRuns(Recordings recordings, Supplier<JobRunner> runner, JobRegistry registry, PayloadCodec codec,
			ObjectProvider<PlatformTransactionManager> transactionManagers, boolean inline) {
		this.recordings = recordings;
		this.runner = runner;
		this.registry = registry;
		this.codec = codec;
		this.transactionManagers = transactionManagers;
		this.inline = inline;
	}

	/**
	 * Run all jobs of the thread that were not delayed, and then throw their first
	 * failure, if any. While the thread is running a job, do nothing: whatever runs that
	 * job also runs these jobs, after it.
	 */
	void runInline() {
		if (!this.running.get()) {
			Map<Recording, Predicate<Stored>> own = Map.of(this.recordings.current(), Predicate.not(Stored::isDelayed));
			drain(own, Drain.everything()).rethrow();
		}
	}

	Drained drain(List<Recording> all, Drain what) {
		Map<Recording, Predicate<Stored>> wanted = new LinkedHashMap<>();
		all.forEach((recording) -> wanted.put(recording, wanted(recording, what)));
		return drain(wanted, what);
	}

	/**
	 * Return which jobs to run. If jobs run inline, these include jobs that the others
	 * enqueue, because nothing else would run them.
	 */
	private Predicate<Stored> wanted(Recording recording, Drain what) {
		long first = recording.memory().arrivals();
		Predicate<Stored> wanted = (job) -> what.isOf(job.queue()) && isOneOf(what.types(), job)
				&& (what.isRecursive() || job.arrival() <= first);
		return this.inline ? wanted.or(Predicate.not(Stored::isDelayed)) : wanted;
	}

	private Drained drain(Map<Recording, Predicate<Stored>> wanted, Drain what) {
		return running(() -> {
			List<RunResult> runs = new ArrayList<>();
			int before;
			do {
				before = runs.size();
				// What a job of another thread enqueues belongs to this thread, which may
				// have been drained already.
				wanted.forEach((recording, jobs) -> drain(recording, jobs, what, runs));
			}
			while (runs.size() > before);
			for (Recording recording : wanted.keySet()) {
				if (what.until() != null) {
					advanceTo(recording, what.until());
				}
			}
			return new Drained(runs);
		});
	}

	private <T> T running(Supplier<T> runs) {
		boolean outer = this.running.get();
		this.running.set(true);
		try {
			return runs.get();
		}
		finally {
			if (!outer) {
				this.running.remove();
			}
		}
	}

	private void drain(Recording recording, Predicate<Stored> wanted, Drain what, List<RunResult> runs) {
		MemoryJobs memory = recording.memory();
		Instant now = recording.clock().instant();
		long latest = ((what.until() != null && what.until().isAfter(now)) ? what.until() : now).toEpochMilli();
		int most = Objects.requireNonNullElse(what.limit(), Drain.BOUND);
		Stored next = memory.next(wanted, latest);
		while (next != null && runs.size() < most) {
			advanceTo(recording, Instant.ofEpochMilli(next.due()));
			runs.add(run(memory, next));
			// Jobs enqueued meanwhile may be due later than the start of the drain.
			latest = Math.max(latest, recording.clock().millis());
			next = memory.next(wanted, latest);
		}
		if (next != null && what.limit() == null) {
			throw new AssertionError(("%,d jobs have run, and there are more. Do jobs enqueue each other for ever, or "
					+ "retry without a delay? Stop earlier with Drain.atMost(…). The last runs:\n  %s")
				.formatted(runs.size(),
						runs.subList(runs.size() - Math.min(5, runs.size()), runs.size())
							.stream()
							.map(RunResult::toString)
							.collect(Collectors.joining("\n  "))));
		}
	}

	private static void advanceTo(Recording recording, Instant time) {
		Duration ahead = Duration.between(recording.clock().instant(), time);
		if (!ahead.isNegative()) {
			recording.advance(ahead);
		}
	}

	private boolean isOneOf(Set<Class<?>> types, Stored job) {
		if (types.isEmpty()) {
			return true;
		}
		JobDefinition definition = this.registry.find(name(job.lane(), job.payload()));
		return types.stream().anyMatch((type) -> this.registry.forArgument(type) == definition);
	}

	private String name(String queue, byte[] stored) {
		return Gathered.next(this.codec, queue, stored).name();
	}

	private RunResult run(MemoryJobs memory, Stored job) {
		Claimed claimed = memory.begin(job);
		return run(claimed, (ran) -> memory.settle(job, ran));
	}

	/**
	 * Run one job without storing it. If jobs run inline, also run the jobs that it
	 * enqueues, and throw their first failure, if any.
	 */
	RunResult run(JobRequest request, PreparingJobClient client) {
		Prepared prepared = client.prepare(request, this.ids.next(this.recordings.clock().millis()));
		if (prepared == null) {
			throw new AssertionError("A ClientInterceptor has stopped %s, so it does not run.".formatted(request));
		}
		NewJob job = prepared.job();
		boolean ordered = job.ordering() != null;
		String lock = job.lock();
		Claimed claimed = new Claimed(ordered ? QueueRef.allOf(prepared.queue()) : prepared.queue(), job.id(),
				job.payload(), lock.contains("=") ? lock.substring(lock.lastIndexOf(' ') + 1) : "", 1);
		RunResult result = running(() -> run(claimed, (ran) -> {
		}));
		if (this.inline) {
			runInline();
		}
		return result;
	}

	private RunResult run(Claimed job, Consumer<Ran> settle) {
		AtomicReference<RunResult> result = new AtomicReference<>();
		Runnable run = () -> this.runner.get().run(job, (ran) -> {
			settle.accept(ran);
			result.set(new RunResult(job.id(), name(job.queue(), job.payload()), ran.outcome(), ran.delay(),
					ran.failure(), ran.failed()));
		});
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			outsideOfTransactions(this.transactionManagers.iterator(), run);
		}
		else {
			run.run();
		}
		return Objects.requireNonNull(result.get(), "The run has no outcome");
	}

	private static void outsideOfTransactions(Iterator<PlatformTransactionManager> managers, Runnable task) {
		if (managers.hasNext()) {
			TransactionTemplate template = new TransactionTemplate(managers.next());
			template.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
			template.executeWithoutResult((status) -> outsideOfTransactions(managers, task));
		}
		else {
			task.run();
		}
	}

}
