package io.github.steadyjobs.server;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
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
import io.github.steadyjobs.redis.Settlement;
import io.github.steadyjobs.server.Outcome.Failure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls listeners and {@code @RetriesExhausted} methods when something has failed, on
 * threads of its own: those of Lettuce must not wait, and those that run jobs have gone
 * on by then. Thread safe.
 */
final class Hooks {

	/**
	 * Enough for listeners that wait for another system, and as many as a capsule has
	 * workers by default.
	 */
	private static final int MOST_THREADS = 10;

	private static final long IDLE_SECONDS = 10;

	private static final long PATIENCE_SECONDS = 1;

	private static final Logger logger = LoggerFactory.getLogger(Hooks.class);

	private final JobRegistry registry;

	private final List<JobListener> ofFailures;

	private final List<JobListener> ofDeaths;

	private final ExecutorService executor;

	/**
	 * Create hooks. No thread is started before there is something to call.
	 */
	Hooks(JobExecution execution, ThreadFactory threads) {
		this.registry = execution.registry();
		this.ofFailures = having("failed", execution.listeners());
		this.ofDeaths = having("died", execution.listeners());
		// What waits here is bounded by the backlogs of the capsules.
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
	 * Leave out the listeners that would do nothing, such as those of meters: without any
	 * other, no failure needs a thread.
	 */
	private static List<JobListener> having(String method, List<JobListener> listeners) {
		return listeners.stream().filter((listener) -> mayHave(listener.getClass(), method)).toList();
	}

	/**
	 * Return whether a listener may do something. Proxies override all methods. One that
	 * overrides none, such as a mock, may do something that cannot be seen here.
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
			// A class that one of its methods mentions is missing.
			return true;
		}
	}

	/**
	 * Call the hooks for a failure.
	 * @param then called when all of them have returned, on the caller's thread if there
	 * are none
	 */
	void tell(Failure failure, Runnable then) {
		List<Hook> hooks = hooksFor(failure);
		if (hooks.isEmpty()) {
			then.run();
			return;
		}
		execute(() -> {
			try {
				hooks.forEach((hook) -> guard(hook, failure.job()));
			}
			finally {
				then.run();
			}
		}, then);
	}

	/**
	 * Call the hooks for the death of another process's job, if it was carried out.
	 */
	void tellOfDeath(Outcome.Dead death, Settlement settlement) {
		if (settlement == Settlement.DONE || settlement == Settlement.ALREADY) {
			tell(death.failure(), () -> {
			});
		}
	}

	/**
	 * Call the listeners for a failure of something that is not a job.
	 */
	void failed(Throwable failure) {
		tell(new Failure(null, failure, Failure.Kind.ATTEMPT), () -> {
		});
	}

	/**
	 * Give hooks under way a little time once the worker has ended, then interrupt them.
	 */
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
			logger.warn("The worker has ended before listeners could hear of a failure");
			otherwise.run();
		}
		catch (Throwable ex) {
			// Such as the refusal of a new thread.
			logger.error("Listeners could not be called for a failure", ex);
			otherwise.run();
		}
	}

	private List<Hook> hooksFor(Failure failure) {
		List<Hook> hooks = new ArrayList<>();
		JobPayload job = failure.job();
		if (failure.kind() != Failure.Kind.CUT_SHORT) {
			this.ofFailures.forEach((listener) -> hooks
				.add(new Hook(listener.getClass().getName(), () -> listener.failed(job, failure.cause()))));
		}
		if (job != null && failure.kind() == Failure.Kind.EXHAUSTED) {
			JobDefinition definition = this.registry.find(job.name());
			if (definition != null && definition.hasRetriesExhausted()) {
				hooks.add(new Hook("The @RetriesExhausted method",
						() -> definition.retriesExhausted(job, failure.cause())));
			}
		}
		if (job != null && failure.kind() != Failure.Kind.ATTEMPT) {
			this.ofDeaths.forEach((listener) -> hooks
				.add(new Hook(listener.getClass().getName(), () -> listener.died(job, failure.cause()))));
		}
		return hooks;
	}

	private static void guard(Hook hook, @Nullable JobPayload job) {
		try {
			hook.code().call();
		}
		catch (Throwable ex) {
			// Errors too: the others must still be called.
			log(hook.name(), job, ex);
		}
	}

	private static void log(String hook, @Nullable JobPayload job, Throwable failure) {
		String what = (job != null) ? "job " + job : "a failure";
		try {
			logger.warn("{} failed when told of {}, which changes nothing for the job", hook, what, failure);
		}
		catch (Throwable ex) {
			// Loggers ask exceptions for their messages, which may throw in turn.
			logger.warn("{} failed when told of {}, with a {} that cannot be logged", hook, what,
					failure.getClass().getName());
		}
	}

	private record Hook(String name, Code code) {

	}

	private interface Code {

		void call() throws Exception;

	}

}
