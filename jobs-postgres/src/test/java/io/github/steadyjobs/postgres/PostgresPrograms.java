package io.github.steadyjobs.postgres;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL programs on this machine. If the tests run as root, a different user
 * runs the programs, because they refuse to run as root.
 */
final class PostgresPrograms {

	private static final List<String> NEEDED = List.of("initdb", "pg_basebackup", "pg_ctl", "pg_resetwal", "postgres");

	private static final String HOW_TO = "PostgreSQL was not found, and profile 'postgres' needs one. Install it "
			+ "(apt-get install postgresql), put the directory of its programs on the PATH, or leave the profile out";

	private final Path directory;

	private final @Nullable UserPrincipal user;

	private PostgresPrograms(Path directory, @Nullable UserPrincipal user) {
		this.directory = directory;
		this.user = user;
	}

	/**
	 * Find the programs.
	 * @throws IllegalStateException if they are missing; the message says what to do
	 */
	static PostgresPrograms find() {
		Path directory = directories().filter(PostgresPrograms::isComplete)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(HOW_TO));
		System.out.println("Tests use the PostgreSQL of " + directory);
		return new PostgresPrograms(directory, isRoot() ? unprivileged() : null);
	}

	private static Stream<Path> directories() {
		Stream<Path> path = Stream.of(System.getenv("PATH").split(File.pathSeparator)).map(Path::of);
		Stream<Path> linked = path.flatMap((directory) -> Stream.of(directory, behindLink(directory)));
		// The newest version comes first.
		Stream<Path> debian = children(Path.of("/usr/lib/postgresql"))
			.sorted(Comparator.comparingInt(PostgresPrograms::version).reversed())
			.map((version) -> version.resolve("bin"));
		return Stream
			.of(linked, debian,
					Stream.of(Path.of("/usr/local/bin"), Path.of("/usr/local/pgsql/bin"), Path.of("/opt/homebrew/bin")))
			.flatMap((directories) -> directories);
	}

	private static Path behindLink(Path directory) {
		try {
			return directory.resolve("initdb").toRealPath().getParent();
		}
		catch (IOException ex) {
			return directory;
		}
	}

	private static Stream<Path> children(Path directory) {
		File[] children = directory.toFile().listFiles();
		return (children != null) ? Stream.of(children).map(File::toPath) : Stream.empty();
	}

	private static int version(Path directory) {
		String name = directory.getFileName().toString();
		return name.matches("\\d{1,4}") ? Integer.parseInt(name) : 0;
	}

	private static boolean isComplete(Path directory) {
		return NEEDED.stream().map(directory::resolve).allMatch(Files::isExecutable);
	}

	private static boolean isRoot() {
		return "root".equals(System.getProperty("user.name"));
	}

	private static UserPrincipal unprivileged() {
		for (String name : List.of("postgres", "nobody")) {
			try {
				return Path.of("/").getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name);
			}
			catch (UserPrincipalNotFoundException ex) {
				// Try the next name, because the other user may exist.
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		throw new IllegalStateException("PostgreSQL refuses root, and there is neither a user postgres nor nobody");
	}

	/**
	 * Create a directory that the programs may write to.
	 */
	Path createDirectory() {
		try {
			Path created = Files.createTempDirectory("postgres");
			if (this.user != null) {
				Files.setOwner(created, this.user);
			}
			return created.toRealPath(LinkOption.NOFOLLOW_LINKS);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Run a program to its end.
	 * @throws IllegalStateException if it fails; the message contains its output
	 */
	void run(Path workingDirectory, String program, String... arguments) {
		List<String> command = new ArrayList<>();
		if (this.user != null) {
			command.addAll(List.of("runuser", "-u", this.user.getName(), "--"));
		}
		command.add(this.directory.resolve(program).toString());
		command.addAll(List.of(arguments));
		try {
			// The output goes to a file, because a server that the program starts would
			// keep a pipe open.
			Path output = Files.createTempFile(program, ".out");
			ProcessBuilder builder = new ProcessBuilder(command).directory(workingDirectory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(output.toFile());
			// Remove variables such as PGOPTIONS of the user who runs the tests.
			builder.environment().keySet().removeIf((name) -> name.startsWith("PG"));
			Process process = builder.start();
			boolean ended = process.waitFor(2, TimeUnit.MINUTES);
			String said = Files.readString(output);
			Files.delete(output);
			if (!ended || process.exitValue() != 0) {
				process.destroyForcibly();
				throw new IllegalStateException(program + " has failed: " + said);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
