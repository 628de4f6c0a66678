package io.github.steadyjobs.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this process has used of the machine's memory.
 */
final class ProcessMemory {

	private static final Path STATUS = Path.of("/proc/self/status");

	private ProcessMemory() {
	}

	/**
	 * Return the most memory that was resident at a time, or, where the system does not
	 * tell, what the Java heap has now.
	 */
	static long peakMegabytes() throws IOException {
		if (!Files.exists(STATUS)) {
			return Runtime.getRuntime().totalMemory() >> 20;
		}
		return Files.readAllLines(STATUS)
			.stream()
			.filter((line) -> line.startsWith("VmHWM:"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
			.findFirst()
			.orElse(0);
	}

}
