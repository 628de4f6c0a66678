package io.github.steadyjobs.redis;

import java.util.List;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest.Options;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.ByteArrayBuilder;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes and reads the JSON under which a job is stored. Thread safe.
 */
public final class PayloadCodec {

	private final JsonMapper mapper;

	/**
	 * Create a codec.
	 * @param mapper the mapper for the arguments
	 */
	public PayloadCodec(JsonMapper mapper) {
		this.mapper = mapper;
	}

	/**
	 * Return the mapper for the arguments.
	 * @return the mapper
	 */
	public JsonMapper mapper() {
		return this.mapper;
	}

	/**
	 * Write a job that is stored for the first time.
	 * @param id the id of the job
	 * @param name the name of the job
	 * @param arguments the arguments
	 * @param options the settings: queue ({@code default} if not set), retries (if not
	 * set the default of the worker), whether it is kept when it is dead, tags and meta
	 * @param createdAt milliseconds since the epoch
	 * @param due milliseconds since the epoch, {@code null} for now
	 * @return JSON in UTF-8
	 * @throws InvalidJobException if an argument cannot be written
	 */
	public byte[] write(String id, String name, List<? extends @Nullable Object> arguments, Options options,
			long createdAt, @Nullable Long due) {
		try (ByteArrayBuilder bytes = new ByteArrayBuilder(256)) {
			try (JsonGenerator json = this.mapper.createGenerator(bytes)) {
				json.writeStartObject();
				json.writeStringProperty("jid", id);
				json.writeStringProperty("class", name);
				json.writeName("args");
				json.writeStartArray();
				for (Object argument : arguments) {
					json.writePOJO(argument);
				}
				json.writeEndArray();
				json.writeStringProperty("queue", (options.queue() != null) ? options.queue() : "default");
				writeRetry(json, options.retries());
				if (Boolean.FALSE.equals(options.dead())) {
					json.writeBooleanProperty("dead", false);
				}
				json.writeNumberProperty("created_at", createdAt);
				json.writeNumberProperty((due != null) ? "at" : "enqueued_at", (due != null) ? due : createdAt);
				writeExtras(json, options);
				json.writeEndObject();
			}
			return bytes.toByteArray();
		}
		catch (JacksonException ex) {
			throw new InvalidJobException(
					"The arguments of job '%s' cannot be written as JSON: %s".formatted(name, ex.getMessage()), ex);
		}
	}

	private static void writeRetry(JsonGenerator json, @Nullable Integer retries) {
		if (retries == null) {
			json.writeBooleanProperty("retry", true);
		}
		else {
			json.writeNumberProperty("retry", retries);
		}
	}

	private static void writeExtras(JsonGenerator json, Options options) {
		if (!options.tags().isEmpty()) {
			json.writeName("tags");
			json.writeStartArray();
			options.tags().forEach(json::writeString);
			json.writeEndArray();
		}
		if (!options.meta().isEmpty()) {
			json.writeName("meta");
			json.writeStartObject();
			options.meta().forEach(json::writeStringProperty);
			json.writeEndObject();
		}
	}

	/**
	 * Write a job that was read before and changed.
	 * @param payload the job
	 * @return JSON in UTF-8
	 */
	public byte[] write(JobPayload payload) {
		return this.mapper.writeValueAsBytes(payload.json());
	}

	/**
	 * Read a job, as {@link JobPayload#read} does.
	 * @param bytes what is stored
	 * @return the job
	 * @throws InvalidJobException if it is not a JSON object, or not that of a job
	 */
	public JobPayload read(byte[] bytes) {
		return JobPayload.read(this.mapper, bytes);
	}

}
