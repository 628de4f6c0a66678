package io.github.steadyjobs.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.openjdk.jmh.Main;

import org.springframework.util.FileSystemUtils;

/**
 * Runs the microbenchmarks with JMH, which measures in separate processes. These
 * processes cannot load classes from nested jars, so the jar is unpacked first.
 */
final class JmhCommand {

	private JmhCommand() {
	}

	/**
	 * Run benchmarks.
	 * @param args the arguments for JMH
	 * @return the exit status of JMH
	 */
	static int run(String[] args) throws Exception {
		List<String> command = OwnProgram.commandLine();
		String classPath = command.get(2);
		if (!command.contains("-jar")) {
			return jmh(command.get(0), classPath, args);
		}
		Path directory = Files.createTempDirectory("jmh");
		try {
			start(List.of(command.get(0), "-Djarmode=tools", "-jar", classPath, "extract", "--force", "--destination",
					directory.toString()));
			return jmh(command.get(0), directory.resolve(Path.of(classPath).getFileName()).toString(), args);
		}
		finally {
			FileSystemUtils.deleteRecursively(directory);
		}
	}

	private static int jmh(String java, String classPath, String[] args) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of(java, "-cp", classPath, Main.class.getName()));
		command.addAll(List.of(args));
		return start(command);
	}

	private static int start(List<String> command) throws IOException, InterruptedException {
		return new ProcessBuilder(command).inheritIO().start().waitFor();
	}

}
