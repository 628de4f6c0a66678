package io.github.steadyjobs;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * The part of a job's payload that every run needs. A payload in the form that this
 * library gives to new jobs is read without a JSON parser: the arguments are skipped, and
 * only their position is kept. Any other payload is parsed into a tree.
 */
final class Envelope {

	/** The fields that a failure adds or changes, except the history of failures. */
	static final List<String> FAILURE = Stream
		.of(PayloadField.RETRY_COUNT, PayloadField.FAILED_AT, PayloadField.RETRIED_AT, PayloadField.ERROR_CLASS,
				PayloadField.ERROR_MESSAGE, PayloadField.ERROR_BACKTRACE, PayloadField.AT)
		.map(PayloadField::text)
		.toList();

	/** The number of lines for which {@code "backtrace": true} stands. */
	private static final int MOST_LINES = 1_000;

	/** 100 years, in seconds. Longer times are reduced to this value. */
	private static final long LONGEST_RETRY_FOR = 3_155_760_000L;

	private static final long LONGEST_TIMEOUT = LONGEST_RETRY_FOR * 1000;

	final String id;

	final String name;

	/** The position of the arguments; {@code null} if they are in a tree. */
	final @Nullable Range arguments;

	final String queue;

	/** The maximum number of retries; {@code null} to use the worker's default. */
	final @Nullable Integer retries;

	final boolean keptWhenDead;

	final JobLimits limits;

	final long createdAt;

	final @Nullable Long enqueuedAt;

	final @Nullable Long at;

	/**
	 * The ordering key: jobs with the same key run one after another. {@code null} for a
	 * job that is not ordered.
	 */
	final @Nullable String key;

	final List<String> tags;

	final Map<String, String> meta;

	final int attempts;

	private Envelope(Fields fields) {
		this.id = Objects.requireNonNullElse(fields.text(PayloadField.JID), "");
		this.name = Objects.requireNonNullElse(fields.text(PayloadField.CLASS), "");
		this.arguments = fields.arguments();
		this.queue = Objects.requireNonNullElse(fields.text(PayloadField.QUEUE), "default");
		Boolean retry = fields.flag(PayloadField.RETRY);
		Long retries = Boolean.FALSE.equals(retry) ? Long.valueOf(0) : fields.number(PayloadField.RETRY);
		this.retries = (retries != null) ? Integer.valueOf(Math.max(0, toInt(retries, 0))) : null;
		this.keptWhenDead = !Boolean.FALSE.equals(fields.flag(PayloadField.DEAD));
		this.limits = limits(fields);
		this.createdAt = Objects.requireNonNullElse(fields.number(PayloadField.CREATED_AT), 0L);
		this.enqueuedAt = fields.number(PayloadField.ENQUEUED_AT);
		this.at = fields.number(PayloadField.AT);
		this.key = fields.text(PayloadField.KEY);
		this.tags = fields.texts(PayloadField.TAGS);
		this.meta = fields.textsByName(PayloadField.META);
		int failures = toInt(Objects.requireNonNullElse(fields.number(PayloadField.RETRY_COUNT), -1L), -1);
		this.attempts = Math.max(-1, Math.min(failures, Integer.MAX_VALUE - 2)) + 1;
	}

	private static int toInt(long number, int otherwise) {
		return ((int) number == number) ? (int) number : otherwise;
	}

	/**
	 * Read the limits. Other software may have written them, so invalid values are
	 * ignored and values that are too high are reduced.
	 */
	private static JobLimits limits(Fields fields) {
		Duration retryFor = time(fields.number(PayloadField.RETRY_FOR), LONGEST_RETRY_FOR, Duration::ofSeconds);
		String retryQueue = fields.text(PayloadField.RETRY_QUEUE);
		Boolean all = fields.flag(PayloadField.BACKTRACE);
		Long lines = (all != null) ? Long.valueOf(all ? MOST_LINES : 0) : fields.number(PayloadField.BACKTRACE);
		Instant expires = instant(fields.number(PayloadField.EXPIRES_AT));
		Duration timeout = time(fields.number(PayloadField.TIMEOUT), LONGEST_TIMEOUT, Duration::ofMillis);
		if (retryFor == null && retryQueue == null && lines == null && expires == null && timeout == null) {
			return JobLimits.NONE;
		}
		JobLimits limits = new JobLimits(retryFor, Names.isName(retryQueue) ? retryQueue : null,
				(lines != null && lines >= 0) ? Integer.valueOf((int) Math.min(lines, Integer.MAX_VALUE)) : null, null,
				(expires != null && JobLimits.isExpiry(expires)) ? expires : null, timeout);
		return limits.or(JobLimits.NONE);
	}

	private static @Nullable Duration time(@Nullable Long number, long longest, LongFunction<Duration> unit) {
		return (number != null && number > 0) ? unit.apply(Math.min(number, longest)) : null;
	}

	static @Nullable Instant instant(@Nullable Long millis) {
		return (millis != null) ? Instant.ofEpochMilli(millis) : null;
	}

	/**
	 * Read a job in the form that this library gives to new jobs.
	 * @return {@code null} if the form differs in any way; the job, valid or not, must
	 * then be read as a tree
	 */
	static @Nullable Envelope read(byte[] json) {
		Scan scan = new Scan(json);
		if (scan.hasFailed()) {
			return null;
		}
		Envelope envelope = new Envelope(scan);
		boolean complete = !envelope.id.isEmpty() && !envelope.name.isEmpty() && envelope.arguments != null
				&& (envelope.enqueuedAt != null || envelope.at != null);
		return complete ? envelope : null;
	}

	/** Read any job, including jobs that other software has written. */
	static Envelope of(ObjectNode json) {
		require(PayloadField.JID.in(json).isString(), "a string 'jid'");
		require(PayloadField.CLASS.in(json).isString(), "a string 'class'");
		require(PayloadField.ARGS.in(json).isArray(), "an array 'args'");
		return new Envelope(new Tree(json));
	}

	private static void require(boolean present, String what) {
		if (!present) {
			throw new InvalidJobException("A job's payload needs %s, but this one has none".formatted(what));
		}
	}

	static ObjectNode readTree(JsonMapper mapper, byte[] stored) {
		if (!(parse(mapper, stored) instanceof ObjectNode object)) {
			throw new InvalidJobException("The payload is not a JSON object");
		}
		return object;
	}

	static ArrayNode readArguments(JsonMapper mapper, byte[] arguments) {
		if (!(parse(mapper, arguments) instanceof ArrayNode array)) {
			throw new InvalidJobException("The arguments are not a JSON array");
		}
		// Inside the job, the arguments would be one level deeper, which is too deep to
		// write.
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

	private static JsonNode parse(JsonMapper mapper, byte[] stored) {
		try {
			return mapper.readTree(stored);
		}
		catch (RuntimeException ex) {
			// A number such as 1e9999999999 causes an exception that is not a
			// JacksonException. The cause is left out because its message quotes the
			// payload.
			TokenStreamLocation at = (ex instanceof JacksonException jackson) ? jackson.getLocation() : null;
			throw new InvalidJobException("The payload is not JSON, or breaks a rule of the wire format"
					+ ((at != null) ? ": line %d, column %d".formatted(at.getLineNr(), at.getColumnNr()) : ""));
		}
	}

	static @Nullable Long number(JsonNode value) {
		return (value.isIntegralNumber() && value.canConvertToLong()) ? value.longValue() : null;
	}

	record Range(int start, int length) {

	}

	/** The fields of a job. A missing field is {@code null} or empty. */
	private interface Fields {

		/** Return the position of the arguments, or {@code null} for a tree. */
		@Nullable Range arguments();

		@Nullable String text(PayloadField field);

		@Nullable Boolean flag(PayloadField field);

		@Nullable Long number(PayloadField field);

		List<String> texts(PayloadField field);

		Map<String, String> textsByName(PayloadField field);

	}

	/** Reads any job. Ignores values of an unexpected type, or reads them as text. */
	private record Tree(ObjectNode json) implements Fields {

		@Override
		public @Nullable Range arguments() {
			return null;
		}

		@Override
		public @Nullable String text(PayloadField field) {
			JsonNode value = field.in(this.json);
			return value.isString() ? value.stringValue() : null;
		}

		@Override
		public @Nullable Boolean flag(PayloadField field) {
			JsonNode value = field.in(this.json);
			return value.isBoolean() ? value.booleanValue() : null;
		}

		@Override
		public @Nullable Long number(PayloadField field) {
			JsonNode value = field.in(this.json);
			// Sidekiq accepts fractions of a second here.
			return (field == PayloadField.RETRY_FOR && value.isNumber())
					? Long.valueOf((long) Math.ceil(value.asDouble(0))) : Envelope.number(value);
		}

		@Override
		public List<String> texts(PayloadField field) {
			return field.in(this.json).valueStream().map((text) -> text.asString("")).toList();
		}

		@Override
		public Map<String, String> textsByName(PayloadField field) {
			Map<String, String> all = new LinkedHashMap<>();
			field.in(this.json).properties().forEach((entry) -> all.put(entry.getKey(), entry.getValue().asString("")));
			return Collections.unmodifiableMap(all);
		}

	}

	/**
	 * Scans the bytes of a payload in the form that this library gives to new jobs, in a
	 * single pass. Creating a JSON parser and asking it for each name took more than half
	 * of the time needed to read and bind a job. All fields are read by one loop, because
	 * the first jobs of a process run while this code is compiled, and compiling it takes
	 * long if the code is repeated for each field.
	 * <p>
	 * The scan supports only the JSON that it needs. It fails at anything unexpected:
	 * white space, an escape, a character that is not ASCII, or a field out of order.
	 * Within the arguments, the scan only looks for their end. Whether they are valid
	 * JSON is checked when they are bound.
	 */
	private static final class Scan implements Fields {

		/** The fields that this scan reads, in the order in which they are written. */
		private static final PayloadField[] FIELDS = Arrays.copyOf(PayloadField.values(),
				PayloadField.RETRY_COUNT.ordinal() + 1);

		private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);

		private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

		/**
		 * Maximum length of a text in bytes; longer texts are left to the JSON parser.
		 */
		private static final int LONGEST_TEXT = 1_000;

		private static final int MOST_DIGITS = 18;

		private final byte[] json;

		/** The values of the fields, by their ordinals. */
		private final @Nullable Object[] values = new Object[FIELDS.length];

		private int position;

		private boolean failed;

		Scan(byte[] json) {
			this.json = json;
			for (PayloadField field : FIELDS) {
				if (accept(field.start())) {
					this.values[field.ordinal()] = (field == PayloadField.ARGS) ? skipArray() : value();
				}
			}
			expect('}');
			this.failed |= this.position != json.length;
		}

		boolean hasFailed() {
			return this.failed;
		}

		private boolean accept(byte[] literal) {
			int end = this.position + literal.length;
			// The third byte is compared first, because it alone rules out most fields.
			if (this.failed || end > this.json.length || this.json[this.position + 2] != literal[2]
					|| !Arrays.equals(this.json, this.position, end, literal, 0, literal.length)) {
				return false;
			}
			this.position = end;
			return true;
		}

		private boolean accept(char expected) {
			if (this.failed || this.position >= this.json.length || this.json[this.position] != expected) {
				return false;
			}
			this.position++;
			return true;
		}

		private void expect(char expected) {
			this.failed |= !accept(expected);
		}

		private @Nullable Object value() {
			return switch ((this.position < this.json.length) ? this.json[this.position] : 0) {
				case '"' -> text();
				case '[' -> texts();
				case '{' -> textsByName();
				case 't' -> flag(TRUE);
				case 'f' -> flag(FALSE);
				default -> number();
			};
		}

		private String text() {
			expect('"');
			int start = this.position;
			int most = Math.min(this.json.length, start + LONGEST_TEXT);
			int end = start;
			// Bytes are signed, so the loop also stops at non-ASCII characters.
			while (end < most && this.json[end] >= ' ' && this.json[end] != '"' && this.json[end] != '\\') {
				end++;
			}
			this.position = end;
			expect('"');
			return this.failed ? "" : new String(this.json, start, end - start, StandardCharsets.ISO_8859_1);
		}

		private Boolean flag(byte[] literal) {
			this.failed |= !accept(literal);
			return literal == TRUE;
		}

		/** Read a non-negative number. */
		private Long number() {
			int start = this.position;
			int most = Math.min(this.json.length, start + MOST_DIGITS);
			long number = 0;
			int next = start;
			while (next < most && this.json[next] >= '0' && this.json[next] <= '9') {
				number = number * 10 + this.json[next++] - '0';
			}
			this.position = next;
			this.failed |= next == start || (next > start + 1 && this.json[start] == '0');
			return number;
		}

		private List<String> texts() {
			List<String> all = new ArrayList<>();
			expect('[');
			do {
				all.add(text());
			}
			while (accept(','));
			expect(']');
			return Collections.unmodifiableList(all);
		}

		private Map<String, String> textsByName() {
			Map<String, String> all = new LinkedHashMap<>();
			expect('{');
			do {
				String name = text();
				expect(':');
				this.failed |= all.put(name, text()) != null;
			}
			while (accept(','));
			expect('}');
			return Collections.unmodifiableMap(all);
		}

		private Range skipArray() {
			int start = this.position;
			boolean array = accept('[');
			int next = this.position;
			int depth = 1;
			while (array && depth > 0 && next < this.json.length) {
				switch (this.json[next++]) {
					case '[', '{' -> depth++;
					case ']', '}' -> depth--;
					case '"' -> next = endOfText(next);
					default -> {
					}
				}
			}
			this.position = next;
			this.failed |= depth > 0;
			return new Range(start, next - start);
		}

		private int endOfText(int start) {
			int next = start;
			while (next < this.json.length && this.json[next] != '"') {
				next += (this.json[next] == '\\') ? 2 : 1;
			}
			return next + 1;
		}

		@Override
		public @Nullable Range arguments() {
			return (Range) this.values[PayloadField.ARGS.ordinal()];
		}

		@Override
		public @Nullable String text(PayloadField field) {
			return (this.values[field.ordinal()] instanceof String text) ? text : null;
		}

		@Override
		public @Nullable Boolean flag(PayloadField field) {
			return (this.values[field.ordinal()] instanceof Boolean flag) ? flag : null;
		}

		@Override
		public @Nullable Long number(PayloadField field) {
			return (this.values[field.ordinal()] instanceof Long number) ? number : null;
		}

		@Override
		@SuppressWarnings("unchecked")
		public List<String> texts(PayloadField field) {
			return (this.values[field.ordinal()] instanceof List<?> texts) ? (List<String>) texts : List.of();
		}

		@Override
		@SuppressWarnings("unchecked")
		public Map<String, String> textsByName(PayloadField field) {
			return (this.values[field.ordinal()] instanceof Map<?, ?> texts) ? (Map<String, String>) texts : Map.of();
		}

	}

}
