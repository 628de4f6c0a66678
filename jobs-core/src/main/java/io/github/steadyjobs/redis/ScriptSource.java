package io.github.steadyjobs.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.io.ClassPathResource;
import org.springframework.util.Assert;

/**
 * A script as Redis gets it. In its file, the first line names the keys that its code
 * uses, and so does that of each file that it includes. The script gets all of them, each
 * once, as local variables of these names.
 *
 * @param keys the names of the keys, in the order in which the script takes them
 * @param text the code
 */
record ScriptSource(List<String> keys, byte[] text) {

	private static final String KEYS = "-- keys: ";

	private static final Pattern INCLUDE = Pattern.compile("(?m)^ *--#include ([\\w-]+)$");

	/**
	 * Read a script with everything that it includes.
	 * @param name the name of its file, without the ending
	 */
	static ScriptSource read(String name) {
		Set<String> keys = new LinkedHashSet<>();
		String code = read(name, keys);
		// In place of the first line: errors of Redis then name the lines of the file.
		String variables = "local " + String.join(", ", keys) + " = unpack(KEYS)\n";
		return new ScriptSource(List.copyOf(keys), (variables + code).getBytes(StandardCharsets.UTF_8));
	}

	private static String read(String name, Set<String> keys) {
		String[] file = text(name).split("\n", 2);
		Assert.state(file[0].startsWith(KEYS), () -> "The first line of %s.lua does not name its keys".formatted(name));
		Collections.addAll(keys, file[0].substring(KEYS.length()).split(" "));
		return INCLUDE.matcher(file[1])
			.replaceAll((included) -> Matcher.quoteReplacement(read(included.group(1), keys)));
	}

	private static String text(String name) {
		try {
			return new ClassPathResource(name + ".lua", ScriptSource.class).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
