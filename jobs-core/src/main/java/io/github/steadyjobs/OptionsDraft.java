package io.github.steadyjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.JobRequest.Options;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Options about to be changed. Not thread safe.
 */
final class OptionsDraft {

	private @Nullable Duration delay;

	private @Nullable Instant at;

	@Nullable String queue;

	@Nullable Integer retries;

	@Nullable Boolean dead;

	private List<String> tags;

	private Map<String, String> meta;

	boolean beforeCommit;

	Durability durability;

	@Nullable Idempotence idempotence;

	OptionsDraft(Options options) {
		this.delay = options.delay();
		this.at = options.at();
		this.queue = options.queue();
		this.retries = options.retries();
		this.dead = options.dead();
		this.tags = options.tags();
		this.meta = options.meta();
		this.beforeCommit = options.beforeCommit();
		this.durability = options.durability();
		this.idempotence = options.idempotence();
	}

	/**
	 * Set one of delay and time, in place of the other.
	 */
	void due(@Nullable Duration delay, @Nullable Instant at) {
		this.delay = delay;
		this.at = at;
	}

	void addTags(String... tags) {
		Assert.notNull(tags, "'tags' must not be null; leave them out for none");
		Assert.noNullElements(tags, "'tags' must not contain null");
		List<String> all = new ArrayList<>(this.tags);
		all.addAll(List.of(tags));
		this.tags = List.copyOf(all);
	}

	void putMeta(String name, String value) {
		Assert.hasText(name, "'name' must not be null or empty");
		Assert.notNull(value, () -> "'value' must not be null; leave out '%s' if it has none".formatted(name));
		Map<String, String> all = new LinkedHashMap<>(this.meta);
		all.put(name, value);
		this.meta = Collections.unmodifiableMap(all);
	}

	Options options() {
		return new Options(this.delay, this.at, this.queue, this.retries, this.dead, this.tags, this.meta,
				this.beforeCommit, this.durability, this.idempotence);
	}

}
