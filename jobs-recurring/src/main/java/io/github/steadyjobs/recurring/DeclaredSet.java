package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;

import io.github.steadyjobs.Names;
import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a release declares.
 *
 * @param rank the set with the highest one counts
 * @param application the name of the application
 * @param jobs the names of the jobs that it can run, and whether they are idempotent
 * @param recurring its recurring jobs
 */
record DeclaredSet(long rank, String application, Map<String, Boolean> jobs, List<RecurringJob> recurring) {

	/** That of the application may write the same in another way with each release. */
	static final JsonMapper MAPPER = JsonMapper.builder().build();

	static DeclaredSet of(String value) {
		int space = value.indexOf(' ');
		JsonNode json = MAPPER.readTree(value.substring(space + 1));
		Map<String, Boolean> jobs = new HashMap<>();
		json.path("jobs").forEach((name) -> jobs.put(name.stringValue(), false));
		json.path("idempotent").forEach((name) -> jobs.put(name.stringValue(), true));
		List<RecurringJob> recurring = new ArrayList<>();
		json.path("recurring").forEach((job) -> recurring.add(job(job)));
		return new DeclaredSet(Long.parseLong(value.substring(0, space)), json.path("application").stringValue(), jobs,
				recurring);
	}

	/**
	 * Return what a process declares. Its digest identifies the release.
	 * @param application the name of the application, which forgets only its own old
	 * declarations
	 * @param jobs the names of the jobs that the process can run, and whether they are
	 * idempotent
	 */
	static String json(String application, Map<String, Boolean> jobs, Collection<RecurringJob> recurring) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("application", application);
		json.put("jobs", names(jobs, false));
		json.put("idempotent", names(jobs, true));
		json.put("recurring",
				recurring.stream().sorted(Comparator.comparing(RecurringJob::name)).map(DeclaredSet::fields).toList());
		return MAPPER.writeValueAsString(json);
	}

	/** Return 48 bits of the SHA-256 of a text as 12 hex digits. */
	static String hex(String text) {
		return HexFormat.of().formatHex(Names.sha256(text), 0, 6);
	}

	private static List<String> names(Map<String, Boolean> jobs, boolean idempotent) {
		return jobs.entrySet()
			.stream()
			.filter((job) -> job.getValue() == idempotent)
			.map(Map.Entry::getKey)
			.sorted()
			.toList();
	}

	/**
	 * Return what is kept once this has lost a recurring job.
	 */
	String without(String name) {
		return this.rank + " " + json(this.application, this.jobs,
				this.recurring.stream().filter((job) -> !job.name().equals(name)).toList());
	}

	boolean has(String name) {
		return this.recurring.stream().anyMatch((job) -> job.name().equals(name));
	}

	static String json(RecurringJob job) {
		return MAPPER.writeValueAsString(fields(job));
	}

	static RecurringJob job(String json) {
		return job(MAPPER.readTree(json));
	}

	/**
	 * Return a definition. A digest of it says which one is in force, so its fields keep
	 * their order.
	 */
	private static Map<String, ?> fields(RecurringJob job) {
		Schedule schedule = job.schedule();
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("name", job.name());
		json.put("job", job.job());
		json.put("queue", job.queue());
		json.put("cron", schedule.cron());
		json.put("zone", (schedule.cron() != null) ? schedule.zone().getId() : null);
		json.put("every", (schedule.every() != null) ? schedule.every().toMillis() : null);
		json.put("from", (schedule.from() != null) ? schedule.from().toEpochMilli() : null);
		json.put("until", (schedule.until() != null) ? schedule.until().toEpochMilli() : null);
		json.put("jitter", schedule.jitter().isZero() ? null : schedule.jitter().toMillis());
		json.put("missed", job.missed());
		json.put("at_most", (job.atMost() > 0) ? job.atMost() : null);
		json.put("overlap", job.overlap());
		json.values().removeIf(Objects::isNull);
		return json;
	}

	private static RecurringJob job(JsonNode json) {
		Duration jitter = time(json, "jitter", Duration::ofMillis);
		Schedule schedule = new Schedule(json.path("cron").stringValue(null),
				ZoneId.of(json.path("zone").stringValue("UTC")), time(json, "every", Duration::ofMillis),
				time(json, "from", Instant::ofEpochMilli), time(json, "until", Instant::ofEpochMilli),
				(jitter != null) ? jitter : Duration.ZERO);
		return new RecurringJob(json.path("name").stringValue(), json.path("job").stringValue(),
				json.path("queue").stringValue(), schedule, Missed.valueOf(json.path("missed").stringValue()),
				json.path("at_most").asInt(0), Overlap.valueOf(json.path("overlap").stringValue()));
	}

	private static <T> @Nullable T time(JsonNode json, String field, LongFunction<T> unit) {
		return json.has(field) ? unit.apply(json.path(field).longValue()) : null;
	}

}
