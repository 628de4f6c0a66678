package io.github.steadyjobs.server;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.gate.Gate;
import io.github.steadyjobs.ordered.ShardAssignment;
import io.github.steadyjobs.ordered.ShardRegistry;
import io.github.steadyjobs.ordered.ShardSplitter;
import io.github.steadyjobs.pause.PauseGate;
import io.github.steadyjobs.pause.PauseGate.Limit;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.server.WorkerSettings.Failures;
import io.github.steadyjobs.server.WorkerSettings.Liveness;
import io.github.steadyjobs.server.WorkerSettings.Oversight;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The workers and the client of an application that has {@link TestJobs}. By default,
 * heartbeats are 50 ms apart, and a failed job is due again after a millisecond.
 */
public final class WorkerFixture implements AutoCloseable {

	private static final List<String> JOB_KEYS = List.of("ready", "payloads", "scheduled", "retries", "dead", "parked",
			"working", "cancelled", "since", "suspects", "crashes");

	public static final JsonMapper JSON = JobJson.builder().build();

	private final TestRedis redis;

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final JobClient client;

	private final Launcher launcher;

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final List<WorkerEvent> events = new CopyOnWriteArrayList<>();

	private WorkerFixture(Builder builder) {
		this.redis = builder.redis;
		builder.beans.forEach(this::register);
		this.context.registerBean(JobRegistry.class,
				() -> new JobRegistry(this.context.getBeanFactory(), Map.of(), IdempotenceDefaults.STANDARD, JSON));
		this.context.refresh();
		JobRegistry registry = this.context.getBean(JobRegistry.class);
		PayloadCodec codec = new PayloadCodec(builder.json);
		JobStore store = new JobStore(builder.connections, this.redis.prefix());
		this.client = JobClientFactory.create(store, codec, registry, List.of(), List.of(),
				new JobClientSettings(DataSize.ofMegabytes(1), builder.clock, Duration.ofHours(6), false,
						builder.sources, (queue) -> false, JobClientSettings.Outage.DEFAULTS));
		PauseStore pauses = new PauseStore(builder.connections, this.redis.prefix());
		Gate.Maker ofPauses = (worker) -> new PauseGate(pauses, registry, builder.breakers, worker);
		ShardAssignment shards = new ShardAssignment(new ShardRegistry(builder.connections, this.redis.prefix()),
				builder.splitter);
		this.launcher = new Launcher(
				builder.connections, this.redis.prefix(), new JobExecution(registry, codec, builder.interceptors,
						builder.sources, builder.retryDelay, builder.listeners, List.of(ofPauses)),
				() -> builder.settings(shards), this::newThread, true);
		this.launcher.setApplicationEventPublisher((event) -> {
			this.events.add((WorkerEvent) event);
			if (event instanceof WorkerEvent.Beat && !shards.isConfirmed()) {
				this.launcher.restart();
			}
			builder.eventListener.accept((WorkerEvent) event);
		});
	}

	public static Builder on(TestRedis redis) {
		return new Builder(redis);
	}

	private <T> void register(T bean) {
		@SuppressWarnings("unchecked")
		Class<T> type = (Class<T>) bean.getClass();
		this.context.registerBean(type, () -> bean);
	}

	private Thread newThread(Runnable task) {
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		this.threads.add(thread);
		return thread;
	}

	public Launcher launcher() {
		return this.launcher;
	}

	public JobClient client() {
		return this.client;
	}

	public JobRegistry registry() {
		return this.context.getBean(JobRegistry.class);
	}

	/**
	 * Return the threads that run jobs.
	 */
	public List<Thread> threads() {
		return this.threads;
	}

	/**
	 * Wait until exactly the given jobs are left in a queue, all of them dead.
	 */
	public void awaitOnlyDead(String queue, String... ids) {
		Object dead = Set.of(ids);
		await().untilAsserted(() -> {
			Map<String, Object> contents = this.redis.contents(queue);
			assertThat(contents).doesNotContainKeys("ready", "scheduled", "retries", "parked", "working", "cancelled",
					"since", "suspects", "crashes");
			assertThat(contents).extractingByKeys("dead", "payloads")
				.allSatisfy((jobs) -> assertThat(((Map<?, ?>) jobs).keySet()).isEqualTo(dead));
		});
	}

	/**
	 * Return the events of a kind that the workers have reported.
	 */
	public <T extends WorkerEvent> List<T> events(Class<T> kind) {
		return this.events.stream().filter(kind::isInstance).map(kind::cast).toList();
	}

	public WorkerFixture start() {
		this.launcher.start();
		return this;
	}

	public String enqueue(String queue, int number) {
		return this.client.enqueue(request(queue, number)).id();
	}

	public List<String> enqueueAll(String queue, int from, int to) {
		return this.client.enqueueAll(IntStream.range(from, to).mapToObj((number) -> request(queue, number)).toList())
			.stream()
			.map(EnqueueResult::id)
			.toList();
	}

	public static JobRequest request(String queue, int number) {
		return JobRequest.named(TestJobs.NAME, number).queue(queue);
	}

	/**
	 * Put a job into a queue without the client, which would not write such a payload.
	 */
	public void enqueueRaw(String queue, String id, String payload) {
		this.redis.template().opsForHash().put(this.redis.key(queue, "payloads"), id, payload);
		this.redis.template().opsForList().leftPush(this.redis.key(queue, "ready"), id);
		this.redis.template().opsForList().leftPush(this.redis.key(queue, "wake"), "1");
	}

	/**
	 * Wait until none of the given queues has any jobs left.
	 */
	public void awaitEmpty(String... queues) {
		for (String queue : queues) {
			await().untilAsserted(() -> assertThat(keysWithJobs(queue)).isEmpty());
		}
	}

	private List<String> keysWithJobs(String queue) {
		return JOB_KEYS.stream().filter((name) -> this.redis.template().hasKey(this.redis.key(queue, name))).toList();
	}

	public static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(30));
	}

	@Override
	public void close() {
		this.launcher.stop();
		this.context.close();
	}

	interface OnFailure {

		void failed(JobPayload job, Throwable failure) throws Exception;

	}

	interface OnDeath {

		void died(JobPayload job, Throwable reason) throws Exception;

	}

	/**
	 * Builds a {@link WorkerFixture}.
	 */
	public static final class Builder {

		private final TestRedis redis;

		private final List<Object> beans = new ArrayList<>();

		private final List<Capsule> capsules = new ArrayList<>();

		private final List<ServerInterceptor> interceptors = new ArrayList<>();

		private final List<JobListener> listeners = new ArrayList<>();

		private final List<ConsistencySource> sources = new ArrayList<>();

		private RetryDelay retryDelay = RetryDelay.exactly((count, job, failure) -> Duration.ofMillis(1));

		private RedisConnections connections;

		private JsonMapper json = JSON;

		private Duration shutdownTimeout = Duration.ofSeconds(20);

		private Consumer<WorkerEvent> eventListener = (event) -> {
		};

		private Duration beat = Duration.ofMillis(50);

		private Duration deathAfter = Duration.ofSeconds(30);

		private int maxCrashes = 3;

		private DeadLimits dead = new DeadLimits(10_000, Duration.ofDays(180));

		private Map<Target, Limit> breakers = Map.of();

		private Order orderOfParts = Order.LAG;

		private ShardSplitter splitter = ShardSplitter.byNode(1, 0);

		private Oversight oversight = Oversight.NONE;

		private Clock clock = Clock.systemUTC();

		private Capsule.Rules rules = Capsule.Rules.NONE;

		private Builder(TestRedis redis) {
			this.redis = redis;
			this.connections = redis.connections();
		}

		public Builder capsule(String name, int concurrency, Order order, Queue... queues) {
			this.capsules.add(new Capsule(name, concurrency, order, Duration.ofMillis(5), List.of(queues), this.rules));
			return this;
		}

		public Builder capsule(int concurrency, String... queues) {
			return capsule("default", concurrency, Order.STRICT,
					List.of(queues).stream().map((queue) -> new Queue(queue, 1)).toArray(Queue[]::new));
		}

		/**
		 * Set the fetching rules of the application for the capsules that are added
		 * afterwards.
		 */
		public Builder rules(@Nullable QueueSelector selector, FetchFilter... filters) {
			this.rules = new Capsule.Rules(selector, List.of(filters));
			return this;
		}

		/**
		 * Set the clock of the client that enqueues.
		 */
		public Builder clock(Clock clock) {
			this.clock = clock;
			return this;
		}

		public Builder oversight(Oversight oversight) {
			this.oversight = oversight;
			return this;
		}

		public Builder sharding(Order ofShards, ShardSplitter splitter) {
			this.orderOfParts = ofShards;
			this.splitter = splitter;
			return this;
		}

		public Builder breaker(Target target, int failures, Duration pause) {
			this.breakers = Map.of(target, new Limit(failures, Duration.ofMinutes(1), pause));
			return this;
		}

		public Builder jobs(TestJobs.Body body) {
			return bean(new TestJobs(body));
		}

		public Builder bean(Object bean) {
			this.beans.add(bean);
			return this;
		}

		public Builder interceptor(ServerInterceptor interceptor) {
			this.interceptors.add(interceptor);
			return this;
		}

		public Builder source(ConsistencySource source) {
			this.sources.add(source);
			return this;
		}

		public Builder listener(JobListener listener) {
			this.listeners.add(listener);
			return this;
		}

		public Builder onFailure(OnFailure listener) {
			return listener(new JobListener() {

				@Override
				public void failed(@Nullable JobPayload job, Throwable failure) throws Exception {
					listener.failed(job, failure);
				}

			});
		}

		public Builder onDeath(OnDeath listener) {
			return listener(new JobListener() {

				@Override
				public void died(JobPayload job, Throwable reason) throws Exception {
					listener.died(job, reason);
				}

			});
		}

		public Builder retryDelay(RetryDelay retryDelay) {
			this.retryDelay = retryDelay;
			return this;
		}

		public Builder connections(RedisConnections connections) {
			this.connections = connections;
			return this;
		}

		public Builder json(JsonMapper json) {
			this.json = json;
			return this;
		}

		public Builder shutdownTimeout(Duration shutdownTimeout) {
			this.shutdownTimeout = shutdownTimeout;
			return this;
		}

		public Builder onEvent(Consumer<WorkerEvent> eventListener) {
			this.eventListener = eventListener;
			return this;
		}

		/**
		 * Let nothing but wake tokens tell the workers of new jobs within the first
		 * seconds: no heartbeat tells of a job, and with a filter no claim is sent along
		 * with a wait.
		 */
		public Builder wokenByTokensOnly() {
			return beat(Duration.ofMinutes(1)).deathAfter(Duration.ofMinutes(5)).rules(null, (capsule, queue) -> true);
		}

		public Builder beat(Duration beat) {
			this.beat = beat;
			return this;
		}

		public Builder deathAfter(Duration deathAfter) {
			this.deathAfter = deathAfter;
			return this;
		}

		public Builder dead(int max, Duration age) {
			this.dead = new DeadLimits(max, age);
			return this;
		}

		private WorkerSettings settings(ShardAssignment shards) {
			return new WorkerSettings(Capsule.serving(this.capsules, shards::assign), this.shutdownTimeout,
					new Liveness(this.beat, this.deathAfter, this.maxCrashes), this.dead, new Failures(25, 2),
					this.orderOfParts, this.oversight);
		}

		/**
		 * Build without starting the workers.
		 */
		public WorkerFixture build() {
			return new WorkerFixture(this);
		}

		public WorkerFixture start() {
			return build().start();
		}

	}

}
