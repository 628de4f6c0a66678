package io.github.steadyjobs.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Lua files of all modules, for tests of their content.
 */
public final class ScriptFiles {

	private static final List<String> MODULES = List.of("jobs-core", "jobs-recurring", "jobs-admin");

	private static final Pattern INCLUDE = Pattern.compile("(?m)^\\s*--#include (\\S+)$");

	private static final Map<String, String> FILES = new TreeMap<>();

	static {
		find(".lua").forEach((path) -> FILES.put(path.getFileName().toString().replace(".lua", ""), read(path)));
	}

	private ScriptFiles() {
	}

	/**
	 * Return the names of all files, without the extension.
	 */
	public static List<String> names() {
		return List.copyOf(FILES.keySet());
	}

	/**
	 * Return the names of the files that no other file includes.
	 */
	public static List<String> scripts() {
		Set<String> included = new TreeSet<>();
		FILES.values().forEach((text) -> included.addAll(includes(text)));
		return FILES.keySet().stream().filter((name) -> !included.contains(name)).toList();
	}

	/**
	 * Return the text of one file.
	 */
	public static String text(String name) {
		return Objects.requireNonNull(FILES.get(name), name);
	}

	/**
	 * Return the texts of a file and of all files that it includes, each once.
	 */
	public static List<String> withIncludes(String name) {
		Set<String> names = new TreeSet<>();
		collect(name, names);
		return names.stream().map(FILES::get).toList();
	}

	private static void collect(String name, Set<String> names) {
		if (names.add(name)) {
			includes(text(name)).forEach((include) -> collect(include, names));
		}
	}

	private static List<String> includes(String text) {
		return INCLUDE.matcher(text).results().map((match) -> match.group(1)).toList();
	}

	/**
	 * Return the texts of all source files of these modules whose names end as given.
	 * @param ending the ending of the file names
	 */
	public static List<String> sources(String ending) {
		return find(ending).stream().map(ScriptFiles::read).toList();
	}

	private static List<Path> find(String ending) {
		return MODULES.stream().flatMap((module) -> {
			try (Stream<Path> files = Files.walk(Repository.root().resolve(module).resolve("src/main"))) {
				return files.filter((path) -> path.toString().endsWith(ending)).toList().stream();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}).toList();
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
