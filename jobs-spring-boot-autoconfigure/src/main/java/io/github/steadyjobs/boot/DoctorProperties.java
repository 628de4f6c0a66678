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
 * @param enabled Whether to examine Redis at start-up and in health.
 * @param severity How bad each finding is, from 'off' to 'fail'.
 */
@ConfigurationProperties("steadyjobs.doctor")
record DoctorProperties(@DefaultValue("true") boolean enabled, @DefaultValue Severities severity) {

	/**
	 * How bad each finding is.
	 *
	 * @param eviction Redis may drop keys when its memory is full.
	 * @param persistence Redis loses jobs in a crash, all or some.
	 * @param replicaReads Reads from replicas are configured. Jobs never use them.
	 * @param version Product or version is not tested with Steady Jobs.
	 * @param clockSkew Clocks of Redis and of this machine are 5 seconds apart.
	 * @param roundTrip Answers take more than 10 milliseconds.
	 * @param memory Less than 20 percent of the memory is left.
	 * @param pauses Queues or jobs are paused. Information only, unless a pause without
	 * an end is older than a day.
	 * @param recurring Recurring jobs do not run: nobody can run them, they are late, or
	 * somebody has paused them.
	 */
	record Severities(@DefaultValue("error") Severity eviction, @DefaultValue("warn") Severity persistence,
			@DefaultValue("info") Severity replicaReads, @DefaultValue("warn") Severity version,
			@DefaultValue("warn") Severity clockSkew, @DefaultValue("warn") Severity roundTrip,
			@DefaultValue("warn") Severity memory, @DefaultValue("warn") Severity pauses,
			@DefaultValue("warn") Severity recurring) {

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
			return severities;
		}

	}

}
