package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a server tells about itself.
 *
 * @param node host and port in a cluster, else empty
 * @param info the fields of {@code INFO}, none if that is not allowed
 * @param roundTrip the shortest of several round trips
 * @param clockSkew how far the clock of the server is ahead of ours, negative if behind
 */
public record ServerFacts(String node, Map<String, String> info, Duration roundTrip, Duration clockSkew) {

	static Map<String, String> parse(String info) {
		Map<String, String> fields = new HashMap<>();
		info.lines().filter((line) -> !line.startsWith("#")).forEach((line) -> {
			int colon = line.indexOf(':');
			if (colon > 0) {
				fields.put(line.substring(0, colon), line.substring(colon + 1));
			}
		});
		return Map.copyOf(fields);
	}

	/**
	 * Return a field of {@code INFO}.
	 * @param field the name of the field
	 * @return its value, empty if the server does not tell
	 */
	public Optional<String> text(String field) {
		return Optional.ofNullable(this.info.get(field));
	}

	/**
	 * Return a field of {@code INFO} that holds a whole number.
	 * @param field the name of the field
	 * @return its value, empty if the server does not tell
	 */
	public OptionalLong number(String field) {
		String value = this.info.getOrDefault(field, "");
		return value.matches("-?\\d{1,18}") ? OptionalLong.of(Long.parseLong(value)) : OptionalLong.empty();
	}

	/**
	 * Return product and version.
	 * @return the version
	 */
	public ServerVersion version() {
		StringBuilder lines = new StringBuilder();
		this.info.forEach((field, value) -> lines.append(field).append(':').append(value).append('\n'));
		return ServerVersion.parse(lines.toString());
	}

}
