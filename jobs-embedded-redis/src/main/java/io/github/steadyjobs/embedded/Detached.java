package io.github.steadyjobs.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps Ctrl-C from reaching the server, which would be gone before the application has
 * come to its end: a terminal interrupts the whole process group that it runs.
 */
final class Detached {

	private static final List<String> PERL = List.of("-e", "setpgrp(0, 0); exec { $ARGV[0] } @ARGV; die $!");

	private Detached() {
	}

	/**
	 * Make a command leave the process group of this JVM, if there is a tool for it. The
	 * tool becomes the command, which so keeps its process id and its parent.
	 * @param searchPath where to look for the tool
	 * @param command the command and its arguments
	 * @return the command to start in its place
	 */
	static List<String> command(SearchPath searchPath, List<String> command) {
		Path setsid = searchPath.find("setsid");
		if (setsid != null) {
			return concat(setsid, List.of(), command);
		}
		Path perl = searchPath.find("perl");
		return (perl != null) ? concat(perl, PERL, command) : command;
	}

	private static List<String> concat(Path tool, List<String> options, List<String> command) {
		List<String> result = new ArrayList<>(List.of(tool.toString()));
		result.addAll(options);
		result.addAll(command);
		return result;
	}

}
