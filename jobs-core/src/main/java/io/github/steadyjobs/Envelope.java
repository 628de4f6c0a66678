package io.github.steadyjobs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What every run asks a job's payload for. A job that has not failed yet is read without
 * making a tree of its JSON: its arguments are passed over, and only their place is kept.
 */
final class Envelope {

	private static final int REQUIRED = 0b111;

	/**
	 * What was read is noted here in one number, so the parser need not remember names.
	 */
	private static final ObjectReadContext CONTEXT = new ObjectReadContext.Base() {

		@Override
		public int getStreamReadFeatures(int defaults) {
			return defaults & ~StreamReadFeature.STRICT_DUPLICATE_DETECTION.getMask();
		}

	};

	private int present;

	private boolean unusual;

	String id = "";

	String name = "";

	String queue = "default";

	/** {@code null} for the default of the worker. */
	@Nullable Integer retries;

	boolean keptWhenDead = true;

	int attempts;

	long createdAt;

	@Nullable Long enqueuedAt;

	@Nullable Long at;

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
	 * @return {@code null} if the job has to be read as a tree: it has other fields as
	 * well, or breaks a rule, which whoever reads the tree explains
	 */
	static @Nullable Envelope read(JsonMapper mapper, byte[] json) {
		TokenStreamFactory factory = mapper.tokenStreamFactory();
		if (json.length > factory.streamReadConstraints().getMaxStringLength()) {
			// The length of a string that is passed over is not looked at.
			return null;
		}
		try (JsonParser parser = factory.createParser(CONTEXT, json)) {
			Envelope envelope = new Envelope();
			return (envelope.read(parser) && envelope.knowsArguments(json)) ? envelope : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private boolean read(JsonParser parser) {
		if (parser.nextToken() != JsonToken.START_OBJECT) {
			return false;
		}
		String field = parser.nextName();
		while (field != null && !this.unusual) {
			readField(field, parser.nextToken(), parser);
			field = parser.nextName();
		}
		boolean whole = parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
		return whole && !this.unusual && (this.present & REQUIRED) == REQUIRED;
	}

	private void readField(String field, JsonToken value, JsonParser parser) {
		switch (field) {
			case "jid" -> this.id = text(0, value, parser);
			case "class" -> this.name = text(1, value, parser);
			case "args" -> readArguments(value, parser);
			case "queue" -> this.queue = text(3, value, parser);
			case "retry" -> readRetry(value, parser);
			case "dead" -> this.keptWhenDead = isUsual(5, value.isBoolean()) && parser.getBooleanValue();
			case "created_at" -> this.createdAt = number(6, value, parser);
			case "enqueued_at" -> this.enqueuedAt = number(7, value, parser);
			case "at" -> this.at = number(8, value, parser);
			case "tags" -> readTags(value, parser);
			case "meta" -> readMeta(value, parser);
			default -> this.unusual = true;
		}
	}

	/**
	 * Note that a field is there, and whether it is as it mostly is: once, and fit for
	 * being read. The first three are those that each job has.
	 */
	private boolean isUsual(int field, boolean fits) {
		this.unusual |= !fits || (this.present & 1 << field) != 0;
		this.present |= 1 << field;
		return !this.unusual;
	}

	private String text(int field, JsonToken value, JsonParser parser) {
		return isUsual(field, value == JsonToken.VALUE_STRING) ? parser.getString() : "";
	}

	private long number(int field, JsonToken value, JsonParser parser) {
		return isUsual(field, value == JsonToken.VALUE_NUMBER_INT) ? parser.getLongValue() : 0;
	}

	private void readArguments(JsonToken value, JsonParser parser) {
		if (isUsual(2, value == JsonToken.START_ARRAY)) {
			this.argumentsStart = (int) parser.currentTokenLocation().getByteOffset();
			parser.skipChildren();
			this.argumentsEnd = (int) parser.currentLocation().getByteOffset();
		}
	}

	/**
	 * Return whether offsets are those of bytes, as they are in UTF-8.
	 */
	private boolean knowsArguments(byte[] json) {
		return this.argumentsStart >= 0 && json[this.argumentsStart] == '[' && json[this.argumentsEnd - 1] == ']';
	}

	private void readRetry(JsonToken value, JsonParser parser) {
		if (isUsual(4, value == JsonToken.VALUE_NUMBER_INT || value.isBoolean()) && value != JsonToken.VALUE_TRUE) {
			this.retries = (value == JsonToken.VALUE_FALSE) ? 0 : Math.max(0, parser.getIntValue());
		}
	}

	private void readTags(JsonToken value, JsonParser parser) {
		if (isUsual(9, value == JsonToken.START_ARRAY)) {
			List<String> all = new ArrayList<>();
			while (!this.unusual && parser.nextToken() != JsonToken.END_ARRAY) {
				this.unusual = parser.currentToken() != JsonToken.VALUE_STRING;
				all.add(parser.getString());
			}
			this.tags = Collections.unmodifiableList(all);
		}
	}

	private void readMeta(JsonToken value, JsonParser parser) {
		if (isUsual(10, value == JsonToken.START_OBJECT)) {
			Map<String, String> all = new LinkedHashMap<>();
			for (String key = parser.nextName(); key != null && !this.unusual; key = parser.nextName()) {
				this.unusual = parser.nextToken() != JsonToken.VALUE_STRING || all.put(key, parser.getString()) != null;
			}
			this.meta = Collections.unmodifiableMap(all);
		}
	}

	static ObjectNode readTree(JsonMapper mapper, byte[] stored) {
		JsonNode json;
		try {
			json = mapper.readTree(stored);
		}
		catch (JacksonException ex) {
			// Without its cause, whose message quotes the payload.
			throw new InvalidJobException("The payload is not JSON, or breaks a rule of the wire format" + place(ex));
		}
		if (!(json instanceof ObjectNode object)) {
			throw new InvalidJobException("The payload is not a JSON object");
		}
		return object;
	}

	private static String place(JacksonException failure) {
		TokenStreamLocation location = failure.getLocation();
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
		int failures = json.path("retry_count").asInt(-1);
		envelope.attempts = Math.max(-1, Math.min(failures, Integer.MAX_VALUE - 2)) + 1;
		envelope.createdAt = json.path("created_at").asLong(0);
		envelope.enqueuedAt = time(json.path("enqueued_at"));
		envelope.at = time(json.path("at"));
		envelope.tags = tags(json.path("tags"));
		envelope.meta = meta(json.path("meta"));
		return envelope;
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
