package io.github.steadyjobs.redis;

import java.time.Duration;

/**
 * What the dead set keeps.
 *
 * @param max number of dead jobs
 * @param age how long each is kept
 */
public record DeadLimits(int max, Duration age) {

}
