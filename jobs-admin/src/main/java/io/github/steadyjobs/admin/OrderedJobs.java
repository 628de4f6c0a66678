package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.PayloadField;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.admin.AdminStore.Description;
import io.github.steadyjobs.admin.AdminStore.Listing;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.ordered.MovedException;
import io.github.steadyjobs.ordered.ShardRegistry;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.JobIds;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.NewJob.Ordering;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.RedisErrors;
import io.github.steadyjobs.redis.StoreCalls;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The keys of {@link Sequential ordered jobs}, and their morgue: payloads that have
 * failed for the last time. Lists the keys that lag, shows dead payloads and makes them
 * run again. Available as a bean. Thread safe.
 * <p>
 * A dead payload is a dead job like any other: it has its own id and the reason for its
 * failure, and the limits {@code steadyjobs.dead.*} apply to it.
 * <p>
 * Each method throws a {@link JobStoreException} if Redis refused a request, is not
 * reachable or did not answer.
 */
public final class OrderedJobs {

	static final JobScript REVIVE = JobScript.of(OrderedJobs.class, "revive");

	private static final byte[] NOTHING = {};

	private final JobIds ids = new JobIds();

	private final StoreCalls calls;

	private final ShardRegistry shards;

	private final AdminStore store;

	private final JobPages pages;

	private final JobStore jobs;

	private final JobRegistry registry;

	private final PayloadCodec codec;

	private final OperatorChange.Listener activity;

	/**
	 * Create a view of the keys and the morgue.
	 * @param store the store that puts payloads back
	 */
	public OrderedJobs(RedisConnections connections, String prefix, JobStore store, JobRegistry registry,
			PayloadCodec codec) {
		this(connections, prefix, store, registry, codec, OperatorChange.Listener.LOG);
	}

	/**
	 * Create a view of the keys and the morgue.
	 * @param store the store that puts payloads back
	 * @param activity the listener that is notified of payloads that run again
	 */
	public OrderedJobs(RedisConnections connections, String prefix, JobStore store, JobRegistry registry,
			PayloadCodec codec, OperatorChange.Listener activity) {
		this.calls = StoreCalls.of(connections, prefix);
		this.shards = new ShardRegistry(connections, prefix);
		this.store = new AdminStore(connections, prefix, store.removals());
		this.pages = new JobPages(this.store, codec);
		this.jobs = store;
		this.registry = registry;
		this.codec = codec;
		this.activity = activity;
	}

	/**
	 * Return the names of all queues of ordered jobs that have jobs or processes now, or
	 * have had any within the last hour. The names are sorted.
	 */
	public List<String> queues() {
		return this.calls.queues()
			.stream()
			.filter(QueueRef::isPart)
			.map(QueueRef::queueOf)
			.distinct()
			.sorted()
			.toList();
	}

	/**
	 * Return those keys of a queue whose payloads have been waiting longest. Only the
	 * first jobs in each place of each shard are read, so some keys may be missing if
	 * there are many jobs.
	 * @param queue the name of a queue of ordered jobs
	 * @param limit the maximum number of keys, 1 to 1,000
	 * @return the keys, those that have been waiting longest first
	 * @throws IllegalArgumentException if the limit is out of range
	 */
	public List<OrderedKey> keys(String queue, int limit) {
		Assert.notNull(queue, "'queue' must not be null; pass the queue of an ordered job");
		Assert.isTrue(limit >= 1 && limit <= JobQuery.MOST_AT_ONCE,
				() -> "'limit' must be 1 to " + JobQuery.MOST_AT_ONCE + ", but is " + limit);
		List<String> shards = this.store.parts(queue).stream().filter(QueueRef::isPart).toList();
		List<OrderedKey> keys = new ArrayList<>();
		for (JobPlace place : EnumSet.complementOf(EnumSet.of(JobPlace.DEAD))) {
			jobs(shards, place, limit).forEach((job) -> {
				JobPayload payload = job.payload();
				if (payload != null && payload.key() != null) {
					keys.add(new OrderedKey(payload.key(), job, since(job, payload)));
				}
			});
		}
		keys.sort(Comparator.comparing(OrderedKey::since).thenComparing(OrderedKey::key));
		return List.copyOf(keys.subList(0, Math.min(limit, keys.size())));
	}

	/** Read the first jobs in a place of each shard, in two round trips. */
	private List<JobEntry> jobs(List<String> shards, JobPlace place, int limit) {
		if (shards.isEmpty()) {
			return List.of();
		}
		Map<String, Listing> listings = this.store.browse(place.part(), shards, (shard) -> "", limit);
		Map<String, List<String>> ids = new HashMap<>();
		listings.forEach((shard, listing) -> ids.put(shard, List.copyOf(listing.jobs().keySet())));
		Map<String, byte @Nullable []> payloads = this.store.read(ids);
		List<JobEntry> jobs = new ArrayList<>();
		listings.forEach((shard, listing) -> listing.jobs().forEach((id, detail) -> {
			byte[] stored = payloads.get(id);
			if (stored != null) {
				jobs.add(JobEntry.of(id, shard, place, detail, stored, this.codec));
			}
		}));
		return jobs;
	}

	private static Instant since(JobEntry job, JobPayload payload) {
		return (job.place() == JobPlace.SCHEDULED && job.time() != null) ? job.time() : payload.enqueuedAt();
	}

	/**
	 * Return dead payloads of a job, with their {@link JobPayload#key() key},
	 * {@code score}, arguments and failure.
	 * @param job the name of an ordered job
	 * @param limit the maximum number of payloads, 1 to 10,000
	 * @return the payloads that died most recently, in the order in which they died
	 * @throws IllegalArgumentException if no ordered job of this application has the
	 * name, or the limit is out of range
	 */
	public List<JobPayload> morgue(String job, int limit) {
		Assert.isTrue(limit >= 1 && limit <= 10_000, () -> "'limit' must be 1 to 10,000, but is " + limit);
		return dead(job, limit, (dead) -> true).stream().map(Map.Entry::getValue).toList();
	}

	/**
	 * Make a dead payload run again. It joins the payloads that wait for its key. The key
	 * is then due at once, and its retry count is reset.
	 * @param job the name of an ordered job
	 * @return whether there was a dead payload with this id
	 * @throws IllegalArgumentException if no ordered job of this application has the name
	 * @throws InvalidJobException if the payload is not JSON, so that no method can
	 * accept it
	 * @throws JobStoreException if Redis refused a request, is not reachable or did not
	 * answer, or if the key already has as many waiting payloads as it may hold; the
	 * payload then stays dead
	 */
	public boolean revive(String job, String id) {
		Assert.notNull(id, "'id' must not be null; pass the id of a dead payload");
		JobDefinition definition = definition(job);
		boolean revived = revive(id, (dead) -> this.registry.find(dead.name()) == definition);
		if (revived) {
			this.activity.changed(OperatorChange.of("revive", "Dead payload %s of %s runs again".formatted(id, job),
					"job", id, "name", job));
		}
		return revived;
	}

	/** Make a dead payload of any job run again. */
	boolean revive(String id) {
		return revive(id, (dead) -> definition(dead.name()) != null);
	}

	private boolean revive(String id, Predicate<JobPayload> isWanted) {
		Map.Entry<String, byte[]> found = this.jobs.find(id, Map::entry).orElse(null);
		if (found == null || !QueueRef.isPart(found.getKey())) {
			return false;
		}
		JobPayload dead = read(found.getValue());
		return dead != null && dead.key() != null && isWanted.test(dead) && revive(found.getKey(), dead);
	}

	/**
	 * Make all dead payloads of a key run again.
	 * @param job the name of an ordered job
	 * @return the number of payloads that run again
	 * @throws IllegalArgumentException if no ordered job of this application has the name
	 * @throws JobStoreException if Redis refused a request, is not reachable or did not
	 * answer, or if the key already has as many waiting payloads as it may hold; some of
	 * the dead payloads may then run again, and the rest stay dead
	 */
	public int reviveKey(String job, String key) {
		Assert.notNull(key, "'key' must not be null; pass the key of dead payloads");
		List<Map.Entry<String, JobPayload>> found = dead(job, Integer.MAX_VALUE,
				(dead) -> key.equals(dead.key()) && dead.field(PayloadField.UNREADABLE.text()).isMissingNode());
		int revived = 0;
		try {
			for (Map.Entry<String, JobPayload> dead : found) {
				revived += revive(dead.getKey(), dead.getValue()) ? 1 : 0;
			}
		}
		finally {
			if (revived > 0) {
				this.activity
					.changed(OperatorChange
						.of("revive", "%d dead payloads of a key of %s run again".formatted(revived, job), "name", job,
								"key", key)
						.count(revived));
			}
		}
		return revived;
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
		Ordering ordering = new Ordering(key, Objects.requireNonNull(definition.sequence()).shards());
		return revive(shard, dead.id(), new NewJob(id, stored, null, "", ordering, null));
	}

	/**
	 * Store a dead payload under the id of its key.
	 * @param shard the shard whose dead set contains the payload
	 * @param id its id in the dead set
	 * @return whether the payload was in the dead set
	 */
	private boolean revive(String shard, String id, NewJob job) {
		String queue = QueueRef.queueOf(shard);
		Ordering ordering = Objects.requireNonNull(job.ordering(), "Not for a key");
		while (true) {
			ShardRegistry.Count count = this.shards.current(queue, ordering.shards());
			boolean stays = QueueRef.ofKey(queue, ordering.key(), count.shards()).name().equals(shard);
			if (!stays) {
				// The payload is stored before it is removed from the dead set. The call
				// can be repeated after an interruption, because equal payloads of a key
				// are kept only once.
				this.jobs.enqueue(queue, job);
			}
			try {
				String answer = this.calls.text(this.calls.to(REVIVE, shard)
					.add(id)
					.add(job.id())
					.add(stays ? job.payload() : new byte[0])
					.add(count.version())
					.add(this.jobs.mostPayloads()));
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

	/**
	 * Move the next payload of a key to the dead set under a new id, so that it no longer
	 * blocks the other payloads.
	 * @return whether the job had not changed since it was read
	 */
	boolean kill(String id, Description found, DeadLimits limits) {
		Gathered gathered = Gathered.read(found.payload());
		String deadId = this.ids.next(System.currentTimeMillis());
		JobPayload job = read(gathered.envelope());
		if (job == null || gathered.size() == 0) {
			return this.store.killPayload(id, found, new NewJob(deadId, found.payload(), null), NOTHING, limits);
		}
		JobPayload dead = Gathered.withLastFailures(job, job.attempts()).with((json) -> {
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
		byte[] envelope = this.codec.write(Gathered.withoutLastFailures(job.withoutFailure(), job.attempts())
			.with((json) -> json.remove(PayloadField.UNBOUND.text())));
		byte[] rest = (gathered.size() > 1) ? gathered.rest(envelope, 1, -1) : NOTHING;
		return this.store.killPayload(id, found, new NewJob(deadId, this.codec.write(dead), null), rest, limits);
	}

	JobRegistry registry() {
		return this.registry;
	}

	JobStore store() {
		return this.jobs;
	}

	/** Return the payloads that died last, with their shards, in order of death. */
	private List<Map.Entry<String, JobPayload>> dead(String job, int limit, Predicate<JobPayload> isWanted) {
		JobQuery query = JobQuery.of(JobPlace.DEAD).queue(definition(job).queue()).size(JobQuery.MOST_AT_ONCE);
		List<Map.Entry<String, JobPayload>> found = new ArrayList<>();
		String next = "";
		do {
			next = this.pages.page(query.after(next), (shard, entry) -> {
				JobPayload dead = entry.payload();
				if (dead != null && dead.key() != null && isWanted.test(dead) && found.size() < limit) {
					found.add(Map.entry(shard, dead));
				}
			}).next();
		}
		while (!next.isEmpty() && found.size() < limit);
		Collections.reverse(found);
		return found;
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
			// The job was damaged by a manual change. An audit finds such damage.
			return null;
		}
	}

}
