package io.github.steadyjobs.benchmarks;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Starts another instance of this program in a separate process.
 */
public final class OwnProgram {

	private OwnProgram() {
	}

	/**
	 * Return the command line of this program.
	 * @param options options of the Java virtual machine
	 * @return the command line, to which the caller adds a command of the program
	 */
	public static List<String> commandLine(String... options) {
		return commandLine(null, options);
	}

	/**
	 * Return the command line of another version of this program.
	 * @param jar the jar of the other version, {@code null} for this version
	 * @param options options of the Java virtual machine
	 * @return the command line, to which the caller adds a command of the program
	 */
	public static List<String> commandLine(@Nullable Path jar, String... options) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of(options));
		String classPath = (jar != null) ? jar.toString() : System.getProperty("java.class.path");
		boolean executable = classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator);
		// The entry point is given by name. A class reference would be circular, because
		// the entry point refers to all commands, and some commands use this class.
		command.addAll(executable ? List.of("-jar", classPath)
				: List.of("-cp", classPath, OwnProgram.class.getPackageName() + ".Benchmarks"));
		return command;
	}

}
