package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is written down about a server, so that a later JVM can end it and nothing else.
 *
 * @param pid its process id
 * @param started when it started
 * @param command the path of its executable
 */
record ProcessRecord(long pid, Instant started, String command) {

	private static final String FILE = "process";

	// Start times are counted from the start of the machine, which each JVM computes
	// anew and to the second.
	private static final Duration TOLERANCE = Duration.ofSeconds(2);

	/**
	 * Write down a process, if the system tells enough about it.
	 * @param process the process
	 * @param directory where to write
	 */
	static void write(ProcessHandle process, Path directory) throws IOException {
		Optional<ProcessRecord> record = of(process);
		if (record.isPresent()) {
			Files.write(directory.resolve(FILE), record.get().lines());
		}
	}

	static Optional<ProcessRecord> read(Path directory) throws IOException {
		Path file = directory.resolve(FILE);
		if (!Files.exists(file)) {
			return Optional.empty();
		}
		List<String> lines = Files.readAllLines(file);
		return (lines.size() != 3) ? Optional.empty() : Optional
			.of(new ProcessRecord(Long.parseLong(lines.get(0)), Instant.parse(lines.get(1)), lines.get(2)));
	}

	/**
	 * Find the process, unless it has ended and its id belongs to another by now.
	 * @return the process, if all of id, start time and executable are the recorded ones
	 */
	Optional<ProcessHandle> find() {
		return ProcessHandle.of(this.pid).filter((process) -> of(process).filter(this::isSame).isPresent());
	}

	private boolean isSame(ProcessRecord other) {
		return this.command.equals(other.command)
				&& Duration.between(this.started, other.started).abs().compareTo(TOLERANCE) <= 0;
	}

	private List<String> lines() {
		return List.of(Long.toString(this.pid), this.started.toString(), this.command);
	}

	private static Optional<ProcessRecord> of(ProcessHandle process) {
		ProcessHandle.Info info = process.info();
		return info.startInstant()
			.flatMap((started) -> info.command().map((command) -> new ProcessRecord(process.pid(), started, command)));
	}

}
