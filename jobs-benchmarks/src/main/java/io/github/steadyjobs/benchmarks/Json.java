package io.github.steadyjobs.benchmarks;

import java.util.Map;

import tools.jackson.databind.json.JsonMapper;

/**
 * Prints figures as one line of JSON.
 */
public final class Json {

	private static final JsonMapper MAPPER = JsonMapper.shared();

	private Json() {
	}

	/**
	 * Print figures.
	 * @param figures names and values, in order
	 */
	public static void print(Map<String, Object> figures) {
		System.out.println(MAPPER.writeValueAsString(figures));
		System.out.flush();
	}

}
