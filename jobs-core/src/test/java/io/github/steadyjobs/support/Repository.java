package io.github.steadyjobs.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Access to the files of the repository, for tests of their content.
 */
public final class Repository {

	private Repository() {
	}

	/**
	 * Return the root of the repository: the first directory, from the working directory
	 * upwards, that contains the documents.
	 * @return the path of that directory
	 */
	public static Path root() {
		for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
			if (Files.exists(folder.resolve("docs/wire-format.md"))) {
				return folder;
			}
		}
		throw new IllegalStateException("No folder above the working one has docs/wire-format.md");
	}

	/**
	 * Return the content of a file.
	 * @param file the path relative to the root
	 * @return the content as text
	 */
	public static String read(String file) {
		try {
			return Files.readString(root().resolve(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
