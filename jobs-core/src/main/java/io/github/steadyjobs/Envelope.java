package io.github.steadyjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What every run asks a job's payload for. A payload that is just as this library writes
 * it first is read without a JSON parser: its arguments are passed over, and only their
 * place is kept. Of any other one a tree is made.
 */
final class Envelope {

	/** The fields that a failure adds or changes. */
	static final List<String> FAILURE = List.of("retry_count", "failed_at", "retried_at", "error_class",
			"error_message", "error_backtrace", "at");

	/** In place of all of them. */
	private static final int MOST_LINES = 1_000;

	/** In seconds: 100 years, which is for ever. */
	private static final long LONGEST_RETRY_FOR = 3_155_760_000L;

	private static final long LONGEST_TIMEOUT = LONGEST_RETRY_FOR * 1000;

	String id = "";

	String name = "";

	String queue = "default";

	/** {@code null} for the default of the worker. */
	@Nullable Integer retries;

	boolean keptWhenDead = true;

	JobLimits limits = JobLimits.NONE;

	int attempts;

	long createdAt;

	@Nullable Long enqueuedAt;

	@Nullable Long at;

	/** Which jobs run one after another, {@code null} for one that is not ordered. */
	@Nullable String key;

	List<String> tags = List.of();

	Map<String, String> meta = Map.of();

	/** Offset of the first byte of the arguments. */
	int argumentsStart;

	/** Offset of the first byte behind the arguments. */
	int argumentsEnd;

	private Envelope() {
	}

	/**
	 * Read a job as this library writes it first.
	 * @return {@code null} if anything is different, so that the job has to be read as a
	 * tree, be it right or wrong
	 */
	static @Nullable Envelope read(byte[] json) {
		Envelope envelope = new Envelope();
		return envelope.read(new Scan(json)) ? envelope : null;
	}

	/**
	 * Follow what is written, in its order.
	 */
	private boolean read(Scan scan) {
		scan.expect(Scan.ID);
		this.id = scan.text();
		scan.expect(Scan.NAME);
		this.name = scan.text();
		scan.expect(Scan.ARGUMENTS);
		this.argumentsStart = scan.position();
		scan.skipArray();
		this.argumentsEnd = scan.position();
		scan.expect(Scan.QUEUE);
		this.queue = scan.text();
		scan.expect(Scan.RETRY);
		if (!scan.accept(Scan.TRUE)) {
			this.retries = (int) scan.number(Integer.MAX_VALUE);
		}
		this.keptWhenDead = !scan.accept(Scan.NOT_KEPT);
		if (!scan.accept(Scan.CREATED_AT)) {
			this.limits = limits(scan);
			scan.expect(Scan.CREATED_AT);
		}
		this.createdAt = scan.number(Long.MAX_VALUE);
		if (scan.accept(Scan.ENQUEUED_AT)) {
			this.enqueuedAt = scan.number(Long.MAX_VALUE);
		}
		else {
			scan.expect(Scan.AT);
			this.at = scan.number(Long.MAX_VALUE);
		}
		if (scan.accept(Scan.KEY)) {
			this.key = scan.text();
		}
		if (scan.accept(Scan.TAGS)) {
			this.tags = scan.texts();
		}
		if (scan.accept(Scan.META)) {
			this.meta = scan.textsByName();
		}
		return scan.isAtEnd();
	}

	private static JobLimits limits(Scan scan) {
		return limits(scan.number(Scan.RETRY_FOR, LONGEST_RETRY_FOR),
				scan.accept(Scan.RETRY_QUEUE) ? scan.text() : null, scan.number(Scan.BACKTRACE, Integer.MAX_VALUE),
				scan.number(Scan.EXPIRES_AT, Long.MAX_VALUE), scan.number(Scan.TIMEOUT, LONGEST_TIMEOUT));
	}

	static ObjectNode readTree(JsonMapper mapper, byte[] stored) {
		if (!(read(mapper, stored) instanceof ObjectNode object)) {
			throw new InvalidJobException("The payload is not a JSON object");
		}
		return object;
	}

	static ArrayNode readArguments(JsonMapper mapper, byte[] arguments) {
		if (!(read(mapper, arguments) instanceof ArrayNode array)) {
			throw new InvalidJobException("The arguments are not a JSON array");
		}
		// Inside of their job they are one level deeper, and could not be written there.
		if (depth(array) >= mapper.tokenStreamFactory().streamWriteConstraints().getMaxNestingDepth()) {
			throw new InvalidJobException("The arguments are nested deeper than the wire format allows");
		}
		return array;
	}

	private static int depth(JsonNode node) {
		int deepest = 0;
		for (JsonNode element : node) {
			deepest = Math.max(deepest, depth(element));
		}
		return node.isContainer() ? deepest + 1 : 0;
	}

	private static JsonNode read(JsonMapper mapper, byte[] stored) {
		try {
			return mapper.readTree(stored);
		}
		catch (RuntimeException ex) {
			// A number such as 1e9999999999 is no JacksonException. Without its cause,
			// whose message quotes the payload.
			throw new InvalidJobException("The payload is not JSON, or breaks a rule of the wire format" + place(ex));
		}
	}

	private static String place(RuntimeException failure) {
		TokenStreamLocation location = (failure instanceof JacksonException ex) ? ex.getLocation() : null;
		return (location != null) ? ": line %d, column %d".formatted(location.getLineNr(), location.getColumnNr()) : "";
	}

	/**
	 * Read any job, which others may have written.
	 */
	static Envelope of(ObjectNode json) {
		Envelope envelope = new Envelope();
		require(json.path("jid").isString(), "a string 'jid'");
		require(json.path("class").isString(), "a string 'class'");
		require(json.path("args").isArray(), "an array 'args'");
		envelope.id = json.path("jid").stringValue();
		envelope.name = json.path("class").stringValue();
		envelope.queue = json.path("queue").asString("default");
		JsonNode retry = json.path("retry");
		if (retry.isIntegralNumber()) {
			envelope.retries = Math.max(0, retry.asInt(0));
		}
		else if (retry.isBoolean() && !retry.booleanValue()) {
			envelope.retries = 0;
		}
		JsonNode dead = json.path("dead");
		envelope.keptWhenDead = !dead.isBoolean() || dead.booleanValue();
		envelope.limits = limits(json);
		int failures = json.path("retry_count").asInt(-1);
		envelope.attempts = Math.max(-1, Math.min(failures, Integer.MAX_VALUE - 2)) + 1;
		envelope.createdAt = json.path("created_at").asLong(0);
		envelope.enqueuedAt = time(json.path("enqueued_at"));
		envelope.at = time(json.path("at"));
		JsonNode key = json.path("key");
		envelope.key = key.isString() ? key.stringValue() : null;
		envelope.tags = tags(json.path("tags"));
		envelope.meta = meta(json.path("meta"));
		return envelope;
	}

	/**
	 * Read limits that others may have written. What cannot be one is passed over.
	 */
	private static JobLimits limits(ObjectNode json) {
		JsonNode retryFor = json.path("retry_for");
		JsonNode backtrace = json.path("backtrace");
		Long timeout = time(json.path("timeout"));
		Long lines = backtrace.isBoolean() ? Long.valueOf(backtrace.booleanValue() ? MOST_LINES : 0) : time(backtrace);
		JsonNode retryQueue = json.path("retry_queue");
		return limits(retryFor.isNumber() ? Long.valueOf((long) Math.ceil(retryFor.asDouble(0))) : null,
				retryQueue.isString() ? retryQueue.stringValue() : null, lines, time(json.path("expires_at")), timeout);
	}

	/**
	 * Make limits of numbers that may be anything. What is out of range is passed over
	 * here, and nowhere else.
	 */
	private static JobLimits limits(@Nullable Long retryFor, @Nullable String retryQueue, @Nullable Long backtrace,
			@Nullable Long expiresAt, @Nullable Long timeout) {
		if (retryFor == null && retryQueue == null && backtrace == null && expiresAt == null && timeout == null) {
			return JobLimits.NONE;
		}
		Instant expires = instant(expiresAt);
		JobLimits limits = new JobLimits(time(retryFor, LONGEST_RETRY_FOR, Duration::ofSeconds),
				Names.isName(retryQueue) ? retryQueue : null,
				(backtrace != null && backtrace >= 0) ? Integer.valueOf((int) Math.min(backtrace, Integer.MAX_VALUE))
						: null,
				null, (expires != null && JobLimits.isExpiry(expires)) ? expires : null,
				time(timeout, LONGEST_TIMEOUT, Duration::ofMillis));
		return limits.equals(JobLimits.NONE) ? JobLimits.NONE : limits;
	}

	private static @Nullable Duration time(@Nullable Long number, long longest, LongFunction<Duration> unit) {
		return (number != null && number > 0) ? unit.apply(Math.min(number, longest)) : null;
	}

	static @Nullable Instant instant(@Nullable Long millis) {
		return (millis != null) ? Instant.ofEpochMilli(millis) : null;
	}

	private static void require(boolean present, String what) {
		if (!present) {
			throw new InvalidJobException("A job's payload needs " + what + "; this one has none");
		}
	}

	static @Nullable Long time(JsonNode value) {
		// Others may have written the payload, and a number may be anything.
		return (value.isIntegralNumber() && value.canConvertToLong()) ? value.longValue() : null;
	}

	private static List<String> tags(JsonNode tags) {
		if (tags.isEmpty()) {
			return List.of();
		}
		List<String> all = new ArrayList<>();
		tags.forEach((tag) -> all.add(tag.asString("")));
		return Collections.unmodifiableList(all);
	}

	private static Map<String, String> meta(JsonNode meta) {
		if (meta.isEmpty()) {
			return Map.of();
		}
		Map<String, String> all = new LinkedHashMap<>();
		meta.properties().forEach((entry) -> all.put(entry.getKey(), entry.getValue().asString("")));
		return Collections.unmodifiableMap(all);
	}

}
