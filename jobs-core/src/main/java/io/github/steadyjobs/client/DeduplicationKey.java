package io.github.steadyjobs.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Set;
import java.util.SortedMap;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Names;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Creates a short text that is the same for equal jobs: the first 128 bits of a SHA-256
 * digest, in URL-safe Base64. The digest covers the name and a JSON form that is the same
 * for equal values, whatever the order of the entries in maps and sets. Thread safe.
 */
public final class DeduplicationKey {

	private static final int BYTES = 16;

	private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

	// No name contains a zero byte, so this marks the end of the name unambiguously.
	private static final byte[] END_OF_NAME = { 0 };

	private final ObjectWriter writer;

	public DeduplicationKey(JsonMapper mapper) {
		this.writer = mapper.rebuild()
			.addModule(new SimpleModule().addSerializer(new SetSerializer()).addSerializer(new SortedMapSerializer()))
			.build()
			.writer(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
	}

	/**
	 * Return the key of a job.
	 * @param compared the arguments, or the value to compare instead
	 * @throws InvalidJobException if the compared value cannot be written as JSON
	 */
	public String of(String name, @Nullable Object compared) {
		byte[] json;
		try {
			json = this.writer.writeValueAsBytes(compared);
		}
		catch (JacksonException ex) {
			throw new InvalidJobException(
					"Job '%s' cannot be deduplicated, because what is compared cannot be written as JSON: %s"
						.formatted(name, ex.getOriginalMessage()),
					ex);
		}
		byte[] hash = Names.sha256(name.getBytes(StandardCharsets.UTF_8), END_OF_NAME, json);
		return BASE64.encodeToString(Arrays.copyOf(hash, BYTES));
	}

	/** Writes the elements of a set, sorted by their JSON. */
	@SuppressWarnings("rawtypes")
	private final class SetSerializer extends StdSerializer<Set> {

		SetSerializer() {
			super(Set.class);
		}

		@Override
		public void serialize(Set set, JsonGenerator json, SerializationContext context) {
			String[] sorted = new String[set.size()];
			int next = 0;
			for (Object element : set) {
				sorted[next++] = DeduplicationKey.this.writer.writeValueAsString(element);
			}
			Arrays.sort(sorted);
			json.writeStartArray();
			for (String element : sorted) {
				json.writeRawValue(element);
			}
			json.writeEndArray();
		}

	}

	/** Discards the order of a sorted map, which Jackson would keep. */
	@SuppressWarnings({ "rawtypes", "unchecked" })
	private static final class SortedMapSerializer extends StdSerializer<SortedMap> {

		SortedMapSerializer() {
			super(SortedMap.class);
		}

		@Override
		public void serialize(SortedMap map, JsonGenerator json, SerializationContext context) {
			json.writePOJO(new HashMap<>(map));
		}

	}

}
