package io.github.steadyjobs.boot;

import java.util.EnumMap;
import java.util.Map;

import io.github.steadyjobs.doctor.Check;
import io.github.steadyjobs.doctor.Finding.Severity;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for the examination of Redis.
 *
 * @param enabled Whether to examine Redis at start-up and in health checks.
 * @param severity Severity of each finding, from 'off' to 'fail'.
 */
@ConfigurationProperties("steadyjobs.doctor")
record DoctorProperties(@DefaultValue("true") boolean enabled, @DefaultValue Severities severity) {

	/**
	 * The severity of each finding.
	 *
	 * @param eviction Severity if Redis may evict keys when its memory is full.
	 * @param persistence Severity if Redis may lose some or all jobs in a crash.
	 * @param replicaReads Severity if the application is configured to read from
	 * replicas, which jobs never do.
	 * @param version Severity if Steady Jobs is not tested with this product or version
	 * of Redis.
	 * @param clockSkew Severity if the clocks of Redis and of this machine differ by more
	 * than 5 seconds.
	 * @param roundTrip Severity if Redis takes more than 10 milliseconds to answer.
	 * @param memory Severity if less than 20 percent of the memory of Redis is free.
	 * @param pauses Severity if queues or jobs are paused. Reported at most as
	 * information, unless a pause without an end is more than a day old.
	 * @param recurring Severity if recurring jobs do not run because no process can run
	 * them, they are late, or they are paused.
	 * @param unknownJobs Severity if no bean of this application can run some of the
	 * stored jobs of the queues that it serves.
	 */
	record Severities(@DefaultValue("error") Severity eviction, @DefaultValue("warn") Severity persistence,
			@DefaultValue("info") Severity replicaReads, @DefaultValue("warn") Severity version,
			@DefaultValue("warn") Severity clockSkew, @DefaultValue("warn") Severity roundTrip,
			@DefaultValue("warn") Severity memory, @DefaultValue("warn") Severity pauses,
			@DefaultValue("warn") Severity recurring, @DefaultValue("warn") Severity unknownJobs) {

		Map<Check, Severity> byCheck() {
			Map<Check, Severity> severities = new EnumMap<>(Check.class);
			severities.put(Check.EVICTION, this.eviction);
			severities.put(Check.PERSISTENCE, this.persistence);
			severities.put(Check.REPLICA_READS, this.replicaReads);
			severities.put(Check.VERSION, this.version);
			severities.put(Check.CLOCK_SKEW, this.clockSkew);
			severities.put(Check.ROUND_TRIP, this.roundTrip);
			severities.put(Check.MEMORY, this.memory);
			severities.put(Check.PAUSES, this.pauses);
			severities.put(Check.RECURRING, this.recurring);
			severities.put(Check.UNKNOWN_JOBS, this.unknownJobs);
			return severities;
		}

	}

}
