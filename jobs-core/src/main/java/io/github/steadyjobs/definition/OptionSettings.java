package io.github.steadyjobs.definition;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What configuration says about how one job is tried. Each value that is not {@code null}
 * overrides that of the annotation.
 *
 * @param retryFor how long after its first failure the job is retried
 * @param retryQueue the queue in which it is retried
 * @param backtrace how many lines of stack trace are stored with it
 * @param backoff when it runs again, as {@link io.github.steadyjobs.Job#backoff()}
 * @param expires how long after it is due the job may still begin
 * @param timeout how long a call of its method may take
 * @param tags its tags
 */
public record OptionSettings(@Nullable Duration retryFor, @Nullable String retryQueue, @Nullable Integer backtrace,
		@Nullable String backoff, @Nullable Duration expires, @Nullable Duration timeout, @Nullable List<String> tags) {

	/** Says nothing. */
	public static final OptionSettings NONE = new OptionSettings(null, null, null, null, null, null, null);

}
