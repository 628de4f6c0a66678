package io.github.steadyjobs.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import com.sun.management.ThreadMXBean;

/**
 * The memory that this process has used.
 */
final class ProcessMemory {

	private static final Path STATUS = Path.of("/proc/self/status");

	private ProcessMemory() {
	}

	/**
	 * Return the largest resident memory so far or, if the system does not report it, the
	 * present size of the Java heap.
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
	 * Return how much the living threads have allocated so far. Virtual threads count
	 * with their carriers. Flight Recorder's {@code jdk.ThreadAllocationStatistics} reads
	 * the same counters.
	 */
	static long allocatedBytes() {
		ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
		// Negative for a thread that has ended meanwhile.
		return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
			.filter((bytes) -> bytes > 0)
			.sum();
	}

}
