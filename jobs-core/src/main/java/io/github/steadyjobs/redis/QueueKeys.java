package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys of one queue, which all carry its hash tag, so that a script touches one slot.
 * Thread safe.
 */
final class QueueKeys {

	private final String queue;

	private final Map<QueuePart, byte[]> keys = new EnumMap<>(QueuePart.class);

	private final Map<JobScript, byte[][]> ofScripts = new ConcurrentHashMap<>();

	QueueKeys(String prefix, String queue) {
		this.queue = queue;
		for (QueuePart part : QueuePart.values()) {
			String key = "%s:{%s}:%s".formatted(prefix, queue, part.text());
			this.keys.put(part, key.getBytes(StandardCharsets.UTF_8));
		}
	}

	String queue() {
		return this.queue;
	}

	byte[] get(QueuePart part) {
		return Objects.requireNonNull(this.keys.get(part));
	}

	/**
	 * Return the keys that a script takes, in its order.
	 * @throws IllegalArgumentException if they are not all keys of the queue
	 */
	byte[][] of(JobScript script) {
		byte[][] keys = this.ofScripts.get(script);
		return (keys != null) ? keys : this.ofScripts.computeIfAbsent(script, this::find);
	}

	private byte[][] find(JobScript script) {
		return script.keys().stream().map(QueuePart::of).map(this::get).toArray(byte[][]::new);
	}

}
