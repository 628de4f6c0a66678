package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.client.PreparingJobClient;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.support.TestRedis;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * A process that handles recurring jobs but runs no jobs, so that tests can inspect the
 * jobs that it enqueues. Tests decide when it sends heartbeats.
 */
final class RecurringProcess implements AutoCloseable {

	private static final JsonMapper JSON = JobJson.builder().build();

	private final String name;

	private final List<RecurringTick> ticks = new CopyOnWriteArrayList<>();

	private final List<OperatorChange> changes = new CopyOnWriteArrayList<>();

	private final RecurringJobs jobs;

	private final RecurringWorker worker;

	private final PreparingJobClient client;

	private RecurringProcess(TestRedis redis, String name, RecurringSettings settings, Object bean,
			ClientInterceptor... interceptors) {
		this.name = name;
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("bean", bean);
		JobRegistry registry = new JobRegistry(beans, Map.of(), IdempotenceDefaults.STANDARD, JSON);
		this.client = JobClientFactory.create(new JobStore(redis.connections(), redis.prefix()), new PayloadCodec(JSON),
				registry, List.of(interceptors), List.of(), JobClientSettings.DEFAULTS);
		this.jobs = new RecurringJobs(redis.connections(), redis.prefix(), () -> this.client, registry,
				this.changes::add);
		this.worker = new RecurringWorker(this.jobs, this.client, registry, settings, Stream::of, Stream::of);
		this.worker.setApplicationEventPublisher((event) -> this.ticks.add((RecurringTick) event));
		this.worker.afterSingletonsInstantiated();
		ProcessStore processes = new ProcessStore(redis.connections(), redis.prefix());
		processes.register(name);
		processes.report(name, Map.of("pid", "1"), Duration.ofMinutes(5));
		this.worker.told(new WorkerEvent.Started(name));
	}

	static RecurringProcess start(TestRedis redis, String name, Object bean, ClientInterceptor... interceptors) {
		return start(redis, name, "app", bean, interceptors);
	}

	static RecurringProcess start(TestRedis redis, String name, String application, Object bean,
			ClientInterceptor... interceptors) {
		RecurringSettings settings = new RecurringSettings(application, null, Map.of(), (text) -> text,
				Duration.ofMinutes(1));
		return new RecurringProcess(redis, name, settings, bean, interceptors);
	}

	void beat() {
		this.worker.told(new WorkerEvent.Beat(this.name));
	}

	RecurringJobs jobs() {
		return this.jobs;
	}

	PreparingJobClient client() {
		return this.client;
	}

	RecurringWorker worker() {
		return this.worker;
	}

	List<RecurringTick> ticks() {
		return this.ticks;
	}

	List<OperatorChange> changes() {
		return this.changes;
	}

	List<Decision> decisions() {
		return this.ticks.stream().map(RecurringTick::decision).toList();
	}

	/**
	 * Store the declarations of a process that was killed a moment ago.
	 */
	static void declareAsDead(TestRedis redis, String name, RecurringJob... recurring) {
		TickStore store = new TickStore(redis.connections(), redis.prefix());
		DeclaredSet set = new DeclaredSet(0, "app", List.of("Work.run"), List.of(), List.of(recurring));
		new Reconciler(redis.connections(), redis.prefix()).change(Declarations.of(store.read("")),
				(present) -> present.declare(name, set));
	}

	@Override
	public void close() {
		this.worker.told(new WorkerEvent.Stopped(this.name, 0));
	}

}
