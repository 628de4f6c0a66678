package io.github.steadyjobs.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import com.sun.management.ThreadMXBean;

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

	/**
	 * Return how much the threads that live now have ever allocated. Virtual threads
	 * count as those that carry them. Flight Recorder's
	 * {@code jdk.ThreadAllocationStatistics} reads the same counters.
	 */
	static long allocatedBytes() {
		ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
		// Negative for a thread that has ended meanwhile.
		return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
			.filter((bytes) -> bytes > 0)
			.sum();
	}

}
