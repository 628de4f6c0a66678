package io.github.steadyjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The part of a job's payload that every run needs. A payload in exactly the form in
 * which this library first writes it is read without a JSON parser: its arguments are
 * skipped, and only their position is kept. Any other payload is parsed into a tree.
 */
final class Envelope {

	/** The fields that a failure adds or changes. */
	static final List<String> FAILURE = Stream
		.of(PayloadField.RETRY_COUNT, PayloadField.FAILED_AT, PayloadField.RETRIED_AT, PayloadField.ERROR_CLASS,
				PayloadField.ERROR_MESSAGE, PayloadField.ERROR_BACKTRACE, PayloadField.AT)
		.map(PayloadField::text)
		.toList();

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

	/** Offset of the first byte after the arguments. */
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

	/** Follow what is written, in its order. */
	private boolean read(Scan scan) {
		scan.expect(PayloadField.JID);
		this.id = scan.text();
		scan.expect(PayloadField.CLASS);
		this.name = scan.text();
		scan.expect(PayloadField.ARGS);
		this.argumentsStart = scan.position();
		scan.skipArray();
		this.argumentsEnd = scan.position();
		scan.expect(PayloadField.QUEUE);
		this.queue = scan.text();
		scan.expect(PayloadField.RETRY);
		if (!scan.accept(Scan.TRUE)) {
			this.retries = (int) scan.number(Integer.MAX_VALUE);
		}
		if (scan.accept(PayloadField.DEAD)) {
			scan.expect(Scan.FALSE);
			this.keptWhenDead = false;
		}
		if (!scan.accept(PayloadField.CREATED_AT)) {
			this.limits = limits(scan);
			scan.expect(PayloadField.CREATED_AT);
		}
		this.createdAt = scan.number(Long.MAX_VALUE);
		if (scan.accept(PayloadField.ENQUEUED_AT)) {
			this.enqueuedAt = scan.number(Long.MAX_VALUE);
		}
		else {
			scan.expect(PayloadField.AT);
			this.at = scan.number(Long.MAX_VALUE);
		}
		if (scan.accept(PayloadField.KEY)) {
			this.key = scan.text();
		}
		if (scan.accept(PayloadField.TAGS)) {
			this.tags = scan.texts();
		}
		if (scan.accept(PayloadField.META)) {
			this.meta = scan.textsByName();
		}
		return scan.isAtEnd();
	}

	private static JobLimits limits(Scan scan) {
		return limits(scan.number(PayloadField.RETRY_FOR, LONGEST_RETRY_FOR),
				scan.accept(PayloadField.RETRY_QUEUE) ? scan.text() : null,
				scan.number(PayloadField.BACKTRACE, Integer.MAX_VALUE),
				scan.number(PayloadField.EXPIRES_AT, Long.MAX_VALUE),
				scan.number(PayloadField.TIMEOUT, LONGEST_TIMEOUT));
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

	/** Read any job, which others may have written. */
	static Envelope of(ObjectNode json) {
		Envelope envelope = new Envelope();
		require(PayloadField.JID.in(json).isString(), "a string 'jid'");
		require(PayloadField.CLASS.in(json).isString(), "a string 'class'");
		require(PayloadField.ARGS.in(json).isArray(), "an array 'args'");
		envelope.id = PayloadField.JID.in(json).stringValue();
		envelope.name = PayloadField.CLASS.in(json).stringValue();
		envelope.queue = PayloadField.QUEUE.in(json).asString("default");
		JsonNode retry = PayloadField.RETRY.in(json);
		if (retry.isIntegralNumber()) {
			envelope.retries = Math.max(0, retry.asInt(0));
		}
		else if (retry.isBoolean() && !retry.booleanValue()) {
			envelope.retries = 0;
		}
		JsonNode dead = PayloadField.DEAD.in(json);
		envelope.keptWhenDead = !dead.isBoolean() || dead.booleanValue();
		envelope.limits = limits(json);
		int failures = PayloadField.RETRY_COUNT.in(json).asInt(-1);
		envelope.attempts = Math.max(-1, Math.min(failures, Integer.MAX_VALUE - 2)) + 1;
		envelope.createdAt = PayloadField.CREATED_AT.in(json).asLong(0);
		envelope.enqueuedAt = time(PayloadField.ENQUEUED_AT.in(json));
		envelope.at = time(PayloadField.AT.in(json));
		JsonNode key = PayloadField.KEY.in(json);
		envelope.key = key.isString() ? key.stringValue() : null;
		envelope.tags = tags(PayloadField.TAGS.in(json));
		envelope.meta = meta(PayloadField.META.in(json));
		return envelope;
	}

	/** Read limits that others may have written. What cannot be one is passed over. */
	private static JobLimits limits(ObjectNode json) {
		JsonNode retryFor = PayloadField.RETRY_FOR.in(json);
		JsonNode backtrace = PayloadField.BACKTRACE.in(json);
		Long timeout = time(PayloadField.TIMEOUT.in(json));
		Long lines = backtrace.isBoolean() ? Long.valueOf(backtrace.booleanValue() ? MOST_LINES : 0) : time(backtrace);
		JsonNode retryQueue = PayloadField.RETRY_QUEUE.in(json);
		return limits(retryFor.isNumber() ? Long.valueOf((long) Math.ceil(retryFor.asDouble(0))) : null,
				retryQueue.isString() ? retryQueue.stringValue() : null, lines, time(PayloadField.EXPIRES_AT.in(json)),
				timeout);
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
