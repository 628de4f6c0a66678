package io.github.steadyjobs.client;

import java.time.Clock;
import java.util.function.Predicate;

import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * Settings of a client.
 *
 * @param payloadLimit how large the JSON of a job may be
 * @param clock stamps jobs, and tells how long until a job is due
 * @param deduplication how jobs are deduplicated
 * @param doubtful tells of a queue whether to ask Redis if any process serves it, as this
 * one does not; asked at each enqueue until it says so
 */
public record JobClientSettings(DataSize payloadLimit, Clock clock, DeduplicationSettings deduplication,
		Predicate<String> doubtful) {

	/**
	 * How large the JSON of a job may be unless configured otherwise.
	 */
	public static final DataSize DEFAULT_PAYLOAD_LIMIT = DataSize.ofMegabytes(1);

	public JobClientSettings {
		Assert.isTrue(payloadLimit.toBytes() > 0, "'payloadLimit' must be positive");
	}

	/**
	 * Create settings of a client that does not ask who serves a queue.
	 * @param payloadLimit how large the JSON of a job may be
	 * @param clock stamps jobs, and tells how long until a job is due
	 * @param deduplication how jobs are deduplicated
	 */
	public JobClientSettings(DataSize payloadLimit, Clock clock, DeduplicationSettings deduplication) {
		this(payloadLimit, clock, deduplication, (queue) -> false);
	}

	/**
	 * Return the defaults.
	 * @return a limit of 1 MB, the clock of the system, and
	 * {@link DeduplicationSettings#DEFAULTS}
	 */
	public static JobClientSettings defaults() {
		return new JobClientSettings(DEFAULT_PAYLOAD_LIMIT, Clock.systemUTC(), DeduplicationSettings.DEFAULTS);
	}

}
