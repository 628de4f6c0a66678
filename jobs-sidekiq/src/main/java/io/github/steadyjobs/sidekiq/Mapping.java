package io.github.steadyjobs.sidekiq;

import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

import io.github.steadyjobs.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Maps the queues and jobs of Sidekiq to queues and jobs of Steady Jobs. Immutable.
 */
final class Mapping {

	/**
	 * Version of the translation. Increase it when a change gives other ids to equal
	 * elements of Sidekiq or refuses elements that were accepted before.
	 */
	private static final int VERSION = 1;

	private final Map<String, String> queues;

	private final Map<String, String> jobs;

	private Mapping(Map<String, String> queues, Map<String, String> jobs) {
		this.queues = new TreeMap<>(queues);
		this.jobs = new TreeMap<>(jobs);
	}

	/**
	 * Read the configuration.
	 * @throws InvalidConfigurationPropertyValueException if one of the queue or job names
	 * is invalid
	 */
	static Mapping of(SidekiqProperties properties) {
		properties.queues().forEach((from, to) -> {
			String property = "steadyjobs.sidekiq.queues[%s]".formatted(from);
			check(isPrintable(from), property, to, "The name of a Sidekiq queue is not empty and has no white space.");
			check(Names.isName(to), property, to,
					"Set it to the queue that the jobs of Sidekiq's queue '%s' go to, as in '%s=default'. A name is %s."
						.formatted(from, property, Names.RULE));
		});
		properties.jobs().forEach((from, to) -> {
			String property = "steadyjobs.sidekiq.jobs[%s]".formatted(from);
			check(isPrintable(from), property, to, "The name of a Ruby class is not empty and has no white space.");
			check(Names.isJobName(to), property, to,
					"Set it to the name of a job, such as 'InvoiceJobs.send': 1 to 255 characters, none of them white space.");
		});
		return new Mapping(properties.queues(), properties.jobs());
	}

	private static boolean isPrintable(String name) {
		return Names.isJobName(name);
	}

	private static void check(boolean valid, String property, Object value, String reason) {
		if (!valid) {
			throw new InvalidConfigurationPropertyValueException(property, value, reason);
		}
	}

	/**
	 * Return the names of the Sidekiq queues that are mapped.
	 */
	Collection<String> queues() {
		return this.queues.keySet();
	}

	/**
	 * Return the local queue for a queue of Sidekiq, or {@code null} if the queue is left
	 * to Sidekiq.
	 */
	@Nullable String queue(String sidekiq) {
		return this.queues.get(sidekiq);
	}

	/**
	 * Return the local job name for a Ruby class.
	 */
	String job(String rubyClass) {
		return this.jobs.getOrDefault(rubyClass, rubyClass);
	}

	/**
	 * Return eight hexadecimal digits that differ between configurations under which
	 * equal elements may go to different places.
	 */
	String digest() {
		return digest("%d %s %s".formatted(VERSION, this.queues, this.jobs), 4);
	}

	/**
	 * Return the first bytes of the SHA-256 hash of a text, in hexadecimal.
	 */
	static String digest(String text, int bytes) {
		return HexFormat.of().formatHex(Names.sha256(text), 0, bytes);
	}

	@Override
	public String toString() {
		return this.queues.toString();
	}

}
