package io.github.steadyjobs.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import com.sun.management.ThreadMXBean;

/**
 * The memory that this process has used or allocated.
 */
final class ProcessMemory {

	private static final Path STATUS = Path.of("/proc/self/status");

	private ProcessMemory() {
	}

	/**
	 * Return the peak resident memory so far or, if the system does not report it, the
	 * current size of the Java heap.
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
	 * Return how many bytes the live threads have allocated so far. Allocations of
	 * virtual threads are counted for their carrier threads. {@code
	 * jdk.ThreadAllocationStatistics} of Flight Recorder reads the same counters.
	 */
	static long allocatedBytes() {
		ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
		// The value is negative for a thread that ended after its id was read.
		return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
			.filter((bytes) -> bytes > 0)
			.sum();
	}

}
