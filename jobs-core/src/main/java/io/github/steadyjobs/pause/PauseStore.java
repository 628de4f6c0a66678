package io.github.steadyjobs.pause;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.ordered.ShardRegistry;
import io.github.steadyjobs.pause.Pauses.Pause;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.redis.Declared;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.KeySpace;
import io.github.steadyjobs.redis.ParkedStore;
import io.github.steadyjobs.redis.PlainCommands;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.StoreCalls;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses queues and jobs. All pauses are stored in one hash. Each queue has a copy of the
 * pauses that concern it, and its scripts obey that copy. A copy records the version of
 * the hash, and an older copy never replaces a newer copy. So any process that finds an
 * outdated copy can update that copy, at any time and more than once.
 * <p>
 * Each method throws a {@link JobStoreException} if Redis refused the call, is not
 * reachable or did not answer. Thread safe.
 */
public final class PauseStore {

	private static final JobScript PAUSE = JobScript.of(PauseStore.class, "pause");

	private static final Logger logger = LoggerFactory.getLogger(PauseStore.class);

	private static final int MOST = 1000;

	private final StoreCalls calls;

	private final KeySpace keys;

	private final PlainCommands commands;

	private final ParkedStore parked;

	private final ShardRegistry shards;

	public PauseStore(RedisConnections connections, String prefix) {
		this.calls = StoreCalls.of(connections, prefix);
		this.keys = this.calls.keys();
		this.commands = this.calls.commands();
		this.parked = new ParkedStore(connections, prefix);
		this.shards = new ShardRegistry(connections, prefix);
	}

	/** Return all pauses. */
	public Pauses read() {
		return Pauses.of(Declared.of(this.calls.run(Declared.read(this.keys.pauses(), ""))));
	}

	/**
	 * Begin, replace or end the pause of a queue or a job, and update all queues
	 * concerned. After the end of a pause, parked jobs continue.
	 * @param allowed decides whether to proceed, given the current pause of the target
	 * @param order the new pause; {@code null} to end the current pause
	 */
	public Change change(Target target, Predicate<@Nullable Pause> allowed, @Nullable Order order) {
		Declared declared = Declared.of(this.calls.run(Declared.read(this.keys.pauses(), "")));
		while (true) {
			Pauses known = Pauses.of(declared);
			Pause standing = known.find(target);
			if (!allowed.test(standing)) {
				return new Change(false, standing, known);
			}
			String next = Declared.after(declared.version(), declared.now());
			declared = Declared.of(this.calls.run(Declared.change(this.keys.pauses(), Declared.VERSION,
					declared.version(), next, changes(declared, target, order, Declared.number(next)))));
			if (declared.done()) {
				known = Pauses.of(declared);
				Collection<String> queues = target.isQueue() ? parts(target.name()) : queues();
				tell(queues, known);
				if (order == null && !target.isQueue()) {
					queues.forEach((queue) -> this.parked.lookThrough(queue, List.of()));
				}
				return new Change(true, (order != null) ? known.find(target) : standing, known);
			}
		}
	}

	/**
	 * Return the fields to change when a queue or a job is paused or resumed. Pauses that
	 * have ended are removed too, unless a job is tried at their end.
	 */
	private static Map<String, @Nullable String> changes(Declared declared, Target target, @Nullable Order order,
			long version) {
		Map<String, @Nullable String> changes = new LinkedHashMap<>();
		Pauses.ended(declared).forEach((field) -> changes.put(field, null));
		if (order != null && declared.fields().size() - changes.size() >= MOST) {
			throw new JobStoreException("There are %d pauses already, which is the limit".formatted(MOST));
		}
		changes.put(target.field(), (order != null) ? order.text(version, declared.now().toEpochMilli()) : null);
		return changes;
	}

	/**
	 * Update the pauses of several queues in one round trip. Queues that have this
	 * version or a newer version are not changed.
	 * @throws JobStoreException if any queues could not be updated; the other queues have
	 * been updated
	 */
	public void tell(Collection<String> queues, Pauses pauses) {
		String jobs = pauses.textOfJobs();
		List<JobStoreException> failures = new ArrayList<>();
		this.calls.runAll(queues,
				(queue) -> this.calls.to(PAUSE, queue)
					.add(pauses.version())
					.add(pauses.textOfQueue(queue))
					.addText(jobs),
				(queue, ex) -> {
					logger.debug("The pauses of queue {} could not be updated", queue, ex);
					failures.add(ex);
				});
		if (!failures.isEmpty()) {
			throw failures.get(0);
		}
	}

	/**
	 * Return the names of all queues that have received jobs. Queues that have been
	 * unused for an hour are left out. Each shard is listed separately.
	 */
	public List<String> queues() {
		return this.calls.queues();
	}

	/**
	 * Return whether a queue is known: it has received jobs and was in use within the
	 * last hour, or a process serves it.
	 */
	public boolean isKnown(String queue) {
		List<String> parts = parts(queue);
		return queues().stream().anyMatch(parts::contains)
				|| this.commands.hashLengths(this.calls.keys(parts, QueuePart.BEATS))
					.stream()
					.anyMatch((length) -> this.commands.await(length) > 0);
	}

	/** Return the names that a queue and its shards have in Redis. */
	private List<String> parts(String queue) {
		Set<String> parts = new TreeSet<>(this.commands.await(this.shards.parts(QueueRef.allOf(queue))));
		// If the number of shards was reduced, the former shards may still hold dead
		// jobs.
		queues().stream().filter((name) -> QueueRef.queueOf(name).equals(queue)).forEach(parts::add);
		return List.copyOf(parts);
	}

	/**
	 * A new pause.
	 *
	 * @param since when the pause began, in milliseconds since the epoch; 0 for now
	 * @param end the end of the pause in milliseconds since the epoch; 0 if the pause
	 * does not end on its own. If {@code triesOne}, the length of the pause in
	 * milliseconds instead
	 * @param triesOne whether one job is tried when the pause reaches its end; the result
	 * of this job decides whether the pause is over
	 * @param who the person or process that asked for the pause
	 * @param why the reason for the pause
	 */
	public record Order(long since, long end, boolean triesOne, String who, String why) {

		/**
		 * Create a pause requested by an operator.
		 * @param until when the pause ends; {@code null} if it must be ended explicitly
		 */
		public static Order byPerson(@Nullable Instant until, String who, String why) {
			return new Order(0, (until != null) ? Math.max(1, until.toEpochMilli()) : 0, false, who, why);
		}

		/** Create a pause of limited length, because jobs fail. */
		public static Order byBreaker(Duration length, String who, String why) {
			return new Order(0, Math.max(1, length.toMillis()), true, who, why);
		}

		/**
		 * Create a copy of a pause that has ended and tries a job, to try another job.
		 */
		static Order endOf(Pause pause) {
			return new Order(pause.since(), pause.until() - pause.since(), true, pause.who(), pause.why());
		}

		private String text(long version, long now) {
			long begin = (this.since > 0) ? this.since : now;
			return "%d %d %d %s %s\n%s".formatted(version, begin, this.triesOne ? begin + this.end : this.end,
					this.triesOne ? "p" : "-", this.who, this.why);
		}

	}

	/**
	 * The result of an attempt to change a pause.
	 *
	 * @param done whether the pause was changed
	 * @param pause the pause that began or ended; otherwise the current pause
	 * @param pauses all pauses after the attempt
	 */
	public record Change(boolean done, @Nullable Pause pause, Pauses pauses) {

	}

}
