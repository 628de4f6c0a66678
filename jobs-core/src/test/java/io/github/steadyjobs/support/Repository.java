package io.github.steadyjobs.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files of the repository that the tests are part of, for tests of what is written
 * there.
 */
public final class Repository {

	private Repository() {
	}

	/**
	 * Return the root of the repository: the first folder above the working one that has
	 * the documents.
	 * @return the root
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
	 * Return what a file says.
	 * @param file the path below the root
	 * @return the text
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
