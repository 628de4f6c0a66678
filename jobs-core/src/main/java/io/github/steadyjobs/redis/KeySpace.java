package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.Names;

import org.springframework.util.Assert;

/**
 * All keys below one prefix.
 */
final class KeySpace {

	private final String prefix;

	private final Map<String, QueueKeys> queues = new ConcurrentHashMap<>();

	KeySpace(String prefix) {
		Assert.isTrue(isName(prefix), () -> "Prefix '%s' must be %s".formatted(prefix, Names.RULE));
		this.prefix = prefix;
	}

	static boolean isName(String name) {
		return Names.isName(name);
	}

	QueueKeys queue(String queue) {
		Assert.notNull(queue, "'queue' must not be null; pass the name of a queue");
		QueueKeys keys = this.queues.get(queue);
		return (keys != null) ? keys : this.queues.computeIfAbsent(queue, this::create);
	}

	private QueueKeys create(String queue) {
		Assert.isTrue(isName(queue), () -> "Queue '%s' must be %s".formatted(queue, Names.RULE));
		return QueueKeys.of(this.prefix, queue);
	}

	byte[] queueNames() {
		return key("queues");
	}

	byte[] processNames() {
		return key("processes");
	}

	byte[] sweeper() {
		return key("sweeper");
	}

	byte[] process(String process) {
		return key("process:" + process);
	}

	/**
	 * Return a key that never holds anything, for the permission to use keys of ours.
	 */
	byte[] nothing() {
		return key("nothing");
	}

	private byte[] key(String name) {
		return (this.prefix + ":" + name).getBytes(StandardCharsets.UTF_8);
	}

}
