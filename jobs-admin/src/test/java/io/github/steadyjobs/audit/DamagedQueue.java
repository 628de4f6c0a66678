package io.github.steadyjobs.audit;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.client.Pushes;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.server.ScriptFixture.Taken;
import io.github.steadyjobs.support.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A queue that is filled through the stores and damaged by hand. Jobs are identified by
 * small numbers; a job with a larger number is newer.
 */
public final class DamagedQueue {

	private final TestRedis redis;

	private final String queue;

	private final JobStore store;

	private final ScriptFixture scripts;

	public DamagedQueue(TestRedis redis, String queue) {
		this.redis = redis;
		this.queue = queue;
		this.store = new JobStore(redis.connections(), redis.prefix());
		this.scripts = new ScriptFixture(redis, queue);
	}

	public static String id(int job) {
		return "%012x%012x".formatted(1_700_000_000_000L + job, job);
	}

	private static NewJob job(int job, Long delay) {
		return new NewJob(id(job), ("payload of " + job).getBytes(StandardCharsets.UTF_8), delay);
	}

	// Initial states

	public void enqueue(int... jobs) {
		for (int job : jobs) {
			this.store.enqueue(this.queue, job(job, null));
		}
	}

	public void enqueueMany(int jobs) {
		Pushes.failure(this.store, this.queue, IntStream.range(0, jobs).mapToObj((job) -> job(job, null)).toList());
	}

	/**
	 * Enqueue a job with a lock that lasts an hour.
	 * @return the id of the job that this job duplicates; empty if this job was stored
	 */
	public String enqueue(int job, LockKind kind, String digest) {
		NewJob plain = job(job, null);
		return this.store
			.enqueue(this.queue,
					new NewJob(plain.id(), plain.payload(), null, kind.lock(3_600_000, digest), null, null))
			.holder();
	}

	/**
	 * Enqueue a job, and let the process p1 claim it if it can run.
	 */
	public void running(int job, LockKind kind, String digest) {
		join("p1");
		enqueue(job, kind, digest);
		this.scripts.take(1);
	}

	/**
	 * Complete a job that is the only one in its claim.
	 */
	public void end(int job) {
		String token = hash("working").get(id(job));
		this.scripts.acknowledge("p1", id(job), token.substring("p1/".length()));
	}

	public void cancel(int job) {
		assertThat(this.store.cancel(id(job), false)).isTrue();
	}

	public void join(String process) {
		this.scripts.join(process);
	}

	/**
	 * Let the process p1 run these jobs, each with its own claim.
	 */
	public void working(int... jobs) {
		join("p1");
		for (int job : jobs) {
			enqueue(job);
			assertThat(this.scripts.take(1)).extracting(Taken::id).containsExactly(id(job));
		}
	}

	/**
	 * Put at least one job into each place.
	 */
	public void fillAllPlaces() {
		working(1, 2, 3, 4);
		settle("failed", 1, "failed", 3_600_000);
		settle("dead", 2, "failed", 10, 3_600_000);
		settle("parked", 3, "", "unknown:Mail.send");
		this.store.enqueue(this.queue, job(5, 3_600_000L));
		enqueue(6);
		set("payloads", id(7), "payload of a suspect");
		set("crashes", id(7), "2 1700000000000 p0");
		pushLeft("suspects", id(7));
	}

	/**
	 * Settle a job whose claim has the same number as the job.
	 */
	private void settle(String goal, int job, Object... arguments) {
		this.scripts.run(ScriptFixture.SETTLE, ScriptFixture.with("p1", ScriptFixture.with(goal, ScriptFixture.with(1,
				ScriptFixture.with("main/" + job, ScriptFixture.with(1, ScriptFixture.with(id(job), arguments)))))));
	}

	/**
	 * Claim all available jobs, and return their ids in the order of the claim.
	 */
	public List<String> claimAll() {
		join("p1");
		return this.scripts.take(1000).stream().map(Taken::id).toList();
	}

	// Damage

	public String key(String name) {
		return this.redis.key(this.queue, name);
	}

	public void delete(String name) {
		this.redis.template().delete(key(name));
	}

	public void deleteField(String name, String field) {
		this.redis.template().opsForHash().delete(key(name), field);
	}

	public void set(String name, String field, String value) {
		this.redis.template().opsForHash().put(key(name), field, value);
	}

	public void pushLeft(String name, String id) {
		this.redis.template().opsForList().leftPush(key(name), id);
	}

	public void addToSet(String name, String id) {
		this.redis.template().opsForSet().add(key(name), id);
	}

	public void score(String name, String id, double score) {
		this.redis.template().opsForZSet().add(key(name), id, score);
	}

	public void removeMember(String name, String member) {
		this.redis.template().opsForZSet().remove(key(name), member);
	}

	public void spoil(String name) {
		delete(name);
		this.redis.template().opsForValue().set(key(name), "neither hash nor list nor set");
	}

	// Stored data

	public boolean has(String name) {
		return this.redis.template().hasKey(key(name));
	}

	public Map<String, Object> contents() {
		return this.redis.contents(this.queue);
	}

	public Map<String, String> payloads() {
		return hash("payloads");
	}

	public Map<String, String> hash(String name) {
		return new TreeMap<>(this.redis.template().<String, String>opsForHash().entries(key(name)));
	}

	public List<String> workingIds() {
		return List.copyOf(hash("working").keySet());
	}

	public List<String> list(String name) {
		return this.redis.template().opsForList().range(key(name), 0, -1);
	}

	public List<String> sorted(String name) {
		return List.copyOf(this.redis.template().opsForZSet().range(key(name), 0, -1));
	}

}
