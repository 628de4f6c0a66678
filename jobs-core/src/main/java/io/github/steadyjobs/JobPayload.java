package io.github.steadyjobs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.util.Assert;

/**
 * A job as it is stored: Sidekiq's job hash. Immutable; fields that this version does not
 * know are kept.
 */
public final class JobPayload {

	private static final int LONGEST_PRINTED = 255;

	private final ObjectNode json;

	private JobPayload(ObjectNode json) {
		this.json = json;
		require(json.path("jid").isString(), "a string 'jid'");
		require(json.path("class").isString(), "a string 'class'");
		require(json.path("args").isArray(), "an array 'args'");
	}

	/**
	 * Make a payload of a JSON object, as a test of a listener needs one. Payloads that a
	 * listener or {@link JobClient#find} gets are read from Redis.
	 * @param json the object, with the fields of {@code docs/wire-format.md}; not to be
	 * changed afterwards
	 * @return the payload
	 * @throws InvalidJobException if it lacks an id, a name or a list of arguments
	 */
	public static JobPayload of(ObjectNode json) {
		Assert.notNull(json, "'json' must not be null");
		return new JobPayload(json);
	}

	private static void require(boolean present, String what) {
		if (!present) {
			throw new InvalidJobException("A job's payload needs " + what + "; this one has none");
		}
	}

	/**
	 * Return the id of the job.
	 * @return 24 lower-case hex digits
	 */
	public String id() {
		return this.json.path("jid").stringValue();
	}

	/**
	 * Return the name of the job.
	 * @return the name
	 */
	public String name() {
		return this.json.path("class").stringValue();
	}

	/**
	 * Return the arguments of the job.
	 * @return the arguments as JSON, not to be changed
	 */
	public ArrayNode arguments() {
		return (ArrayNode) this.json.path("args");
	}

	/**
	 * Return the queue the job was enqueued in.
	 * @return the queue
	 */
	public String queue() {
		return this.json.path("queue").asString("default");
	}

	/**
	 * Return how often the job is to be retried, if it says so itself.
	 * @param defaultRetries the number to take where the job says {@code true} or nothing
	 * @return zero or more
	 */
	public int retries(int defaultRetries) {
		JsonNode retry = this.json.path("retry");
		if (retry.isIntegralNumber()) {
			return Math.max(0, retry.asInt(0));
		}
		return (retry.isBoolean() && !retry.booleanValue()) ? 0 : defaultRetries;
	}

	/**
	 * Return whether the job is kept in the dead set when it has failed for the last
	 * time.
	 * @return {@code false} if it is discarded then
	 */
	public boolean isKeptWhenDead() {
		JsonNode dead = this.json.path("dead");
		return !dead.isBoolean() || dead.booleanValue();
	}

	/**
	 * Return how many attempts to run the job have failed so far. In
	 * {@link JobListener#failed} that is the {@linkplain JobContext#attempt() attempt}
	 * that has just failed.
	 * @return 0 for a job that never failed, 1 after its first failure
	 */
	public int attempts() {
		int retries = this.json.path("retry_count").asInt(-1);
		return Math.max(-1, Math.min(retries, Integer.MAX_VALUE - 2)) + 1;
	}

	/**
	 * Return when the job was created, by its producer's clock.
	 * @return the time, to the millisecond
	 */
	public Instant createdAt() {
		return Instant.ofEpochMilli(this.json.path("created_at").asLong(0));
	}

	/**
	 * Return when the job was enqueued, by its producer's clock.
	 * @return the time, to the millisecond; that of its creation if it was scheduled
	 */
	public Instant enqueuedAt() {
		Instant enqueued = time("enqueued_at");
		return (enqueued != null) ? enqueued : createdAt();
	}

	/**
	 * Return when the job is or was due.
	 * @return the time, or {@code null} for a job that was neither scheduled nor retried
	 */
	public @Nullable Instant at() {
		return time("at");
	}

	/**
	 * Return when the job failed for the first time.
	 * @return the time, or {@code null} for a job that never failed
	 */
	public @Nullable Instant failedAt() {
		return time("failed_at");
	}

	/**
	 * Return when the job failed last, after the first time.
	 * @return the time, or {@code null} for a job that did not fail twice
	 */
	public @Nullable Instant retriedAt() {
		return time("retried_at");
	}

	/**
	 * Return the class of the last failure.
	 * @return the name of the exception's class, or {@code null}
	 */
	public @Nullable String errorClass() {
		return text("error_class");
	}

	/**
	 * Return the message of the last failure.
	 * @return the message, or {@code null}
	 */
	public @Nullable String errorMessage() {
		return text("error_message");
	}

	/**
	 * Return the tags of the job.
	 * @return the tags, often none
	 */
	public List<String> tags() {
		JsonNode tags = this.json.path("tags");
		if (tags.isEmpty()) {
			return List.of();
		}
		List<String> all = new ArrayList<>();
		tags.forEach((tag) -> all.add(tag.asString("")));
		return Collections.unmodifiableList(all);
	}

	/**
	 * Return the values that were attached to the job.
	 * @return names and values, often none
	 */
	public Map<String, String> meta() {
		JsonNode meta = this.json.path("meta");
		if (meta.isEmpty()) {
			return Map.of();
		}
		Map<String, String> all = new LinkedHashMap<>();
		meta.properties().forEach((entry) -> all.put(entry.getKey(), entry.getValue().asString("")));
		return Collections.unmodifiableMap(all);
	}

	/**
	 * Return any field of the job.
	 * @param field the name of the field
	 * @return the value, a missing node if there is none; not to be changed
	 */
	public JsonNode field(String field) {
		Assert.notNull(field, "'field' must not be null");
		return this.json.path(field);
	}

	/**
	 * Return a changed copy.
	 * @param change makes the changes
	 * @return the copy
	 */
	public JobPayload with(Consumer<ObjectNode> change) {
		Assert.notNull(change, "'change' must not be null");
		ObjectNode copy = JsonNodeFactory.instance.objectNode();
		copy.setAll(this.json);
		change.accept(copy);
		return new JobPayload(copy);
	}

	/**
	 * Return the whole job.
	 * @return the JSON object, not to be changed
	 */
	public ObjectNode json() {
		return this.json;
	}

	private @Nullable Instant time(String field) {
		JsonNode value = this.json.path(field);
		// Others may have written the payload, and a number may be anything.
		boolean milliseconds = value.isIntegralNumber() && value.canConvertToLong();
		return milliseconds ? Instant.ofEpochMilli(value.longValue()) : null;
	}

	private @Nullable String text(String field) {
		JsonNode value = this.json.path(field);
		return value.isString() ? value.stringValue() : null;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof JobPayload that && this.json.equals(that.json);
	}

	@Override
	public int hashCode() {
		return this.json.hashCode();
	}

	@Override
	public String toString() {
		// Arguments may be secrets, and payloads end up in logs.
		return printable(name()) + "[" + printable(id()) + "]";
	}

	/**
	 * Make a text fit into one line of a log, whoever wrote it.
	 */
	private static String printable(String text) {
		StringBuilder printable = new StringBuilder();
		text.codePoints()
			.limit(LONGEST_PRINTED)
			.forEach((point) -> printable
				.append(isPrintable(point) ? Character.toString(point) : "\\u%04x".formatted(point)));
		return (text.length() > LONGEST_PRINTED) ? printable.append('…').toString() : printable.toString();
	}

	private static boolean isPrintable(int point) {
		return switch (Character.getType(point)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE, Character.UNASSIGNED ->
				false;
			default -> true;
		};
	}

}
