package io.github.steadyjobs.boot;

import java.time.Duration;

import io.github.steadyjobs.client.JobClientSettings.Outage;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import static io.github.steadyjobs.boot.JobsPropertyException.throwUnless;

/**
 * Settings for enqueueing while Redis is unavailable.
 *
 * @param retryAfterCommit Time for which enqueueing the jobs of a committed transaction
 * is retried while Redis does not accept them. After that, the jobs are lost and are
 * logged. With 0, the commit throws an exception at once.
 * @param buffer Maximum number of jobs that wait in memory until Redis is available
 * again. These jobs are lost if the process dies. With 0, enqueueing throws an exception
 * instead.
 * @param bufferSize Maximum total size of the payloads of all jobs that wait in memory,
 * including those of committed transactions.
 * @param logPayloads Whether to log the payloads of lost jobs, so that you can enqueue
 * them again.
 */
record ClientProperties(@DefaultValue("30s") Duration retryAfterCommit, @DefaultValue("0") int buffer,
		@DefaultValue("256MB") DataSize bufferSize, @DefaultValue("true") boolean logPayloads) {

	private static final int MOST_BUFFERED = 1_000_000;

	private static final DataSize LARGEST = DataSize.ofGigabytes(64);

	private static final Duration LONGEST = Duration.ofDays(1);

	ClientProperties {
		throwUnless(!retryAfterCommit.isNegative() && retryAfterCommit.compareTo(LONGEST) <= 0,
				"steadyjobs.client.retry-after-commit", retryAfterCommit,
				"Set it to 0s to 1d, as in '30s'. With 0s a commit throws if Redis does not accept its jobs.");
		throwUnless(buffer >= 0 && buffer <= MOST_BUFFERED, "steadyjobs.client.buffer", buffer,
				"Set it to 0 to 1000000, the number of jobs that may wait in memory. 0 buffers none.");
		throwUnless(bufferSize.toBytes() > 0 && bufferSize.compareTo(LARGEST) <= 0, "steadyjobs.client.buffer-size",
				bufferSize, "Set it to more than 0, as in '256MB', and to 64GB at most.");
	}

	Outage outage(Duration shutdownTimeout) {
		return new Outage(this.retryAfterCommit, this.buffer, this.bufferSize, this.logPayloads, shutdownTimeout);
	}

}
