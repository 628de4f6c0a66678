package io.github.steadyjobs.redis;

/**
 * A job that a claim gave out.
 *
 * @param id the id of the job
 * @param payload what is stored for it, which need not be JSON
 * @param positions how new the data has to be that it sees, as in {@link NewLock}
 */
public record ClaimedJob(String id, byte[] payload, String positions) {

}
