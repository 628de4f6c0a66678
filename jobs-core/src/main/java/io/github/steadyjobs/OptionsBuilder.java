package io.github.steadyjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

import io.github.steadyjobs.JobRequest.Options;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a request while one of them changes. A record cannot be copied with one
 * value replaced.
 */
final class OptionsBuilder {

	private @Nullable Duration delay;

	private @Nullable Instant at;

	@Nullable String queue;

	@Nullable OptionalInt retries;

	@Nullable Boolean dead;

	JobLimits limits;

	List<String> tags;

	Map<String, String> meta;

	boolean beforeCommit;

	Durability durability;

	@Nullable Idempotence idempotence;

	@Nullable String key;

	@Nullable String score;

	OptionsBuilder(Options set) {
		this.delay = set.delay();
		this.at = set.at();
		this.queue = set.queue();
		this.retries = set.retries();
		this.dead = set.dead();
		this.limits = set.limits();
		this.tags = set.tags();
		this.meta = set.meta();
		this.beforeCommit = set.beforeCommit();
		this.durability = set.durability();
		this.idempotence = set.idempotence();
		this.key = set.key();
		this.score = set.score();
	}

	/** Set one of both, which takes the place of the other. */
	void due(@Nullable Duration delay, @Nullable Instant at) {
		this.delay = delay;
		this.at = at;
	}

	Options build() {
		return new Options(this.delay, this.at, this.queue, this.retries, this.dead, this.limits, this.tags, this.meta,
				this.beforeCommit, this.durability, this.idempotence, this.key, this.score);
	}

}
