package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Programs to be found, which do no more than answer.
 */
final class Scripts {

	private Scripts() {
	}

	/**
	 * Write a program that answers a question for its version.
	 * @param file where to write it
	 * @param answer what it prints
	 * @return the file
	 */
	static Path answering(Path file, String answer) throws IOException {
		Files.createDirectories(file.getParent());
		Files.writeString(file, "#!/bin/sh\necho '" + answer + "'\n");
		if (!file.toFile().setExecutable(true)) {
			throw new IOException("Could not make " + file + " executable");
		}
		return file;
	}

}
