package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Recurring jobs as Redis keeps them. With a mapper of its own: that of the application
 * may write the same thing in another way with each release.
 */
final class RecurringJson {

	static final JsonMapper MAPPER = JsonMapper.builder().build();

	private RecurringJson() {
	}

	static ObjectNode write(RecurringJob job) {
		Schedule schedule = job.schedule();
		ObjectNode json = MAPPER.createObjectNode();
		json.put("name", job.name());
		json.put("job", job.job());
		json.put("queue", job.queue());
		if (schedule.cron() != null) {
			json.put("cron", schedule.cron()).put("zone", schedule.zone().getId());
		}
		if (schedule.every() != null) {
			json.put("every", schedule.every().toMillis());
		}
		if (schedule.from() != null) {
			json.put("from", schedule.from().toEpochMilli());
		}
		if (schedule.until() != null) {
			json.put("until", schedule.until().toEpochMilli());
		}
		if (!schedule.jitter().isZero()) {
			json.put("jitter", schedule.jitter().toMillis());
		}
		json.put("missed", job.missed().name());
		if (job.atMost() > 0) {
			json.put("at_most", job.atMost());
		}
		return json.put("overlap", job.overlap().name());
	}

	/**
	 * Read what is stored.
	 * @throws RuntimeException if it cannot be read, such as what a later version has
	 * written
	 */
	static RecurringJob read(JsonNode json) {
		Schedule schedule = json.has("every") ? Schedule.every(Duration.ofMillis(json.path("every").longValue()))
				: Schedule.cron(json.path("cron").stringValue(), ZoneId.of(json.path("zone").stringValue()));
		if (json.has("from")) {
			schedule = schedule.from(Instant.ofEpochMilli(json.path("from").longValue()));
		}
		if (json.has("until")) {
			schedule = schedule.until(Instant.ofEpochMilli(json.path("until").longValue()));
		}
		if (json.has("jitter")) {
			schedule = schedule.jitter(Duration.ofMillis(json.path("jitter").longValue()));
		}
		return new RecurringJob(json.path("name").stringValue(), json.path("job").stringValue(),
				json.path("queue").stringValue(), schedule, Missed.valueOf(json.path("missed").stringValue()),
				json.path("at_most").asInt(0), Overlap.valueOf(json.path("overlap").stringValue()));
	}

	static RecurringJob read(String json) {
		return read(MAPPER.readTree(json));
	}

}
