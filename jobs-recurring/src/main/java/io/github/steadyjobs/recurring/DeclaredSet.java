package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The recurring jobs that a release declares, and the jobs that it can run.
 *
 * @param rank the rank of the set: if several sets contain the same name, the definition
 * in the set with the highest rank is in effect. Before a set is declared, the rank is
 * the build time in milliseconds, or 0 if the build time is unknown
 * @param application the name of the application. A set becomes old if the live processes
 * of its application all declare other sets
 * @param jobs the names of the jobs that the release can run, except idempotent jobs
 * @param idempotent the names of the idempotent jobs that the release can run
 * @param recurring the recurring jobs of the release, sorted by name
 */
record DeclaredSet(long rank, String application, List<String> jobs, List<String> idempotent,
		List<RecurringJob> recurring) {

	/**
	 * Writes a fixed format, because the digest of a definition shows whether the
	 * definition is in force. The mapper of the application may write the same value
	 * differently in another release. Here, fields keep their order, and times are in
	 * milliseconds.
	 */
	static final JsonMapper MAPPER = JsonMapper.builder()
		.changeDefaultPropertyInclusion((inclusion) -> inclusion.withValueInclusion(Include.NON_NULL))
		.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
		.disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
		.enable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
		.disable(DateTimeFeature.WRITE_DATE_TIMESTAMPS_AS_NANOSECONDS,
				DateTimeFeature.READ_DATE_TIMESTAMPS_AS_NANOSECONDS)
		.build();

	static DeclaredSet of(String value) {
		int space = value.indexOf(' ');
		StoredSet stored = MAPPER.readValue(value.substring(space + 1), StoredSet.class);
		return new DeclaredSet(Long.parseLong(value.substring(0, space)), stored.application(), stored.jobs(),
				stored.idempotent(), stored.recurring().stream().map(Stored::toJob).toList());
	}

	/**
	 * Return the text whose digest identifies the set. The rank is not part of the text.
	 */
	String json() {
		return MAPPER.writeValueAsString(new StoredSet(this.application, this.jobs, this.idempotent,
				this.recurring.stream().map(Stored::of).toList()));
	}

	/** Return a copy of the set without the given recurring job. */
	DeclaredSet without(String name) {
		return new DeclaredSet(this.rank, this.application, this.jobs, this.idempotent,
				this.recurring.stream().filter((job) -> !job.name().equals(name)).toList());
	}

	boolean has(String name) {
		return this.recurring.stream().anyMatch((job) -> job.name().equals(name));
	}

	boolean canRun(String job) {
		return this.jobs.contains(job) || this.idempotent.contains(job);
	}

	static String json(RecurringJob job) {
		return MAPPER.writeValueAsString(Stored.of(job));
	}

	static RecurringJob job(String json) {
		return MAPPER.readValue(json, Stored.class).toJob();
	}

	/** Return 48 bits of the SHA-256 of a text as 12 hex digits. */
	static String hex(String text) {
		return HexFormat.of().formatHex(Names.sha256(text), 0, 6);
	}

	/** A set as it is written to JSON. */
	record StoredSet(String application, List<String> jobs, List<String> idempotent, List<Stored> recurring) {

	}

	/** A definition as it is written to JSON. Unset values are left out. */
	record Stored(String name, String job, String queue, @Nullable String cron, @Nullable ZoneId zone,
			@Nullable Duration every, @Nullable Instant from, @Nullable Instant until, @Nullable Duration jitter,
			Missed missed, @Nullable Integer atMost, Overlap overlap) {

		static Stored of(RecurringJob job) {
			Schedule schedule = job.schedule();
			return new Stored(job.name(), job.job(), job.queue(), schedule.cron(),
					(schedule.cron() != null) ? schedule.zone() : null, schedule.every(), schedule.from(),
					schedule.until(), schedule.jitter().isZero() ? null : schedule.jitter(), job.missed(),
					(job.atMost() > 0) ? job.atMost() : null, job.overlap());
		}

		RecurringJob toJob() {
			Schedule schedule = new Schedule(this.cron, (this.zone != null) ? this.zone : ZoneOffset.UTC, this.every,
					this.from, this.until, (this.jitter != null) ? this.jitter : Duration.ZERO);
			return new RecurringJob(this.name, this.job, this.queue, schedule, this.missed,
					(this.atMost != null) ? this.atMost : 0, this.overlap);
		}

	}

}
