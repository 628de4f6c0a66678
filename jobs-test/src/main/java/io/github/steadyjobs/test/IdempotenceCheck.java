package io.github.steadyjobs.test;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.NotIdempotent;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * Checks that a job is idempotent: runs it several times and compares the state after the
 * first run with the state after each later run. Immutable: each method that changes a
 * setting returns a new check.
 *
 * <pre class="code">
 * IdempotenceCheck.in(context).runs(3).check(JobRequest.of(Cleanup.class, Cleanup::perform), this.files::list);
 * </pre>
 *
 * Each run is like a run by a worker. For each run, the arguments are read again from the
 * JSON that a real request would store. The job is called through the proxy of its bean,
 * inside the application's server interceptors, on a separate thread. All runs have the
 * same {@link io.github.steadyjobs.JobContext#id() id}; the second run repeats the first
 * attempt, as after a crash, and further runs are retries. The check itself enqueues
 * nothing and needs no Redis. Client interceptors are called once, and see that the
 * request was stopped. If the job enqueues other jobs, these are actually enqueued. A
 * {@link io.github.steadyjobs.Sequential} job gets a single payload, in the form that it
 * accepts.
 * <p>
 * The check throws an {@link AssertionError} if
 * <ul>
 * <li>a later run leaves a different state from the first run, or an assertion
 * fails;</li>
 * <li>the first run throws an exception, or a later run throws one, except a
 * {@link DiscardJobException}, a {@link io.github.steadyjobs.SnoozeJobException} or one
 * that the job {@linkplain io.github.steadyjobs.Job#discards() discards};</li>
 * <li>the first run does not change the observed state, so that the test would prove
 * nothing, unless {@link #mayChangeNothing(String)} allows this;</li>
 * <li>the job is declared {@link NotIdempotent}, or is neither declared nor a sequential
 * job, or this application has no bean for it;</li>
 * <li>a bean of the context is a Mockito mock or spy, because calls to it are not
 * observed, unless {@link #replaced(Class, String)} allows this;</li>
 * <li>the test runs in a transaction, which a worker does not have.</li>
 * </ul>
 * The observed state is copied at once, so live objects may be returned. It is compared
 * value by value: arrays, collections and maps by their elements, sets in any order,
 * types of the JDK by {@code equals}, and all other objects field by field, without
 * transient fields. Proxies are refused.
 */
public final class IdempotenceCheck {

	private final ApplicationContext context;

	private final int runs;

	private final Verification verification;

	private final Set<Class<?>> replaced;

	private final boolean mayChangeNothing;

	private IdempotenceCheck(ApplicationContext context, int runs, Verification verification, Set<Class<?>> replaced,
			boolean mayChangeNothing) {
		this.context = context;
		this.runs = runs;
		this.verification = verification;
		this.replaced = replaced;
		this.mayChangeNothing = mayChangeNothing;
	}

	/**
	 * Create a check that runs the job twice.
	 * @param context the context of the application
	 * @return the check
	 */
	public static IdempotenceCheck in(ApplicationContext context) {
		Assert.notNull(context, "'context' must not be null; pass the one of the application");
		return new IdempotenceCheck(context, 2, (run) -> {
		}, Set.of(), false);
	}

	/**
	 * Set how many times the job runs.
	 * @param runs the number of runs, two or more
	 * @return a check with this number of runs
	 */
	public IdempotenceCheck runs(int runs) {
		Assert.isTrue(runs >= 2, "'runs' must be 2 or more");
		return new IdempotenceCheck(this.context, runs, this.verification, this.replaced, this.mayChangeNothing);
	}

	/**
	 * Make assertions after each run, after the built-in assertions have passed.
	 * @param verification the assertions
	 * @return a check with these assertions added
	 */
	public IdempotenceCheck afterEachRun(Verification verification) {
		Assert.notNull(verification, "'verification' must not be null; omit the call if there is none");
		return new IdempotenceCheck(this.context, this.runs, (run) -> {
			this.verification.verify(run);
			verification.verify(run);
		}, this.replaced, this.mayChangeNothing);
	}

	/**
	 * Allow mocks and spies of a collaborator that cannot be real in a test.
	 * @param type the type of the beans
	 * @param reason why the beans have to be replaced, for readers of the test
	 * @return a check that allows these mocks and spies
	 */
	public IdempotenceCheck replaced(Class<?> type, String reason) {
		Assert.hasText(reason, "'reason' must not be empty");
		Assert.notNull(type, "'type' must not be null; pass the class of the mock");
		Set<Class<?>> all = new HashSet<>(this.replaced);
		all.add(type);
		return new IdempotenceCheck(this.context, this.runs, this.verification, Set.copyOf(all), this.mayChangeNothing);
	}

	/**
	 * Allow the first run to leave the observed state unchanged.
	 * @param reason why this is correct, for readers of the test
	 * @return a check that allows an unchanged state
	 */
	public IdempotenceCheck mayChangeNothing(String reason) {
		Assert.hasText(reason, "'reason' must not be empty");
		return new IdempotenceCheck(this.context, this.runs, this.verification, this.replaced, true);
	}

	/**
	 * Run the job and compare the states.
	 * @param request the job with its arguments; its delay, if any, is ignored
	 * @param observe returns the state that the job is meant to change; called before the
	 * first run and after each run
	 * @throws AssertionError if the job is not idempotent, or the check would prove
	 * nothing
	 * @throws io.github.steadyjobs.InvalidJobException if the request would be refused
	 * @throws IllegalArgumentException if the observed state cannot be compared
	 * @throws Exception if {@code observe} or an assertion throws an exception
	 */
	public void check(JobRequest request, Callable<? extends @Nullable Object> observe) throws Exception {
		Assert.notNull(request, "'request' must not be null; make one with JobRequest.of(…) or JobRequest.named(…)");
		Assert.notNull(observe, "'observe' must not be null; return what the job changes");
		refuseTransaction();
		refuseMocks();
		TestedJob job = TestedJob.find(request, this.context);
		job.requireIdempotent();
		JobRuns jobRuns = job.runs();
		Snapshot before = Snapshot.of(observe.call());
		run(job, jobRuns, 1);
		Snapshot first = Snapshot.of(observe.call());
		if (!this.mayChangeNothing && first.equals(before)) {
			throw new AssertionError(("The first run of %s changed nothing of what is observed, so a second one "
					+ "proves nothing. Prepare what the job needs and observe what it changes; or, if this is "
					+ "right, say mayChangeNothing(\"why\").")
				.formatted(job));
		}
		this.verification.verify(1);
		for (int run = 2; run <= this.runs; run++) {
			run(job, jobRuns, run);
			compare(job, run, first, Snapshot.of(observe.call()));
			this.verification.verify(run);
		}
	}

	private void run(TestedJob job, JobRuns jobRuns, int run) {
		boolean called;
		try {
			called = jobRuns.run(run);
		}
		catch (Throwable ex) {
			if (run == 1 || !job.endsQuietlyBy(ex)) {
				throw failed(job, run, ex);
			}
			// The job has nothing left to do, or nothing to do yet.
			called = true;
		}
		if (!called) {
			throw new AssertionError(
					"Run %d of %s did not reach the job: a ServerInterceptor of the application skipped it."
						.formatted(run, job));
		}
		// Check again, because beans that are created when they are first used may be
		// mocks too.
		refuseMocks();
	}

	private AssertionError failed(TestedJob job, int run, Throwable failure) {
		return new AssertionError("Run %d of %d of %s failed: %s".formatted(run, this.runs, job, failure), failure);
	}

	private static void compare(TestedJob job, int run, Snapshot first, Snapshot later) {
		if (!later.equals(first)) {
			throw new AssertionError(
					"%s is not idempotent. After run %d the state differs from that after the first one:%n%s"
						.formatted(job, run, later.describeDifferences(first)));
		}
	}

	private static void refuseTransaction() {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new AssertionError("The test runs in a transaction, which the job would not see and a worker does "
					+ "not have. Remove @Transactional from the test, and delete what it leaves afterwards.");
		}
	}

	private void refuseMocks() {
		for (Map.Entry<String, Object> mock : Mocks.in(this.context).entrySet()) {
			if (this.replaced.stream().noneMatch((type) -> type.isInstance(mock.getValue()))) {
				throw new AssertionError(("Bean '%s' is a mock or spy (%s), so nobody observes what the job does "
						+ "with it. Use the real one or, if that is impossible, say replaced(<its type>, \"why\").")
					.formatted(mock.getKey(), mock.getValue().getClass().getName()));
			}
		}
	}

	/**
	 * Makes assertions after a run.
	 */
	@FunctionalInterface
	public interface Verification {

		/**
		 * Make the assertions.
		 * @param run the number of the run that has ended, 1 for the first
		 * @throws Exception to fail the test
		 */
		void verify(int run) throws Exception;

	}

}
