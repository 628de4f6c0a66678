package io.github.steadyjobs.embedded;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The folders that are searched for a command.
 *
 * @param value the folders, separated as in the PATH variable
 */
record SearchPath(String value) {

	static SearchPath fromEnvironment() {
		String value = System.getenv("PATH");
		return new SearchPath((value != null) ? value : "");
	}

	/**
	 * Find all executables of a name, because the first one may be too old.
	 * @param name the name of the command
	 * @return its paths, in the order in which a shell would find them
	 */
	Stream<Path> findAll(String name) {
		return Pattern.compile(Pattern.quote(File.pathSeparator))
			.splitAsStream(this.value)
			.filter((folder) -> !folder.isBlank())
			.map((folder) -> Path.of(folder, name).toAbsolutePath())
			.filter((file) -> Files.isRegularFile(file) && Files.isExecutable(file));
	}

	@Nullable Path find(String name) {
		return findAll(name).findFirst().orElse(null);
	}

}
