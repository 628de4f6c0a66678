package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.steadyjobs.BulkEnqueueException;
import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues jobs at a steady pace, singly and in bulk. Some jobs are immediate, and some
 * are scheduled. A push that could not be sent is repeated. A push that was sent but not
 * answered is not repeated, because the job may have been stored.
 */
final class Producer {

	private static final int THREADS = 8;

	private static final int BULK = 20;

	private static final long PAUSE_MILLIS = 250;

	private final JobClient client;

	private final ChaosOptions.Load load;

	private final List<List<JobRequest>> batches = new ArrayList<>();

	private final AtomicInteger next = new AtomicInteger();

	private final Queue<Push> pushes = new ConcurrentLinkedQueue<>();

	private final Map<String, Integer> failures = new ConcurrentHashMap<>();

	private final List<Thread> threads = new ArrayList<>();

	private final int[] firsts;

	/** The updates, indexed by the numbers of the jobs. */
	private final @Nullable Update[] updates;

	private volatile @Nullable RuntimeException failure;

	Producer(JobClient client, ChaosOptions options) {
		this.client = client;
		this.load = options.load();
		this.updates = new Update[this.load.jobs()];
		Random random = new Random(this.load.seed());
		Updates source = new Updates(this.load.ordered(), this.load.hot());
		int[] starts = new int[this.load.jobs()];
		for (int first = 0; first < this.load.jobs();) {
			int size = Math.min((random.nextInt(50) == 0) ? BULK : 1, this.load.jobs() - first);
			List<JobRequest> batch = new ArrayList<>(size);
			for (int number = first; number < first + size; number++) {
				Order order = Order.draw(number, random, this.load.lengths(), options.timing().deathAfter(), source);
				this.updates[number] = order.update();
				batch.add(request(order, random));
			}
			starts[this.batches.size()] = first;
			this.batches.add(batch);
			first += size;
		}
		this.firsts = starts;
	}

	private JobRequest request(Order order, Random random) {
		JobRequest request = (order.update() != null) ? ordered(order, order.update())
				: locked(JobRequest.named(ChaosJobs.NAME, order).queue(order.queue()).retries(5), order.number(),
						random.nextInt(20));
		boolean later = random.nextInt(5) == 0;
		int delay = 1000 + random.nextInt(Math.min(19, this.load.seconds()) * 1000);
		return later ? request.after(Duration.ofMillis(delay)) : request;
	}

	/**
	 * Return a request with the settings that the ordered job declares, because the class
	 * of that job is not available to the producer.
	 */
	private static JobRequest ordered(Order order, Update update) {
		return JobRequest.named(ChaosJobs.ORDERED, order)
			.queue(order.queue())
			.key(update.key())
			.score(update.version());
	}

	/**
	 * Give some jobs a lock: either a separate lock for each, so that no job is a
	 * duplicate, or a lock that other jobs wait for.
	 */
	private static JobRequest locked(JobRequest request, int number, int drawn) {
		if (drawn < 5) {
			return request.idempotent(Idempotence.untilExecuted().runOnceMore().withScheduled().key("order " + number));
		}
		return (drawn == 5) ? request.idempotent(Idempotence.whileExecuting().key("mutex " + number % 20)) : request;
	}

	void start() {
		long start = System.nanoTime();
		for (int i = 0; i < THREADS; i++) {
			Thread thread = new Thread(() -> produce(start), "chaos-producer");
			thread.setDaemon(true);
			thread.start();
			this.threads.add(thread);
		}
	}

	/**
	 * Wait until all jobs have been enqueued.
	 * @param timeout how long to wait
	 * @return the pushes of all jobs
	 * @throws IllegalStateException if enqueueing fails, or takes longer than the timeout
	 */
	List<Push> await(Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + timeout.toNanos();
		for (Thread thread : this.threads) {
			thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
			if (thread.isAlive()) {
				throw new IllegalStateException(
						"Only %d of %d jobs were enqueued within %d s more than they should take"
							.formatted(this.pushes.size(), this.load.jobs(), timeout.toSeconds()));
			}
		}
		if (this.failure != null) {
			throw new IllegalStateException("A job could not be enqueued", this.failure);
		}
		return new ArrayList<>(this.pushes);
	}

	private void produce(long start) {
		try {
			for (int i = this.next.getAndIncrement(); i < this.batches.size(); i = this.next.getAndIncrement()) {
				long due = start + this.firsts[i] * this.load.seconds() * 1_000_000_000L / this.load.jobs();
				long wait = (due - System.nanoTime()) / 1_000_000;
				if (wait > 0) {
					Thread.sleep(wait);
				}
				push(this.firsts[i], this.batches.get(i));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException ex) {
			this.failure = ex;
		}
	}

	private void push(int first, List<JobRequest> batch) throws InterruptedException {
		long from = System.currentTimeMillis();
		if (batch.size() == 1) {
			pushOne(first, batch.get(0), from);
			return;
		}
		List<? extends @Nullable EnqueueResult> results;
		List<Outcome> outcomes = Collections.nCopies(batch.size(), Outcome.ANSWERED);
		try {
			results = this.client.enqueueAll(batch);
		}
		catch (BulkEnqueueException ex) {
			results = ex.results();
			outcomes = ex.outcomes();
			failed(ex.getCause());
		}
		for (int i = 0; i < batch.size(); i++) {
			Outcome outcome = outcomes.get(i);
			if (outcome == Outcome.ANSWERED || outcome == Outcome.DOUBTFUL) {
				note(first + i, results.get(i), from);
			}
			else {
				pushOne(first + i, batch.get(i), from);
			}
		}
	}

	private void pushOne(int number, JobRequest request, long from) throws InterruptedException {
		while (true) {
			try {
				note(number, this.client.enqueue(request), from);
				return;
			}
			catch (JobStoreException ex) {
				boolean unknown = failed(ex);
				if (unknown) {
					note(number, null, from);
				}
				// Pause, because in an outage all the following jobs would fail too.
				Thread.sleep(PAUSE_MILLIS);
				if (unknown) {
					return;
				}
			}
		}
	}

	/**
	 * Count a failure.
	 * @return whether the job may have been stored: false only if nothing was sent. Even
	 * a refused call counts, because the client may have sent it before, and the first
	 * copy may have been carried out
	 */
	private boolean failed(@Nullable Throwable failure) {
		this.failures.merge(String.valueOf(failure), 1, Integer::sum);
		return !(failure instanceof JobStoreUnavailableException);
	}

	/**
	 * Return why pushes failed, with the number of failures for each reason.
	 */
	Map<String, Integer> failures() {
		return new TreeMap<>(this.failures);
	}

	private void note(int number, @Nullable EnqueueResult result, long from) {
		this.pushes.add(new Push(number, this.updates[number], (result != null) ? result.id() : null, from,
				System.currentTimeMillis()));
	}

}
