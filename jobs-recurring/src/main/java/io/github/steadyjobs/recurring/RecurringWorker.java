package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/**
 * Handles recurring jobs while this process has running workers. Needs to receive
 * {@link WorkerEvent}s and, as a {@link JobListener}, runs. Publishes
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

	private Collection<RecurringJob> declared = List.of();

	private @Nullable Ticker ticker;

	/**
	 * Create a worker. It begins with {@link WorkerEvent.Started}.
	 * @param tickListeners are notified of ticks, before the application is
	 * @param listeners are notified of failures of recurring jobs
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
	 * Read what annotations declare.
	 * @throws JobDefinitionException if something is invalid; it lists all problems
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
			.sorted()
			.toList();
		if (!meeting.isEmpty()) {
			logger.warn(
					"With missed = RUN_ALL, recurring jobs {} make up for missed ticks all at once, and with their "
							+ "overlap policy most of these do not run. Set overlap = ALLOW, or missed = RUN_ONCE",
					meeting);
		}
		this.jobs.onChange(this::changed);
	}

	/** Return what annotations declare, except what is switched off, in no order. */
	public Collection<RecurringJob> declared() {
		return this.declared;
	}

	/** Begin, continue or end along with the workers. */
	@Override
	public synchronized void told(WorkerEvent event) {
		if (event instanceof WorkerEvent.Started started) {
			destroy();
			Reconciler reconciler = this.jobs.reconciler();
			Map<String, Boolean> jobs = recurrable();
			this.ticker = new Ticker(started.process(),
					DeclaredSet.json(this.settings.application(), jobs, this.declared), this.settings.built(),
					jobs.keySet(), reconciler,
					new TickRunner(this.client, this.registry, reconciler, this.settings.lateAfter(),
							Stream.concat(this.tickListeners.get(), Stream.of(this.publisher::publishEvent)).toList(),
							this::unexpected));
			this.ticker.doubt();
		}
		else if (event instanceof WorkerEvent.Stopped) {
			destroy();
		}
		else if (this.ticker != null) {
			if (event instanceof WorkerEvent.Beat) {
				this.ticker.beat();
			}
			else if (event instanceof WorkerEvent.Quieted || event instanceof WorkerEvent.Stopping) {
				this.ticker.leave();
			}
			else if (event instanceof WorkerEvent.DataLost) {
				this.ticker.doubt();
			}
		}
	}

	private void unexpected(Throwable failure) {
		this.listeners.get().forEach((listener) -> {
			try {
				listener.failed(null, failure);
			}
			catch (Throwable ex) {
				logger.warn("{} failed when it was notified of a failure of recurring jobs",
						listener.getClass().getName(), ex);
			}
		});
	}

	private Map<String, Boolean> recurrable() {
		Map<String, Boolean> jobs = new HashMap<>();
		this.registry.names().forEach((name) -> {
			JobDefinition definition = this.registry.find(name);
			if (RecurringReader.canRecur(definition)) {
				jobs.put(name, RecurringReader.isIdempotent(definition));
			}
		});
		return jobs;
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

	/** Record how a run has ended, for display. */
	@Override
	public void ended(JobContext job, JobOutcome outcome, Duration ran) {
		String name = job.meta().get(RecurringJob.META_NAME);
		if (name != null) {
			this.jobs.reconciler().store().ended(job.queue(), name, job.id(), outcome, ran);
		}
	}

}
