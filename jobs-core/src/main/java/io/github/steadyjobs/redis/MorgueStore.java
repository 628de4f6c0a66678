package io.github.steadyjobs.redis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.EnqueueCall.MovedException;
import io.github.steadyjobs.redis.NewJob.Ordering;

/**
 * The dead payloads of ordered jobs. Each call is one script of bounded work, and fails
 * with a {@link JobStoreException} if Redis refused, is not reachable or did not answer.
 * Thread safe.
 */
public final class MorgueStore {

	/** The most payloads on a page. */
	public static final int MOST_AT_ONCE = 100;

	private final RedisConnections connections;

	private final KeySpace keys;

	private final PlainCommands commands;

	private final ShardRegistry shards;

	private final JobStore store;

	public MorgueStore(RedisConnections connections, String prefix, JobStore store) {
		this.connections = connections;
		this.keys = connections.keys(prefix);
		this.commands = new PlainCommands(connections.commands(), connections.commandTimeout());
		this.shards = new ShardRegistry(connections, prefix);
		this.store = store;
	}

	/**
	 * Return the shards of a queue that were ever pushed to, including those of another
	 * number of shards.
	 */
	public List<String> shards(String queue) {
		return this.keys.queues(this.commands)
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
		List<Object> answer = run(
				ScriptCall.of(JobScript.MORGUE, this.keys.queue(shard)).add(offset).add(MOST_AT_ONCE));
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
	public boolean revive(String shard, String id, NewJob job) {
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
				String answer = Answers.text(run(ScriptCall.of(JobScript.REVIVE, this.keys.queue(shard))
					.add(id)
					.add(job.id())
					.add(stays ? job.payload() : new byte[0])
					.add(count.version())), 0);
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

	private List<Object> run(ScriptCall call) {
		return call.run(this.connections.commands(), this.connections.commandTimeout());
	}

}
