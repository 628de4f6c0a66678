package io.github.steadyjobs.server;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * How processes find out which of them are dead.
 *
 * @param beat time between two heartbeats
 * @param deathAfter how long a process gives no sign of life before it is taken for dead;
 * at least four times {@code beat}, as a third of it is the longest gap between two looks
 * at the others that still counts
 * @param maxCrashes with how many processes a job has to die in order not to run again
 */
public record Liveness(Duration beat, Duration deathAfter, int maxCrashes) {

	public Liveness {
		Assert.isTrue(beat.toMillis() > 0, "'beat' must be positive");
		Assert.isTrue(deathAfter.compareTo(beat.multipliedBy(4)) >= 0,
				"'deathAfter' must be at least four times 'beat'");
		Assert.isTrue(maxCrashes > 0, "'maxCrashes' must be positive");
	}

}
