package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.PayloadField;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.admin.AdminStore.Description;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.Gathered;
import io.github.steadyjobs.redis.JobIds;
import io.github.steadyjobs.redis.JobStore;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.Shard;
import io.github.steadyjobs.redis.WorkStore.DeadLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The morgue of {@link Sequential ordered jobs}: payloads that have failed for the last
 * time. They can be looked at, and run again. Injected as a bean. Thread safe.
 * <p>
 * A dead payload is a dead job like any other: it has an id of its own, says why it
 * failed, and is kept as long as {@code steadyjobs.dead.*} says.
 */
public final class OrderedJobs {

	private static final byte[] NOTHING = {};

	private final JobIds ids = new JobIds();

	private final MorgueStore store;

	private final JobStore jobs;

	private final JobRegistry registry;

	private final PayloadCodec codec;

	/**
	 * Create a look at the morgue.
	 * @param connections the connections to use
	 * @param prefix what all keys begin with
	 * @param store puts payloads back
	 * @param registry has the ordered jobs
	 * @param codec reads and writes payloads
	 */
	public OrderedJobs(RedisConnections connections, String prefix, JobStore store, JobRegistry registry,
			PayloadCodec codec) {
		this.store = new MorgueStore(connections, prefix, store);
		this.jobs = store;
		this.registry = registry;
		this.codec = codec;
	}

	/**
	 * Return dead payloads of a job, with their {@link JobPayload#key() key},
	 * {@code score}, arguments and failure.
	 * @param job the name of an ordered job
	 * @param limit how many at most, 1 to 10,000
	 * @return the payloads; payloads of the same key in the order in which they died
	 * @throws IllegalArgumentException if no ordered job of this application has the
	 * name, or the limit is out of range
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public List<JobPayload> morgue(String job, int limit) {
		Assert.isTrue(limit >= 1 && limit <= 10_000, () -> "'limit' must be 1 to 10,000, but is " + limit);
		List<JobPayload> found = new ArrayList<>();
		visit(job, (shard, dead) -> {
			found.add(dead);
			return found.size() < limit;
		});
		return found;
	}

	/**
	 * Let a dead payload run again. It joins the payloads that wait for its key. The key
	 * is then due at once, and its failures no longer count.
	 * @param job the name of an ordered job
	 * @param id the id of the dead payload
	 * @return whether there was a dead payload of this id
	 * @throws IllegalArgumentException if no ordered job of this application has the name
	 * @throws InvalidJobException if the payload was never JSON, so no method can take it
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer, or
	 * the limit of payloads that wait for the key is reached; the payload then stays dead
	 */
	public boolean revive(String job, String id) {
		Assert.notNull(id, "'id' must not be null; pass the id of a dead payload");
		JobDefinition definition = definition(job);
		return revive(id, (dead) -> this.registry.find(dead.name()) == definition);
	}

	/**
	 * Let a dead payload of any job run again.
	 */
	boolean revive(String id) {
		return revive(id, (dead) -> definition(dead.name()) != null);
	}

	private boolean revive(String id, Predicate<JobPayload> isWanted) {
		Map.Entry<String, byte[]> found = this.jobs.find(id, Map::entry).orElse(null);
		if (found == null || !Shard.isShard(found.getKey())) {
			return false;
		}
		JobPayload dead = read(found.getValue());
		return dead != null && dead.key() != null && isWanted.test(dead) && revive(found.getKey(), dead);
	}

	/**
	 * Let all dead payloads of a key run again.
	 * @param job the name of an ordered job
	 * @param key the key
	 * @return how many there were
	 * @throws IllegalArgumentException if no ordered job of this application has the name
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer, or
	 * the limit of payloads that wait for the key is reached; some may run again then,
	 * and the others stay dead
	 */
	public int reviveKey(String job, String key) {
		Assert.notNull(key, "'key' must not be null; pass the key of dead payloads");
		List<Runnable> found = new ArrayList<>();
		visit(job, (shard, dead) -> {
			if (key.equals(dead.key()) && dead.field(PayloadField.UNREADABLE.text()).isMissingNode()) {
				found.add(() -> revive(shard, dead));
			}
			return true;
		});
		found.forEach(Runnable::run);
		return found.size();
	}

	private boolean revive(String shard, JobPayload dead) {
		if (!dead.field(PayloadField.UNREADABLE.text()).isMissingNode()) {
			throw new InvalidJobException(
					"Payload %s was never JSON and cannot run: %s".formatted(dead.id(), dead.errorMessage()));
		}
		JobDefinition definition = Objects.requireNonNull(this.registry.find(dead.name()));
		String key = Objects.requireNonNull(dead.key());
		String id = JobIds.ofKey(definition.name(), key);
		byte[] arguments = this.codec.mapper().writeValueAsBytes(dead.arguments());
		byte[] envelope = this.codec.write(dead.withoutFailure().with((json) -> {
			json.remove(PayloadField.SCORE.text());
			json.put(PayloadField.JID.text(), id).putArray(PayloadField.ARGS.text());
		}));
		byte[] stored = Gathered.write(envelope, dead.field(PayloadField.SCORE.text()).asString("0"), arguments);
		NewJob.Ordering ordering = new NewJob.Ordering(key, Objects.requireNonNull(definition.sequence()).shards());
		return this.store.revive(shard, dead.id(), new NewJob(id, stored, null, "", ordering, null));
	}

	/**
	 * Kill the next payload of a key, under an id of its own, so that it no longer holds
	 * up the others.
	 * @return whether the job was unchanged since it was read
	 */
	boolean kill(AdminStore admin, String id, Description found, DeadLimits limits) {
		Gathered gathered = Gathered.read(found.payload());
		String deadId = this.ids.next(System.currentTimeMillis());
		JobPayload job = read(gathered.envelope());
		if (job == null || gathered.size() == 0) {
			return admin.killPayload(id, found, new NewJob(deadId, found.payload(), null), NOTHING, limits);
		}
		JobPayload dead = job.with((json) -> {
			try {
				json.set(PayloadField.ARGS.text(), gathered.first(this.codec).arguments());
			}
			catch (InvalidJobException ex) {
				json.put(PayloadField.UNREADABLE.text(), new String(gathered.arguments(0), StandardCharsets.UTF_8));
			}
			json.put(PayloadField.JID.text(), deadId)
				.put(PayloadField.SCORE.text(), gathered.score(0))
				.remove(PayloadField.UNBOUND.text());
		});
		byte[] envelope = this.codec
			.write(job.withoutFailure().with((json) -> json.remove(PayloadField.UNBOUND.text())));
		byte[] rest = (gathered.size() > 1) ? gathered.rest(envelope, 1, -1) : NOTHING;
		return admin.killPayload(id, found, new NewJob(deadId, this.codec.write(dead), null), rest, limits);
	}

	JobRegistry registry() {
		return this.registry;
	}

	private void visit(String job, Visitor visitor) {
		for (String shard : this.store.shards(definition(job).queue())) {
			Map<String, byte[]> page;
			int offset = 0;
			do {
				page = this.store.page(shard, offset);
				offset += MorgueStore.MOST_AT_ONCE;
				for (byte[] stored : page.values()) {
					JobPayload dead = read(stored);
					if (dead != null && dead.key() != null && !visitor.visit(shard, dead)) {
						return;
					}
				}
			}
			while (!page.isEmpty());
		}
	}

	private JobDefinition definition(String job) {
		Assert.notNull(job, "'job' must not be null; pass the name of an ordered job");
		JobDefinition definition = this.registry.find(job);
		Assert.isTrue(definition != null && definition.sequence() != null,
				() -> "No ordered job of this application is called '%s'".formatted(job));
		return definition;
	}

	private @Nullable JobPayload read(byte[] stored) {
		try {
			return this.codec.read(stored);
		}
		catch (InvalidJobException ex) {
			// Damaged by hand. An audit finds it.
			return null;
		}
	}

	private interface Visitor {

		/**
		 * Return whether to go on.
		 */
		boolean visit(String shard, JobPayload dead);

	}

}
