package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.client.PreparingJobClient;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobDefinitionException;
import io.github.steadyjobs.definition.JobRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;
import org.springframework.util.function.ThrowingConsumer;

/**
 * Handles recurring jobs while workers run in this process. This object must be notified
 * of worker events and, as a {@link JobListener}, of runs. Publishes
 * {@link RecurringTick}s. Thread safe.
 */
public final class RecurringWorker implements JobListener, WorkerEvent.Listener, SmartInitializingSingleton,
		ApplicationEventPublisherAware, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(RecurringWorker.class);

	private final RecurringJobs jobs;

	private final PreparingJobClient client;

	private final JobRegistry registry;

	private final RecurringSettings settings;

	private final Supplier<Stream<RecurringTick.Listener>> tickListeners;

	private final Supplier<Stream<JobListener>> listeners;

	private volatile ApplicationEventPublisher publisher = (event) -> {
	};

	private List<RecurringJob> declared = List.of();

	private @Nullable Ticker ticker;

	/**
	 * Create a worker. It begins to handle ticks on {@link WorkerEvent.Started}.
	 * @param tickListeners the listeners that are notified of ticks
	 * @param listeners the listeners that are notified if ticks cannot be handled because
	 * of an unexpected failure
	 */
	public RecurringWorker(RecurringJobs jobs, PreparingJobClient client, JobRegistry registry,
			RecurringSettings settings, Supplier<Stream<RecurringTick.Listener>> tickListeners,
			Supplier<Stream<JobListener>> listeners) {
		this.jobs = jobs;
		this.client = client;
		this.registry = registry;
		this.settings = settings;
		this.tickListeners = tickListeners;
		this.listeners = listeners;
	}

	@Override
	public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	/**
	 * Read the recurring jobs that annotations declare.
	 * @throws JobDefinitionException if any recurring job is invalid; the message lists
	 * all problems
	 */
	@Override
	public void afterSingletonsInstantiated() {
		this.declared = this.settings.declared(this.registry);
		if (this.settings.application().isEmpty() && !this.declared.isEmpty()) {
			logger.warn("This application has recurring jobs but no name, so other applications without a name forget "
					+ "them once all its processes are down. Set 'spring.application.name'");
		}
		List<String> meeting = this.declared.stream()
			.filter((job) -> job.missed() == Missed.RUN_ALL && job.atMost() > 1 && job.overlap() != Overlap.ALLOW)
			.map(RecurringJob::name)
			.toList();
		if (!meeting.isEmpty()) {
			logger.warn(
					"With missed = RUN_ALL, recurring jobs {} make up for missed ticks all at once, and with their "
							+ "overlap policy most of these do not run. Set overlap = ALLOW, or missed = RUN_ONCE",
					meeting);
		}
		this.jobs.onChange(this::changed);
	}

	/** Begin to handle ticks when the workers start, and end when they have stopped. */
	@Override
	public synchronized void told(WorkerEvent event) {
		if (event instanceof WorkerEvent.Started started) {
			destroy();
			Reconciler reconciler = this.jobs.reconciler();
			List<RecurringTick.Listener> all = Stream
				.concat(this.tickListeners.get(), Stream.of(this.publisher::publishEvent))
				.toList();
			TickRunner runner = new TickRunner(this.client, this.registry, reconciler.store(),
					this.settings.lateAfter(), (tick) -> call(all, (listener) -> listener.told(tick), tick),
					this::unexpected);
			this.ticker = new Ticker(started.process(), declaredSet(), reconciler, runner);
			this.ticker.doubt();
		}
		else if (event instanceof WorkerEvent.Stopped) {
			destroy();
		}
		else if (this.ticker != null) {
			this.ticker.told(event);
		}
	}

	private DeclaredSet declaredSet() {
		List<String> jobs = new ArrayList<>();
		List<String> idempotent = new ArrayList<>();
		this.registry.names().stream().sorted().forEach((name) -> {
			JobDefinition definition = this.registry.find(name);
			if (RecurringReader.unfit(definition) == null) {
				(RecurringReader.isIdempotent(definition) ? idempotent : jobs).add(name);
			}
		});
		Instant built = this.settings.built();
		return new DeclaredSet((built != null) ? built.toEpochMilli() : 0, this.settings.application(), jobs,
				idempotent, this.declared);
	}

	private void unexpected(Throwable failure) {
		call(this.listeners.get().toList(), (listener) -> listener.failed(null, failure), failure);
	}

	private static <T> void call(List<T> listeners, ThrowingConsumer<T> method, Object what) {
		listeners.forEach((listener) -> {
			try {
				method.accept(listener);
			}
			catch (Throwable ex) {
				// Errors are caught too, because later ticks must still be handled.
				logger.warn("{} failed when it was notified of {}", listener.getClass().getName(), what, ex);
			}
		});
	}

	private synchronized void changed() {
		if (this.ticker != null) {
			this.ticker.doubt();
		}
	}

	@Override
	public synchronized void destroy() {
		if (this.ticker != null) {
			this.ticker.close();
			this.ticker = null;
		}
	}

	/** Record how a run of a recurring job has ended, for display. Ignore other runs. */
	@Override
	public void ended(JobContext job, JobOutcome outcome, Duration ran) {
		String name = job.meta().get(RecurringJob.META_NAME);
		if (name != null) {
			this.jobs.reconciler().store().ended(job.queue(), name, job.id(), outcome, ran);
		}
	}

}
