package io.github.steadyjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.JobRequest.Options;
import org.jspecify.annotations.Nullable;

/**
 * Options about to be changed. Not thread safe.
 */
final class OptionsDraft {

	private @Nullable Duration delay;

	private @Nullable Instant at;

	@Nullable String queue;

	@Nullable Integer retries;

	@Nullable Boolean dead;

	List<String> tags;

	Map<String, String> meta;

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

	Options options() {
		return new Options(this.delay, this.at, this.queue, this.retries, this.dead, this.tags, this.meta,
				this.beforeCommit, this.durability, this.idempotence);
	}

}
