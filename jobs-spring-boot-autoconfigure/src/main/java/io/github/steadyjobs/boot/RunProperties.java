package io.github.steadyjobs.boot;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.github.steadyjobs.definition.JobOption;
import io.github.steadyjobs.definition.JobSettings;
import io.github.steadyjobs.server.WorkerSettings.Oversight;
import io.github.steadyjobs.server.WorkerSettings.Thresholds;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.info.BuildProperties;
import org.springframework.core.env.Environment;

import static io.github.steadyjobs.boot.JobsPropertyException.throwUnless;

/**
 * Settings for logging the runs of jobs.
 *
 * @param log Whether to log the beginning and the end of each run.
 * @param slowAfter Time after which a run that has ended is reported as slow. With 0,
 * slow runs are not reported.
 * @param stuckAfter Time after which a run that has not ended is reported as stuck, with
 * the stack trace of its thread. With 0, stuck runs are not reported.
 */
record RunProperties(@DefaultValue("false") boolean log, @DefaultValue("0s") Duration slowAfter,
		@DefaultValue("1h") Duration stuckAfter) {

	RunProperties {
		throwUnless(!slowAfter.isNegative(), "steadyjobs.runs.slow-after", slowAfter,
				"Set it to 1ms or more, as in '10s', or to 0s for no reports.");
		throwUnless(!stuckAfter.isNegative(), "steadyjobs.runs.stuck-after", stuckAfter,
				"Set it to 1ms or more, as in '1h', or to 0s for no reports.");
	}

	/**
	 * Return the version of the application. It comes from the build information or, if
	 * there is none, from the manifest, which Spring Boot has read.
	 * @return the version; empty if it is unknown
	 */
	static String version(@Nullable BuildProperties build, Environment environment) {
		String version = (build != null) ? build.getVersion() : null;
		return (version != null) ? version.strip() : environment.getProperty("spring.application.version", "").strip();
	}

	/**
	 * Return what this process reports about itself, and its thresholds for runs.
	 * @param label the name of the application
	 * @param version the version of the application; may be empty
	 * @param jobs the properties of individual jobs, which take precedence
	 */
	Oversight oversight(String label, String version, Map<String, String> jobs) {
		return new Oversight(label, version, this.log, new Thresholds(this.slowAfter, this.stuckAfter),
				JobOverrides.jobs(jobs)
					.entrySet()
					.stream()
					.collect(Collectors.toMap(Map.Entry::getKey, (job) -> thresholds(job.getValue()))));
	}

	private Thresholds thresholds(JobSettings job) {
		return new Thresholds(Objects.requireNonNullElse(job.get(JobOption.SLOW_AFTER, Duration.class), this.slowAfter),
				Objects.requireNonNullElse(job.get(JobOption.STUCK_AFTER, Duration.class), this.stuckAfter));
	}

}
