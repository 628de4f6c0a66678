package io.github.steadyjobs.redis;

import java.time.Duration;

/**
 * The limits of the dead set of a queue.
 *
 * @param max the maximum number of dead jobs
 * @param age the maximum time for which a dead job is kept
 */
public record DeadLimits(int max, Duration age) {

}
