package io.github.steadyjobs.server;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.server.Outcome.Failure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls listeners and {@code @RetriesExhausted} methods when something has failed. The
 * calls are made on separate threads, because Lettuce's threads must not wait, and the
 * threads that run jobs have moved on by then. Thread safe.
 */
final class Hooks {

	/**
	 * Equal to the default number of workers in a capsule. This is enough even if
	 * listeners wait for another system.
	 */
	private static final int MOST_THREADS = 10;

	private static final long IDLE_SECONDS = 10;

	private static final long PATIENCE_SECONDS = 1;

	private static final Logger logger = LoggerFactory.getLogger(Hooks.class);

	private final JobRegistry registry;

	private final List<JobListener> ofFailures;

	private final List<JobListener> ofDeaths;

	private final ExecutorService executor;

	/** Create the hooks. No thread is started before a hook is called. */
	Hooks(JobExecution execution, ThreadFactory threads) {
		this.registry = execution.registry();
		this.ofFailures = having("failed", execution.listeners());
		this.ofDeaths = having("died", execution.listeners());
		// The queue needs no limit: a failed job counts as unsettled until its hooks have
		// returned, and capsules claim fewer jobs if many are unsettled.
		ThreadPoolExecutor pool = new ThreadPoolExecutor(MOST_THREADS, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), (task) -> {
					Thread thread = threads.newThread(task);
					thread.setName("jobs-hooks");
					thread.setDaemon(true);
					return thread;
				});
		pool.allowCoreThreadTimeOut(true);
		this.executor = pool;
	}

	/**
	 * Return the listeners that implement a method. Listeners that only record metrics do
	 * not. If no listener implements the method, no thread is needed.
	 */
	private static List<JobListener> having(String method, List<JobListener> listeners) {
		return listeners.stream().filter((listener) -> mayHave(listener.getClass(), method)).toList();
	}

	/**
	 * Return whether a listener may implement a method. Proxies override all methods. A
	 * listener that overrides no method at all, such as a mock, may still react to calls
	 * in a way that cannot be detected here.
	 */
	private static boolean mayHave(Class<?> type, String method) {
		try {
			List<String> inherited = Stream.of(type.getMethods())
				.filter((candidate) -> candidate.getDeclaringClass() == JobListener.class)
				.map(Method::getName)
				.toList();
			return !inherited.contains(method) || inherited.size() == JobListener.class.getMethods().length;
		}
		catch (LinkageError ex) {
			// A class that is used in a method signature of the listener is missing.
			return true;
		}
	}

	/**
	 * Call the hooks for the failures of a run.
	 * @param then called when all hooks have returned; called at once, on the caller's
	 * thread, if there are no hooks or they cannot be called
	 */
	void tell(List<Failure> failures, Runnable then) {
		List<Hook> hooks = of(failures);
		if (hooks.isEmpty()) {
			then.run();
			return;
		}
		execute(() -> {
			try {
				hooks.forEach(Hooks::guard);
			}
			finally {
				then.run();
			}
		}, then);
	}

	/** Call the hooks for the failures of a run on the thread of the caller. */
	void tellHere(List<Failure> failures) {
		of(failures).forEach(Hooks::guard);
	}

	private List<Hook> of(List<Failure> failures) {
		List<Hook> hooks = new ArrayList<>();
		failures.forEach((failure) -> addFailed(failure, hooks));
		addExhausted(failures.stream().filter((failure) -> failure.kind() == Failure.Kind.EXHAUSTED).toList(), hooks);
		failures.forEach((failure) -> addDied(failure, hooks));
		return hooks;
	}

	/** Call the hooks for another process's job, if Redis confirms that it is dead. */
	void tellOfDeath(Failure death, Settlement settlement) {
		if (settlement == Settlement.DONE || settlement == Settlement.ALREADY) {
			tell(List.of(death), () -> {
			});
		}
	}

	/** Call the listeners for a failure that does not belong to a job. */
	void failed(Throwable failure) {
		tell(List.of(new Failure(null, failure, Failure.Kind.ATTEMPT)), () -> {
		});
	}

	/** Wait briefly for running hooks, and then interrupt those that have not ended. */
	void stop() {
		this.executor.shutdown();
		try {
			if (!this.executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				logger.warn("Listeners that are still busy with a failure are interrupted");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.executor.shutdownNow();
		}
	}

	private void execute(Runnable task, Runnable otherwise) {
		try {
			this.executor.execute(task);
		}
		catch (RejectedExecutionException ex) {
			logger.warn("The worker ended before listeners could be notified of a failure");
			otherwise.run();
		}
		catch (Throwable ex) {
			// For example, no new thread could be started.
			logger.error("Listeners could not be called for a failure", ex);
			otherwise.run();
		}
	}

	private void addFailed(Failure failure, List<Hook> hooks) {
		if (failure.kind() != Failure.Kind.CUT_SHORT) {
			this.ofFailures.forEach((listener) -> hooks.add(new Hook(listener.getClass().getName(), failure.job(),
					() -> listener.failed(failure.job(), failure.cause()))));
		}
	}

	/** Add a hook per call. All failures of a run have the same job name and cause. */
	private void addExhausted(List<Failure> failures, List<Hook> hooks) {
		List<JobPayload> jobs = failures.stream().map(Failure::job).filter(Objects::nonNull).toList();
		JobDefinition definition = jobs.isEmpty() ? null : this.registry.find(jobs.get(0).name());
		if (definition != null) {
			Throwable cause = failures.get(0).cause();
			definition.exhaustedCalls(jobs)
				.forEach((some) -> hooks.add(new Hook("The @RetriesExhausted method", some.get(0),
						() -> definition.retriesExhausted(some, cause))));
		}
	}

	private void addDied(Failure failure, List<Hook> hooks) {
		JobPayload job = failure.job();
		if (job != null && failure.kind() != Failure.Kind.ATTEMPT) {
			this.ofDeaths.forEach((listener) -> hooks
				.add(new Hook(listener.getClass().getName(), job, () -> listener.died(job, failure.cause()))));
		}
	}

	private static void guard(Hook hook) {
		try {
			hook.code().call();
		}
		catch (Throwable ex) {
			// Errors are caught too, because the other hooks must still be called.
			log(hook.name(), hook.job(), ex);
		}
	}

	private static void log(String hook, @Nullable JobPayload job, Throwable failure) {
		String what = (job != null) ? "job " + job : "a failure";
		try {
			logger.warn("{} failed when it was notified of {}, which changes nothing for the job", hook, what, failure);
		}
		catch (Throwable ex) {
			// Loggers call methods of the exception, which may throw other exceptions.
			logger.warn("{} failed when it was notified of {}, with a {} that cannot be logged", hook, what,
					failure.getClass().getName());
		}
	}

	private record Hook(String name, @Nullable JobPayload job, Code code) {

	}

	private interface Code {

		void call() throws Exception;

	}

}
