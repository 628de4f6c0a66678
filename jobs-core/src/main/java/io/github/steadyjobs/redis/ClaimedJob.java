package io.github.steadyjobs.redis;

import org.jspecify.annotations.Nullable;

/**
 * A job that a claim gave out.
 *
 * @param id the id of the job
 * @param payload what is stored for it, which need not be JSON; {@code null} if the job
 * was cancelled before the claim was answered, and must not run
 * @param positions how new the data has to be that it sees, as in {@link NewLock}
 */
public record ClaimedJob(String id, byte @Nullable [] payload, String positions) {

}
