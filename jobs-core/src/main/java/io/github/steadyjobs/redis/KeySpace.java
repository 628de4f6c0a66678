package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.Names;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * All keys with one prefix, including the keys of each queue. Thread safe.
 */
public final class KeySpace {

	private static final Logger logger = LoggerFactory.getLogger(KeySpace.class);

	private static final int MOST_LOGGED = 100;

	/** The cache may exceed twice the number of known queues by this number. */
	private static final int KEPT = 1000;

	private final String prefix;

	private final Map<String, QueueKeys> queues = new ConcurrentHashMap<>();

	private final Set<String> foreign = ConcurrentHashMap.newKeySet();

	KeySpace(String prefix) {
		Assert.isTrue(Names.isName(prefix), () -> "Prefix '%s' must be %s".formatted(prefix, Names.RULE));
		this.prefix = prefix;
	}

	/** Return whether a name is valid for a queue or for a shard of a queue. */
	public static boolean isQueue(String name) {
		return Names.isName(name) || QueueRef.isName(name);
	}

	public QueueKeys queue(String queue) {
		Assert.notNull(queue, "'queue' must not be null; pass the name of a queue");
		QueueKeys keys = this.queues.get(queue);
		return (keys != null) ? keys : this.queues.computeIfAbsent(queue, this::create);
	}

	private QueueKeys create(String queue) {
		Assert.isTrue(isQueue(queue), () -> "Queue '%s' must be %s".formatted(queue, Names.RULE));
		return new QueueKeys(this.prefix, queue);
	}

	public byte[] queueNames() {
		return key("queues");
	}

	/** Return the given names that are valid for queues. Logs each invalid name once. */
	List<String> queues(List<String> names) {
		List<String> queues = new ArrayList<>(names.size());
		for (String name : names) {
			if (isQueue(name)) {
				queues.add(name);
			}
			else if (this.foreign.size() < MOST_LOGGED && this.foreign.add(name)) {
				logger.warn(
						"The set '{}:queues' holds '{}', which is not the name of a queue and is ignored. Remove it with SREM",
						this.prefix, Names.printable(name));
			}
		}
		if (this.queues.size() > 2 * queues.size() + KEPT) {
			// Drop the keys of queues that are no longer known. The keys are created
			// again when needed.
			this.queues.keySet().retainAll(Set.copyOf(queues));
		}
		return queues;
	}

	public byte[] shards() {
		return key("shards");
	}

	public byte[] pauses() {
		return key("pauses");
	}

	public byte[] recurring() {
		return key("recurring");
	}

	public byte[] processNames() {
		return key("processes");
	}

	public byte[] sweeper() {
		return key("sweeper");
	}

	public byte[] isolating() {
		return key("isolating");
	}

	/**
	 * Return the key of the history of runs in a period.
	 * @param period an hour, day or year in UTC; or an hour, a colon and the name of a
	 * job, where an empty name stands for all jobs
	 */
	public byte[] history(String period) {
		return key("history:" + period);
	}

	public byte[] marks() {
		return key("marks");
	}

	public byte[] activity() {
		return key("activity");
	}

	public byte[] process(String process) {
		return key("process:" + process);
	}

	byte[] threadDump(String process) {
		return key("dump:" + process);
	}

	private byte[] key(String name) {
		return (this.prefix + ":" + name).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * The keys of one queue. All keys of a queue have the same hash tag, so that a script
	 * touches only one slot. Thread safe.
	 */
	public static final class QueueKeys {

		private final String queue;

		private final Map<QueuePart, byte[]> keys = new EnumMap<>(QueuePart.class);

		private final Map<JobScript, ScriptTarget> ofScripts = new ConcurrentHashMap<>();

		private QueueKeys(String prefix, String queue) {
			this.queue = queue;
			for (QueuePart part : QueuePart.values()) {
				String key = "%s:{%s}:%s".formatted(prefix, queue, part.text());
				this.keys.put(part, key.getBytes(StandardCharsets.UTF_8));
			}
		}

		String queue() {
			return this.queue;
		}

		public byte[] get(QueuePart part) {
			return Objects.requireNonNull(this.keys.get(part));
		}

		/**
		 * Return a script along with the keys of this queue that the script takes.
		 * @throws IllegalArgumentException if the script takes a key that no queue has
		 */
		ScriptTarget of(JobScript script) {
			ScriptTarget found = this.ofScripts.get(script);
			return (found != null) ? found : this.ofScripts.computeIfAbsent(script, this::find);
		}

		private ScriptTarget find(JobScript script) {
			return ScriptTarget.of(script,
					script.keys().stream().map(QueuePart::of).map(this::get).toArray(byte[][]::new));
		}

	}

}
