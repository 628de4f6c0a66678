package io.github.steadyjobs.redis;

import java.time.Duration;

/**
 * The limits of the dead set of a queue.
 *
 * @param max number of dead jobs
 * @param age how long each is kept
 */
public record DeadLimits(int max, Duration age) {

}
