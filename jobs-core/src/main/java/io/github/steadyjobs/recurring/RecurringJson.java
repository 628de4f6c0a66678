package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;

import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.recurring.RecurringState.Pause;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Recurring jobs as Redis keeps them. With a mapper of its own: that of the application
 * may write the same thing in another way with each release. What cannot be read, such as
 * what a later version has written, is an exception.
 */
final class RecurringJson {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private RecurringJson() {
	}

	static String text(Map<String, ?> json) {
		return MAPPER.writeValueAsString(json);
	}

	static JsonNode tree(String json) {
		return MAPPER.readTree(json);
	}

	/**
	 * Return a definition. A digest of it says which one is in force, so its fields keep
	 * their order.
	 */
	static Map<String, ?> write(RecurringJob job) {
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

	static RecurringJob read(JsonNode json) {
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

	static String write(Pause pause) {
		return MAPPER.createObjectNode()
			.put("who", pause.who())
			.put("why", pause.why())
			.put("since", pause.since().toEpochMilli())
			.toString();
	}

	static Pause pause(JsonNode json) {
		return new Pause(json.path("who").stringValue(), json.path("why").stringValue(),
				Instant.ofEpochMilli(json.path("since").longValue()));
	}

}
