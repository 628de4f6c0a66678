package io.github.steadyjobs.redis;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Declarations in a hash. A change names the version on which it is based, and has no
 * effect if the version has changed in the meantime.
 *
 * @param done whether the change was made; also {@code true} if no change was requested
 * @param now Redis time
 * @param version the version of the declarations
 * @param fields all other fields; empty if the caller already knows this version
 */
public record Declared(boolean done, Instant now, String version, Map<String, String> fields) {

	/** Stands for a missing version or field. */
	public static final String NONE = "-";

	public static final String VERSION = "version";

	/**
	 * Return a call that reads the declarations.
	 * @param known the version that the caller knows; empty if it knows none
	 */
	public static ScriptCall read(byte[] key, String known) {
		return change(key, VERSION, known, "", Map.of());
	}

	/**
	 * Return a call that changes declarations.
	 * @param field the field that must not have changed since it was read
	 * @param present the value of that field when it was read; {@link #NONE} if it was
	 * missing
	 * @param next the new value of that field
	 * @param changes the new values of up to 1,000 other fields; {@code null} removes a
	 * field
	 */
	public static ScriptCall change(byte[] key, String field, String present, String next,
			Map<String, @Nullable String> changes) {
		ScriptCall call = ScriptCall.on(JobScript.DECLARE, key).addText(field).add(present).add(next);
		changes.forEach((name, value) -> call.addText(name).addText((value != null) ? value : ""));
		return call;
	}

	public static Declared of(List<Object> answer) {
		Map<String, String> fields = new LinkedHashMap<>();
		for (int i = 3; i < answer.size(); i += 2) {
			fields.put(Answers.utf8(answer.get(i)), Answers.utf8(answer.get(i + 1)));
		}
		fields.remove(VERSION);
		return new Declared(Answers.text(answer, 0).equals("DONE"), Instant.ofEpochMilli(Answers.number(answer, 1)),
				Answers.text(answer, 2), fields);
	}

	/**
	 * Return the number of a version. Later versions have greater numbers.
	 * @param version the version, or {@link #NONE}, which has the number 0
	 */
	public static long number(String version) {
		int space = version.indexOf(' ');
		return (space > 0) ? Long.parseLong(version.substring(0, space)) : 0;
	}

	/**
	 * Return the next version, which is unique. Its number is based on the time, so that
	 * the number grows even if the hash was lost.
	 * @param version the current version
	 * @param now the Redis time
	 */
	public static String after(String version, Instant now) {
		return Math.max(number(version) + 1, now.toEpochMilli() * 1000) + " " + UUID.randomUUID();
	}

}
