package io.github.steadyjobs.redis;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Declarations in a hash. A change names the version that it was made from, and has no
 * effect if there is another one by now.
 *
 * @param done whether the change was made, or none was requested
 * @param now Redis time
 * @param version the version of what is declared
 * @param fields all other fields, or none if the caller knows this version
 */
public record Declared(boolean done, Instant now, String version, Map<String, String> fields) {

	/** Stands for a missing version or field. */
	public static final String NONE = "-";

	public static final String VERSION = "version";

	/**
	 * Return a call that reads what is declared.
	 * @param known the version that is known, empty for none
	 */
	public static ScriptCall read(byte[] key, String known) {
		return change(key, VERSION, known, "", Map.of());
	}

	/**
	 * Return a call that changes something.
	 * @param field the field that must not have changed
	 * @param present its value when it was read
	 * @param next its new value
	 * @param changes up to 1,000 other fields, with {@code null} for those to be removed
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

	/** Return the number of a version, which is greater than that of any earlier one. */
	public static long number(String version) {
		int space = version.indexOf(' ');
		return (space > 0) ? Long.parseLong(version.substring(0, space)) : 0;
	}

	/**
	 * Return the version after another one, which no other call makes. Its number is a
	 * time, so that it also grows if the hash was lost.
	 * @param now Redis time
	 */
	public static String after(String version, Instant now) {
		return Math.max(number(version) + 1, now.toEpochMilli() * 1000) + " " + UUID.randomUUID();
	}

}
