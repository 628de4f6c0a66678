package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The folder below the temporary one where everything of this module is kept, found again
 * by the next run and closed to other users.
 */
final class PrivateFolder {

	private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

	private static final boolean POSIX = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

	private PrivateFolder() {
	}

	static Path get() {
		String user = System.getProperty("user.name").replaceAll("[^A-Za-z0-9_.-]", "_");
		return get(Path.of(System.getProperty("java.io.tmpdir"), "steadyjobs-embedded-" + user).toAbsolutePath());
	}

	static Path get(Path folder) {
		try {
			createIfMissing(folder);
			if (!isOurs(folder)) {
				throw new EmbeddedRedisException(
						"'%s' belongs to somebody else or is open to others, and programs are run from there. Remove it"
							.formatted(folder),
						null);
			}
			return folder;
		}
		catch (IOException ex) {
			throw new EmbeddedRedisException("Could not use the folder '%s'".formatted(folder), ex);
		}
	}

	private static void createIfMissing(Path folder) throws IOException {
		FileAttribute<?>[] attributes = (!POSIX) ? new FileAttribute<?>[0]
				: new FileAttribute<?>[] { PosixFilePermissions.asFileAttribute(OWNER_ONLY) };
		try {
			Files.createDirectory(folder, attributes);
		}
		catch (FileAlreadyExistsException ex) {
			// Made by an earlier run, or by somebody else: looked at next.
		}
	}

	private static boolean isOurs(Path folder) throws IOException {
		if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
			return false;
		}
		if (!POSIX) {
			return true;
		}
		// The name of the user proves nothing where users have no names, as in some
		// containers. The owner of a new file does.
		Path probe = Files.createTempFile(folder, "probe-", null);
		try {
			return Files.getOwner(folder).equals(Files.getOwner(probe))
					&& Files.getPosixFilePermissions(folder).equals(OWNER_ONLY);
		}
		finally {
			Files.delete(probe);
		}
	}

}
