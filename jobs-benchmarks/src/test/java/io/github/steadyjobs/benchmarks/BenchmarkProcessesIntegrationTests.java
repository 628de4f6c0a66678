package io.github.steadyjobs.benchmarks;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Small-scale tests for the programs of {@link Benchmarks} that start processes. These
 * tests have a separate class, because they take as long as all
 * {@linkplain BenchmarksIntegrationTests other tests} together.
 */
@Tag("benchmarks")
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class BenchmarkProcessesIntegrationTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					fairness --jobs 500 --seconds 1 --runs 1 | on_mix_claim_to_begin_max_ms off_paced_enqueue_to_begin_p999_ms total_on_of_off
					scale --largest 1000 --processes 2 | processes_2_queued_1000_per_s processes_2_queued_1000_redis_us_per_job
					recurring --idle true --jobs 5 --processes 1 --settle 1s --duration 8s | without_per_s_and_process with_per_s_and_process
					""")
	void runPrintsFigures(String command, String figures, CapturedOutput output) {
		BenchmarksIntegrationTests.assertPrints(command, figures, output);
	}

	@Test
	void recurringExplainsEachTick(CapturedOutput output) {
		assertThat(BenchmarksIntegrationTests
			.run("recurring --jobs 20 --processes 2 --duration 6s --faults pause,redis-restart --fault-every 2s "
					+ "--pause 2s --beat 500ms --death-after 4s --settle 60s"))
			.as(output.getErr())
			.isZero();
		JsonNode figures = BenchmarksIntegrationTests.printed(output);
		assertThat(figures.path("ticks").asInt()).isGreaterThan(20);
		assertThat(figures.path("ran").asInt()).isPositive();
		assertThat(figures.path("unexplained").asInt(-1)).isZero();
		assertThat(figures.path("double").asInt(-1)).isZero();
	}

}
