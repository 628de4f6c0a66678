package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.RedisConnections;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;

/**
 * Starts and stops the capsules of this process along with the application context. Can
 * be started again after a stop, as happens with paused contexts. Thread safe.
 * <p>
 * The launcher stops in the phase in which the web server drains its requests. So
 * requests and jobs get the same time to end, and both can still enqueue jobs. Redis
 * connections belong to a lower phase and stop later.
 * <p>
 * When a context closes, executors refuse tasks before any lifecycle bean stops. So the
 * launcher stops taking jobs as soon as it receives the {@link ContextClosedEvent}, which
 * is published even earlier.
 */
public final class Launcher implements SmartLifecycle, ApplicationEventPublisherAware, ApplicationContextAware,
		ApplicationListener<ContextClosedEvent>, Ordered {

	/** The phase in which a web server of Spring Boot drains its requests. */
	public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 1024;

	private static final Logger logger = LoggerFactory.getLogger(Launcher.class);

	private final RedisConnections connections;

	private final String prefix;

	private final JobExecution execution;

	private final Supplier<WorkerSettings> settings;

	private final ThreadFactory threads;

	private final boolean autoStartup;

	private volatile ApplicationEventPublisher events = (event) -> {
	};

	private @Nullable ApplicationContext context;

	private volatile Runnable stopRequestListener = this::stop;

	private volatile @Nullable WorkerProcess worker;

	/**
	 * Create a launcher. Nothing is started yet.
	 * @param prefix the prefix of all keys
	 * @param execution everything needed to run a job
	 * @param settings supplies the settings at each start, because capsules may depend on
	 * jobs, which are not known until all beans exist
	 * @param threads makes the threads that run jobs
	 * @param autoStartup whether to start along with the application context
	 */
	public Launcher(RedisConnections connections, String prefix, JobExecution execution,
			Supplier<WorkerSettings> settings, ThreadFactory threads, boolean autoStartup) {
		this.connections = connections;
		this.prefix = prefix;
		this.execution = execution;
		this.settings = settings;
		this.threads = threads;
		this.autoStartup = autoStartup;
	}

	/** Set the publisher of {@link WorkerEvent worker events}. */
	@Override
	public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
		this.events = publisher;
	}

	/**
	 * Set the application context. Its {@link WorkerEvent.Listener}s are notified of
	 * worker events before the application is.
	 */
	@Override
	public void setApplicationContext(ApplicationContext context) {
		this.context = context;
	}

	/**
	 * Set the action to run when an operator asks this process to stop. The default
	 * action stops the workers. The action runs on a separate thread.
	 */
	public void onStopRequest(Runnable listener) {
		this.stopRequestListener = listener;
	}

	/**
	 * Start fetching and running jobs, if any bean of this application has a {@code @Job}
	 * method. Returns at once, whether or not Redis is reachable, unless the supplier of
	 * the settings takes time.
	 */
	@Override
	public synchronized void start() {
		if (this.execution.registry().definitions().isEmpty()) {
			logger.info("No bean has a @Job, so no workers are started: this application only enqueues");
			return;
		}
		if (this.worker == null) {
			// Create new workers at each start: drained workers cannot be started again.
			WorkerProcess started = new WorkerProcess(this.connections, this.prefix, this.execution,
					this.settings.get(), this.threads, events());
			started.onStopRequest(() -> this.stopRequestListener.run());
			this.worker = started;
			try {
				started.start();
			}
			catch (Throwable ex) {
				// For example, a thread did not start. Other threads may be running.
				stop();
				throw ex;
			}
			logger.info("Workers started: {}", String.join("; ", capsules().stream().map(Object::toString).toList()));
		}
	}

	/** Restart running workers with the current settings. Returns at once. */
	public void restart() {
		WorkerProcess outdated = this.worker;
		new Thread(() -> replace(outdated), "jobs-restart").start();
	}

	private synchronized void replace(@Nullable WorkerProcess outdated) {
		if (outdated != null && this.worker == outdated) {
			stop();
			start();
		}
	}

	private WorkerEvents events() {
		List<WorkerEvent.Listener> parts = new ArrayList<>();
		if (this.context != null) {
			this.context.getBeanProvider(WorkerEvent.Listener.class).orderedStream().forEach(parts::add);
		}
		return new WorkerEvents(parts, (event) -> this.events.publishEvent(event));
	}

	/**
	 * Take no more jobs, but let running jobs continue. Returns at once. Should be called
	 * some time before {@link #stop()}.
	 */
	public void quiet() {
		WorkerProcess current = this.worker;
		if (current != null) {
			current.quiet();
		}
	}

	/**
	 * Take no more jobs, because {@link #stop()} will be called soon. Beans that running
	 * jobs use may stop before the jobs end; a run that ends for this reason does not
	 * count as a failure. Returns at once.
	 */
	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		WorkerProcess current = this.worker;
		// A context also receives this event when one of its child contexts closes.
		if (current != null && event.getApplicationContext() == this.context) {
			current.announceStop();
		}
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	/**
	 * Take no more jobs and wait for running jobs. Jobs that do not end in time go back
	 * to their queue, or become dead if they must not run twice, and are interrupted.
	 */
	@Override
	public synchronized void stop() {
		WorkerProcess current = this.worker;
		if (current != null) {
			current.quiet();
			int running = current.capsules().stream().mapToInt(Capsule.Status::busy).sum();
			if (running > 0) {
				logger.info("Workers stop, and {} up to {} s to end",
						(running == 1) ? "1 running job gets" : running + " running jobs get",
						current.shutdownTimeout().toMillis() / 1000.0);
			}
			boolean neverWorked = current.hasNothingToLeave();
			int unfinished = current.stop();
			this.worker = null;
			if (unfinished > 0) {
				logger.warn("Workers stopped. Back at the head of their queue, because they had not ended: {}",
						unfinished);
			}
			else if (neverWorked) {
				logger.info("Workers stopped. They ran no jobs, because they never reached Redis");
			}
			else {
				logger.info("Workers stopped, all jobs that had begun have ended");
			}
		}
	}

	@Override
	public void stop(Runnable callback) {
		// Stop on a separate thread, so that beans of the same phase stop concurrently.
		Thread thread = new Thread(() -> {
			try {
				stop();
			}
			finally {
				callback.run();
			}
		}, "jobs-shutdown");
		thread.start();
	}

	@Override
	public boolean isRunning() {
		return this.worker != null;
	}

	@Override
	public boolean isAutoStartup() {
		return this.autoStartup;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * Return the status of the capsules.
	 * @return the status of each capsule; empty while this launcher is not running
	 */
	public List<Capsule.Status> capsules() {
		WorkerProcess current = this.worker;
		return (current != null) ? current.capsules() : List.of();
	}

	/**
	 * Return a dump of all threads of this process, first the threads that run jobs.
	 * @return the stack traces, at most 256 K characters
	 */
	public String threadDump() {
		WorkerProcess current = this.worker;
		return (current != null) ? current.threadDump() : ThreadDump.of(List.of());
	}

	/**
	 * Return the data losses in Redis that have been detected since the workers started.
	 * @return descriptions of the losses, by queue; usually empty
	 */
	public Map<String, String> dataLosses() {
		WorkerProcess current = this.worker;
		return (current != null) ? current.dataLosses() : Map.of();
	}

}
