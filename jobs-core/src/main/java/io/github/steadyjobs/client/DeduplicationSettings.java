package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.DeduplicationListener;
import io.github.steadyjobs.Names;

import org.springframework.util.Assert;

/**
 * How a client deduplicates jobs.
 *
 * @param ttl how long a job keeps others from being enqueued at most, unless it says so
 * itself
 * @param dryRun whether to look for duplicates among jobs that declare nothing
 * @param sources asked for positions by jobs that keep their consistency
 * @param listeners told of duplicates
 */
public record DeduplicationSettings(Duration ttl, boolean dryRun, List<ConsistencySource> sources,
		List<DeduplicationListener> listeners) {

	/**
	 * 6 hours, and nothing else.
	 */
	public static final DeduplicationSettings DEFAULTS = new DeduplicationSettings(Duration.ofHours(6), false,
			List.of(), List.of());

	public DeduplicationSettings {
		Assert.isTrue(ttl.toMillis() > 0, "'ttl' must be 1 ms or more");
		sources = List.copyOf(sources);
		listeners = List.copyOf(listeners);
		Set<String> names = new HashSet<>();
		for (ConsistencySource source : sources) {
			String name = source.name();
			Assert.isTrue(Names.isName(name), () -> "Consistency source '%s' (%s) needs a name of %s".formatted(name,
					source.getClass().getName(), Names.RULE));
			Assert.isTrue(names.add(name), () -> "Two consistency sources are called '%s'".formatted(name));
		}
	}

}
