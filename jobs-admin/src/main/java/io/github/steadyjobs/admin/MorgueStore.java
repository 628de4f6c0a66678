package io.github.steadyjobs.admin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.JobStore;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.NewJob.Ordering;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.RedisErrors;
import io.github.steadyjobs.redis.Shard;
import io.github.steadyjobs.redis.ShardRegistry;
import io.github.steadyjobs.redis.ShardRegistry.MovedException;
import io.github.steadyjobs.redis.StoreCalls;

/**
 * The dead payloads of ordered jobs. Each call is one script of bounded work, and fails
 * with a {@link JobStoreException} if Redis refused, is not reachable or did not answer.
 * Thread safe.
 */
final class MorgueStore {

	/** The most payloads on a page. */
	static final int MOST_AT_ONCE = 100;

	static final JobScript MORGUE = JobScript.of(MorgueStore.class, "morgue");

	static final JobScript REVIVE = JobScript.of(MorgueStore.class, "revive");

	private final StoreCalls calls;

	private final ShardRegistry shards;

	private final JobStore store;

	MorgueStore(RedisConnections connections, String prefix, JobStore store) {
		this.calls = StoreCalls.of(connections, prefix);
		this.shards = new ShardRegistry(connections, prefix);
		this.store = store;
	}

	/**
	 * Return the shards of a queue that were ever pushed to, including those of another
	 * number of shards.
	 */
	public List<String> shards(String queue) {
		return this.calls.queues()
			.stream()
			.filter((name) -> Shard.isShard(name) && Shard.queueOf(name).equals(queue))
			.toList();
	}

	/**
	 * Read a page of dead payloads, oldest first.
	 * @param offset how many to pass over
	 * @return stored payloads by id, at most {@value #MOST_AT_ONCE}
	 */
	public Map<String, byte[]> page(String shard, int offset) {
		List<Object> answer = this.calls.run(this.calls.to(MORGUE, shard).add(offset).add(MOST_AT_ONCE));
		Map<String, byte[]> page = new LinkedHashMap<>();
		for (int i = 0; i < answer.size(); i += 2) {
			page.put(Answers.text(answer, i), (byte[]) answer.get(i + 1));
		}
		return page;
	}

	/**
	 * Let a dead payload run again. It is no longer dead then.
	 * @param shard where it is dead
	 * @param id the id under which it is
	 * @param job what to store for it, under the id of its key
	 * @return whether it was dead
	 * @throws JobStoreException if the limit of payloads that wait for its key is
	 * reached; it stays dead then
	 */
	boolean revive(String shard, String id, NewJob job) {
		String queue = Shard.queueOf(shard);
		Ordering ordering = Objects.requireNonNull(job.ordering(), "Not for a key");
		while (true) {
			ShardRegistry.Count count = this.shards.current(queue, ordering.shards());
			boolean stays = Shard.ofKey(queue, ordering.key(), count.shards()).name().equals(shard);
			if (!stays) {
				// Stored first: equal payloads of a key are kept only once, so this can
				// be repeated if it is interrupted.
				this.store.enqueue(queue, job);
			}
			try {
				String answer = this.calls.text(this.calls.to(REVIVE, shard)
					.add(id)
					.add(job.id())
					.add(stays ? job.payload() : new byte[0])
					.add(count.version()));
				MovedException.throwIf(answer);
				if (answer.equals("F")) {
					throw RedisErrors.keyFull();
				}
				return answer.equals("D");
			}
			catch (MovedException ex) {
				this.shards.refresh(queue, ex.version());
			}
		}
	}

}
