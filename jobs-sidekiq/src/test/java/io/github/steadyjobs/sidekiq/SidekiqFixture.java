package io.github.steadyjobs.sidekiq;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.client.JobRelay;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.sidekiq.SidekiqBridge.Times;
import io.github.steadyjobs.support.TestRedis;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Both sides of a bridge: a Sidekiq namespace below the key prefix of a test, and the
 * queues of Steady Jobs with the same prefix.
 */
final class SidekiqFixture {

	static final JsonMapper MAPPER = JobJson.builder().build();

	static final PayloadCodec CODEC = new PayloadCodec(MAPPER);

	/** Sidekiq's queue 'hard' corresponds to the queue 'mail' of Steady Jobs. */
	static final Map<String, String> QUEUES = Map.of("hard", "mail");

	private final TestRedis redis;

	private final Mapping mapping;

	private final SidekiqRedis sidekiq;

	SidekiqFixture(TestRedis redis) {
		this(redis, QUEUES);
	}

	SidekiqFixture(TestRedis redis, Map<String, String> queues) {
		this.redis = redis;
		this.mapping = mapping(queues, Map.of());
		this.sidekiq = new SidekiqRedis(redis.connectionFactory(), null, redis.prefix() + ":ruby", redis.prefix());
	}

	static Mapping mapping(Map<String, String> queues, Map<String, String> jobs) {
		return Mapping.of(new SidekiqProperties(true, queues, jobs, null, null, Duration.ofSeconds(1)));
	}

	TestRedis redis() {
		return this.redis;
	}

	SidekiqRedis sidekiq() {
		return this.sidekiq;
	}

	Translation translation() {
		return new Translation(this.mapping, CODEC);
	}

	BatchMover mover() {
		return mover(Clock.systemUTC());
	}

	BatchMover mover(Clock clock) {
		return new BatchMover(translation(), new JobRelay(this.redis.connections(), this.redis.prefix()),
				this.mapping.digest(), this.sidekiq.aside(), clock);
	}

	DueJobs dueJobs() {
		return new DueJobs(this.sidekiq, translation(), this.mapping);
	}

	SidekiqBridge bridge() {
		return bridge(Duration.ofMillis(300));
	}

	SidekiqBridge bridge(Duration patience) {
		return bridge(Clock.systemUTC(), patience, (failure) -> {
		});
	}

	/**
	 * Return a bridge.
	 * @param clock determines which jobs are due
	 * @param patience the time without progress after which a bridge is declared dead
	 * @param listener receives failures
	 */
	SidekiqBridge bridge(Clock clock, Duration patience, Consumer<Throwable> listener) {
		return new SidekiqBridge(this.sidekiq, mover(), translation(), this.mapping,
				new Times(Duration.ofMillis(10), patience, clock), listener);
	}

	/**
	 * Take at most a given number of elements from the queue 'hard', like a bridge that
	 * then dies.
	 */
	Batch take(String bridge, long number, int most) {
		return this.sidekiq.exchange(bridge, number, most, List.of(),
				new SidekiqRedis.Sources(List.of("hard"), List.of(), List.of()));
	}

	/**
	 * Return the JSON that Sidekiq 6.4 writes for a job of {@code HardWorker}.
	 */
	static String json(int number) {
		return "{\"retry\":true,\"queue\":\"hard\",\"class\":\"HardWorker\",\"args\":[%d],\"jid\":\"%024x\",\"created_at\":1767225600.1234567,\"enqueued_at\":1767225600.25}"
			.formatted(number, number);
	}

	void push(int from, int to) {
		this.redis.template()
			.opsForList()
			.leftPushAll(ruby("queue:hard"), IntStream.range(from, to).mapToObj(SidekiqFixture::json).toList());
	}

	void push(String... elements) {
		this.redis.template().opsForList().leftPushAll(ruby("queue:hard"), elements);
	}

	void add(String set, String element, double score) {
		this.redis.template().opsForZSet().add(ruby(set), element, score);
	}

	/**
	 * Return a key of Sidekiq.
	 */
	String ruby(String key) {
		return this.redis.prefix() + ":ruby:" + key;
	}

	/**
	 * Return the data of Sidekiq and of the bridges, by the last part of each key.
	 */
	Map<String, Object> rubyContents() {
		return this.redis.contents()
			.entrySet()
			.stream()
			.filter((entry) -> !entry.getKey().contains("{"))
			.filter((entry) -> !entry.getKey().equals(this.redis.prefix() + ":queues"))
			.collect(Collectors.toMap((entry) -> entry.getKey().substring(this.redis.prefix().length() + 1),
					Map.Entry::getValue, (one, other) -> one, TreeMap::new));
	}

	/**
	 * Return the jobs of a queue of Steady Jobs, by id.
	 */
	Map<String, JobPayload> jobs(String queue) {
		return this.redis.template()
			.<String, String>opsForHash()
			.entries(this.redis.key(queue, "payloads"))
			.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey,
					(entry) -> JobPayload.read(MAPPER, entry.getValue().getBytes(StandardCharsets.UTF_8)),
					(one, other) -> one, TreeMap::new));
	}

	long countJobs(String queue) {
		return this.redis.template().opsForHash().size(this.redis.key(queue, "payloads"));
	}

	/**
	 * Check that each job, numbered from 0, has arrived exactly once.
	 */
	void assertOnceEach(String queue, int count) {
		Map<String, JobPayload> jobs = jobs(queue);
		assertThat(jobs.values().stream().map((job) -> job.meta().get("sidekiq_jid")))
			.containsExactlyInAnyOrderElementsOf(IntStream.range(0, count).mapToObj("%024x"::formatted).toList());
		assertThat(this.redis.template().opsForList().size(this.redis.key(queue, "ready"))).isEqualTo(count);
		assertThat(new JobAudit(this.redis.connections(), this.redis.prefix()).run(queue).violations()).isEmpty();
	}

}
