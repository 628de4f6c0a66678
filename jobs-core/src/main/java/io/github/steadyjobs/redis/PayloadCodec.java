package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobLimits;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest.Options;
import io.github.steadyjobs.PayloadField;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.ByteArrayBuilder;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes and reads the JSON of stored jobs. Thread safe.
 */
public final class PayloadCodec {

	private static final byte[] TRUE = ascii("true");

	private static final byte[] FALSE = ascii("false");

	/**
	 * The maximum number of cached names. Names can be derived from data, so an unlimited
	 * cache could fill the memory.
	 */
	private static final int MOST_NAMES = 1000;

	private final Map<String, byte[]> names = new ConcurrentHashMap<>();

	private final JsonMapper mapper;

	/** Create a codec. */
	public PayloadCodec(JsonMapper mapper) {
		// The stored form of an ordered job is split at newlines, so the JSON must not
		// contain any newline.
		this.mapper = mapper.isEnabled(SerializationFeature.INDENT_OUTPUT)
				? mapper.rebuild().disable(SerializationFeature.INDENT_OUTPUT).build() : mapper;
	}

	/** Return the mapper for arguments. The mapper does not indent its output. */
	public JsonMapper mapper() {
		return this.mapper;
	}

	/**
	 * Write a job that is stored for the first time.
	 * @param options the settings of the job: queue ({@code default} if not set), maximum
	 * number of retries (the default of the worker if not set), whether to keep the job
	 * when it is dead, limits, key, tags and metadata
	 * @param createdAt milliseconds since the epoch
	 * @param due the due time in milliseconds since the epoch; {@code null} for now
	 * @return the job, and the offset of its expiry
	 * @throws InvalidJobException if an argument cannot be written
	 */
	public Written write(String id, String name, List<? extends @Nullable Object> arguments, Options options,
			long createdAt, @Nullable Long due) {
		ByteArrayBuilder bytes = new ByteArrayBuilder(512);
		bytes.write(PayloadField.JID.start());
		bytes.write('"');
		bytes.write(ascii(id));
		bytes.write('"');
		bytes.write(PayloadField.CLASS.start());
		bytes.write(quoted(name));
		int begin = bytes.size();
		writeArguments(bytes, name, arguments);
		int end = bytes.size() - 1;
		bytes.write(PayloadField.QUEUE.start(), 1, PayloadField.QUEUE.start().length - 1);
		bytes.write(quoted((options.queue() != null) ? options.queue() : "default"));
		bytes.write(PayloadField.RETRY.start());
		OptionalInt retries = options.retries();
		bytes.write((retries != null && retries.isPresent()) ? ascii(Integer.toString(retries.getAsInt())) : TRUE);
		if (Boolean.FALSE.equals(options.dead())) {
			bytes.write(PayloadField.DEAD.start());
			bytes.write(FALSE);
		}
		int expiry = writeLimits(bytes, options.limits());
		byte[] now = ascii(Long.toString(createdAt));
		bytes.write(PayloadField.CREATED_AT.start());
		bytes.write(now);
		bytes.write(((due != null) ? PayloadField.AT : PayloadField.ENQUEUED_AT).start());
		bytes.write((due != null) ? ascii(Long.toString(due)) : now);
		if (options.key() != null) {
			bytes.write(PayloadField.KEY.start());
			bytes.write(this.mapper.writeValueAsBytes(options.key()));
		}
		int extras = bytes.size();
		writeExtras(bytes, options);
		byte[] payload = bytes.toByteArray();
		// So far, each part that Jackson has written is a separate object. Join the
		// parts.
		payload[begin] = ',';
		payload[end] = ',';
		if (payload[extras] == '{') {
			payload[extras] = ',';
		}
		return new Written(payload, expiry);
	}

	private int writeLimits(ByteArrayBuilder bytes, JobLimits limits) {
		if (limits == JobLimits.NONE) {
			return -1;
		}
		Duration retryFor = limits.retryFor();
		// In whole seconds, as in Sidekiq.
		writeNumber(bytes, PayloadField.RETRY_FOR, (retryFor != null) ? retryFor.plusMillis(999).toSeconds() : null);
		if (limits.retryQueue() != null) {
			bytes.write(PayloadField.RETRY_QUEUE.start());
			bytes.write(quoted(limits.retryQueue()));
		}
		writeNumber(bytes, PayloadField.BACKTRACE, limits.backtrace());
		Instant expiresAt = limits.expiresAt();
		int expiry = (expiresAt != null) ? bytes.size() + PayloadField.EXPIRES_AT.start().length : -1;
		writeNumber(bytes, PayloadField.EXPIRES_AT, (expiresAt != null) ? expiresAt.toEpochMilli() : null);
		Duration timeout = limits.timeout();
		writeNumber(bytes, PayloadField.TIMEOUT, (timeout != null) ? timeout.toMillis() : null);
		return expiry;
	}

	private static void writeNumber(ByteArrayBuilder bytes, PayloadField field, @Nullable Number number) {
		if (number != null) {
			bytes.write(field.start());
			bytes.write(ascii(number.toString()));
		}
	}

	/**
	 * Write only the arguments of a job.
	 * @param name the name of the job, for messages
	 * @return a JSON array
	 * @throws InvalidJobException if an argument cannot be written
	 */
	public byte[] writeArguments(String name, List<? extends @Nullable Object> arguments) {
		ByteArrayBuilder bytes = new ByteArrayBuilder(512);
		writeArguments(bytes, name, arguments);
		byte[] object = bytes.toByteArray();
		return Arrays.copyOfRange(object, PayloadField.ARGS.start().length, object.length - 1);
	}

	private void writeArguments(ByteArrayBuilder bytes, String name, List<? extends @Nullable Object> arguments) {
		try (JsonGenerator json = this.mapper.createGenerator(bytes)) {
			json.writeStartObject();
			json.writeName(PayloadField.ARGS.text());
			json.writeStartArray();
			for (Object argument : arguments) {
				json.writePOJO(argument);
			}
			json.writeEndArray();
			json.writeEndObject();
		}
		catch (JacksonException ex) {
			throw new InvalidJobException(
					"The arguments of job '%s' cannot be written as JSON: %s".formatted(name, ex.getMessage()), ex);
		}
	}

	private void writeExtras(ByteArrayBuilder bytes, Options options) {
		if (options.tags().isEmpty() && options.meta().isEmpty()) {
			bytes.write('}');
			return;
		}
		try (JsonGenerator json = this.mapper.createGenerator(bytes)) {
			json.writeStartObject();
			if (!options.tags().isEmpty()) {
				json.writeName(PayloadField.TAGS.text());
				json.writeStartArray();
				options.tags().forEach(json::writeString);
				json.writeEndArray();
			}
			if (!options.meta().isEmpty()) {
				json.writeName(PayloadField.META.text());
				json.writeStartObject();
				options.meta().forEach(json::writeStringProperty);
				json.writeEndObject();
			}
			json.writeEndObject();
		}
	}

	/** Return a name as a JSON string, which is cached. */
	private byte[] quoted(String name) {
		byte[] known = this.names.get(name);
		if (known == null) {
			ByteArrayBuilder bytes = new ByteArrayBuilder(64);
			try (JsonGenerator json = this.mapper.createGenerator(bytes)) {
				json.writeString(name);
			}
			known = bytes.toByteArray();
			if (this.names.size() < MOST_NAMES) {
				this.names.put(name, known);
			}
		}
		return known;
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

	/**
	 * Write a job that was read and then changed.
	 * @return JSON in UTF-8
	 */
	public byte[] write(JobPayload payload) {
		return this.mapper.writeValueAsBytes(payload.json());
	}

	/**
	 * Read a job, as {@link JobPayload#read} does.
	 * @throws InvalidJobException if the bytes are not a JSON object, or the object is
	 * not a job
	 */
	public JobPayload read(byte[] bytes) {
		return JobPayload.read(this.mapper, bytes);
	}

	/**
	 * A job that is stored for the first time.
	 *
	 * @param json JSON in UTF-8
	 * @param expiry the offset of the first digit of {@code expires_at}; -1 if the job
	 * has no expiry
	 */
	public record Written(byte[] json, int expiry) {

	}

}
