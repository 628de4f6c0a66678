package io.github.steadyjobs.redis;

import java.util.List;
import java.util.Map;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.util.ByteArrayBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

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
	 * @param job the job
	 * @return JSON in UTF-8
	 * @throws InvalidJobException if an argument cannot be written
	 */
	public byte[] write(Envelope job) {
		try (ByteArrayBuilder bytes = new ByteArrayBuilder(256)) {
			try (JsonGenerator json = this.mapper.createGenerator(bytes)) {
				json.writeStartObject();
				json.writeStringProperty("jid", job.id());
				json.writeStringProperty("class", job.name());
				json.writeName("args");
				json.writeStartArray();
				for (Object argument : job.arguments()) {
					json.writePOJO(argument);
				}
				json.writeEndArray();
				json.writeStringProperty("queue", job.queue());
				writeRetry(json, job.retries());
				if (!job.dead()) {
					json.writeBooleanProperty("dead", false);
				}
				json.writeNumberProperty("created_at", job.createdAt());
				json.writeNumberProperty((job.at() != null) ? "at" : "enqueued_at",
						(job.at() != null) ? job.at() : job.createdAt());
				writeExtras(json, job);
				json.writeEndObject();
			}
			return bytes.toByteArray();
		}
		catch (JacksonException ex) {
			throw new InvalidJobException(
					"The arguments of job '%s' cannot be written as JSON: %s".formatted(job.name(), ex.getMessage()),
					ex);
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

	private static void writeExtras(JsonGenerator json, Envelope job) {
		if (!job.tags().isEmpty()) {
			json.writeName("tags");
			json.writeStartArray();
			job.tags().forEach(json::writeString);
			json.writeEndArray();
		}
		if (!job.meta().isEmpty()) {
			json.writeName("meta");
			json.writeStartObject();
			job.meta().forEach(json::writeStringProperty);
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
	 * Read a job.
	 * @param bytes what is stored
	 * @return the job
	 * @throws InvalidJobException if it is no JSON object, or not that of a job
	 */
	public JobPayload read(byte[] bytes) {
		JsonNode json;
		try {
			json = this.mapper.readTree(bytes);
		}
		catch (JacksonException ex) {
			// Without its cause, whose message quotes the payload.
			throw new InvalidJobException("The payload is not JSON, or breaks a rule of the wire format" + place(ex));
		}
		if (!(json instanceof ObjectNode object)) {
			throw new InvalidJobException("The payload is no JSON object");
		}
		return new JobPayload(object);
	}

	private static String place(JacksonException failure) {
		TokenStreamLocation location = failure.getLocation();
		return (location != null) ? ": line %d, column %d".formatted(location.getLineNr(), location.getColumnNr()) : "";
	}

	/**
	 * A job that is about to be stored.
	 *
	 * @param id the id of the job
	 * @param name the name of the job
	 * @param arguments the arguments
	 * @param queue the queue
	 * @param retries number of retries, {@code null} for the worker's default
	 * @param dead whether the job is kept when it is dead
	 * @param createdAt milliseconds since the epoch
	 * @param at milliseconds since the epoch at which the job is due, {@code null} for
	 * now
	 * @param tags the tags
	 * @param meta the attached values
	 */
	public record Envelope(String id, String name, List<@Nullable Object> arguments, String queue,
			@Nullable Integer retries, boolean dead, long createdAt, @Nullable Long at, List<String> tags,
			Map<String, String> meta) {

	}

}
