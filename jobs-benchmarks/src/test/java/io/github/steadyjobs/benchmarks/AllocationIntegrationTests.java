package io.github.steadyjobs.benchmarks;

import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how much memory a plain job allocates. Times depend on the machine, but these
 * bytes hardly do, so they show what a change adds to the path of each job.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class AllocationIntegrationTests {

	private static final int JOBS = 20_000;

	/** Pushes were measured at 2,409 bytes a job, including the request. */
	private static final long MOST_OF_A_PUSH = 2_600;

	/** Runs were measured at 4,140 to 4,560 bytes a job. */
	private static final long MOST_OF_A_RUN = 5_000;

	private final Running application = BenchmarkApplication.start("embedded", "bench",
			BenchmarkApplication.concurrency(10));

	@AfterEach
	void close() {
		this.application.close();
	}

	@Test
	void pushInBulkAllocatesLittle() {
		push();
		long before = ProcessMemory.allocatedBytes();
		push();
		assertThat((ProcessMemory.allocatedBytes() - before) / JOBS).isLessThan(MOST_OF_A_PUSH);
	}

	@Test
	void runAllocatesLittle() throws Exception {
		// Code that runs for the first time allocates more.
		drain();
		assertThat(drain() / JOBS).isLessThan(MOST_OF_A_RUN);
	}

	private void push() {
		this.application.enqueueInBulk(0, JOBS);
	}

	/** Return how many bytes the process allocates while its workers run queued jobs. */
	private long drain() throws InterruptedException {
		push();
		this.application.runs().expect(JOBS);
		long before = ProcessMemory.allocatedBytes();
		this.application.startWorkers();
		this.application.runs().await();
		long allocated = ProcessMemory.allocatedBytes() - before;
		this.application.workers().stop();
		return allocated;
	}

}
