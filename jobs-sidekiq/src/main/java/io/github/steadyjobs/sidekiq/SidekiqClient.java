package io.github.steadyjobs.sidekiq;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.redis.JobIds;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.util.Assert;

/**
 * Enqueues jobs to be run by a Ruby process, in the same way as Sidekiq's own client.
 * When a method returns, the job is stored, even if the caller's transaction has not
 * committed yet. Thread safe.
 * <p>
 * If Redis does not answer, a method throws a
 * {@link org.springframework.dao.DataAccessException}, and the job may or may not be
 * stored. Repeating the call may store the job twice, as with Sidekiq's own client.
 *
 * @since 1.0.0
 */
public final class SidekiqClient {

	private static final int CHUNK = 1000;

	private final JobIds ids = new JobIds();

	private final SidekiqRedis redis;

	private final JsonMapper mapper;

	private final Clock clock;

	SidekiqClient(SidekiqRedis redis, JsonMapper mapper, Clock clock) {
		this.redis = redis;
		this.mapper = mapper;
		this.clock = clock;
	}

	/**
	 * Enqueue a job in Sidekiq's queue {@code default}.
	 * @param className the Ruby class that performs it
	 * @param arguments the arguments of its method {@code perform}
	 * @return the job's {@code jid}
	 * @throws IllegalArgumentException if the name is empty
	 * @throws tools.jackson.core.JacksonException if an argument cannot be written as
	 * JSON
	 */
	public String enqueue(String className, @Nullable Object... arguments) {
		return enqueue(SidekiqJob.of(className, arguments));
	}

	/**
	 * Schedule a job. Sidekiq enqueues it in the queue {@code default} when it is due.
	 * @param at when the job is due, to the millisecond
	 * @param className the Ruby class that performs it
	 * @param arguments the arguments of its method {@code perform}
	 * @return the job's {@code jid}
	 * @throws IllegalArgumentException if the name is empty
	 * @throws tools.jackson.core.JacksonException if an argument cannot be written as
	 * JSON
	 */
	public String schedule(Instant at, String className, @Nullable Object... arguments) {
		return enqueue(SidekiqJob.of(className, arguments).at(at));
	}

	/**
	 * Enqueue a job.
	 * @param job the job
	 * @return its {@code jid}
	 * @throws tools.jackson.core.JacksonException if an argument cannot be written as
	 * JSON
	 */
	public String enqueue(SidekiqJob job) {
		Assert.notNull(job, "'job' must not be null; make one with SidekiqJob.of(…)");
		return enqueueAll(List.of(job)).get(0);
	}

	/**
	 * Enqueue jobs. Each call to Redis stores up to 1,000 jobs of one queue, or one
	 * scheduled job. All jobs are converted to JSON before the first call.
	 * @param jobs the jobs
	 * @return their {@code jid}s, in the same order
	 * @throws tools.jackson.core.JacksonException if an argument cannot be written as
	 * JSON; in this case, nothing is stored
	 */
	public List<String> enqueueAll(List<SidekiqJob> jobs) {
		Assert.notNull(jobs, "'jobs' must not be null; for none pass an empty list");
		long now = this.clock.millis();
		List<String> jids = new ArrayList<>(jobs.size());
		Map<String, List<byte[]>> ready = new LinkedHashMap<>();
		List<Runnable> scheduled = new ArrayList<>();
		for (SidekiqJob job : jobs) {
			String jid = this.ids.next(now);
			jids.add(jid);
			Instant at = job.at();
			if (at != null && at.toEpochMilli() > now) {
				byte[] json = write(job, jid, now, false);
				scheduled.add(() -> this.redis.schedule(json, at.toEpochMilli()));
			}
			else {
				ready.computeIfAbsent(job.queue(), (queue) -> new ArrayList<>()).add(write(job, jid, now, true));
			}
		}
		ready.forEach((queue, all) -> {
			for (int from = 0; from < all.size(); from += CHUNK) {
				this.redis.push(queue, all.subList(from, Math.min(from + CHUNK, all.size())));
			}
		});
		scheduled.forEach(Runnable::run);
		return jids;
	}

	private byte[] write(SidekiqJob job, String jid, long now, boolean ready) {
		ObjectNode json = this.mapper.createObjectNode();
		Integer retries = job.retries();
		if (retries != null) {
			json.put("retry", retries);
		}
		else {
			json.put("retry", true);
		}
		json.put("queue", job.queue()).put("class", job.className());
		json.set("args", this.mapper.valueToTree(job.arguments()));
		// Write seconds, as Sidekiq 7 and earlier do. Sidekiq 8 writes milliseconds but
		// reads both units.
		BigDecimal seconds = BigDecimal.valueOf(now, 3);
		json.put("jid", jid).put("created_at", seconds);
		if (ready) {
			json.put("enqueued_at", seconds);
		}
		return this.mapper.writeValueAsBytes(json);
	}

}
