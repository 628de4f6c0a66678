package io.github.steadyjobs.boot;

import java.time.Duration;

import io.github.steadyjobs.client.JobClientSettings.Outage;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import static io.github.steadyjobs.boot.JobsPropertyException.throwUnless;

/**
 * Enqueueing while Redis is away.
 *
 * @param retryAfterCommit Time for which jobs of a transaction that has committed are
 * tried again while Redis does not take them. Then they are lost, and logged. 0 lets the
 * commit throw at once.
 * @param buffer Number of jobs that may wait in memory for Redis to come back. They are
 * lost if the process dies. 0 for none: enqueueing throws then.
 * @param bufferSize Size of the payloads of all jobs that may wait in memory, those of
 * committed transactions included.
 * @param logPayloads Whether the log has the payloads of jobs that are lost, for you to
 * enqueue them again.
 */
record ClientProperties(@DefaultValue("30s") Duration retryAfterCommit, @DefaultValue("0") int buffer,
		@DefaultValue("256MB") DataSize bufferSize, @DefaultValue("true") boolean logPayloads) {

	private static final int MOST_BUFFERED = 1_000_000;

	private static final DataSize LARGEST = DataSize.ofGigabytes(64);

	private static final Duration LONGEST = Duration.ofDays(1);

	ClientProperties {
		throwUnless(!retryAfterCommit.isNegative() && retryAfterCommit.compareTo(LONGEST) <= 0,
				"steadyjobs.client.retry-after-commit", retryAfterCommit,
				"Set it to 0s to 1d, as in '30s'. With 0s a commit throws if Redis does not take its jobs.");
		throwUnless(buffer >= 0 && buffer <= MOST_BUFFERED, "steadyjobs.client.buffer", buffer,
				"Set it to 0 to 1000000, the number of jobs that may wait in memory. 0 buffers none.");
		throwUnless(bufferSize.toBytes() > 0 && bufferSize.compareTo(LARGEST) <= 0, "steadyjobs.client.buffer-size",
				bufferSize, "Set it to more than 0, as in '256MB', and to 64GB at most.");
	}

	Outage outage(Duration shutdownTimeout) {
		return new Outage(this.retryAfterCommit, this.buffer, this.bufferSize, this.logPayloads, shutdownTimeout);
	}

}
