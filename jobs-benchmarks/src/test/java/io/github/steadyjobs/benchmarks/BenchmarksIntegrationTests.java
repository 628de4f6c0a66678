package io.github.steadyjobs.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Small-scale tests for each measuring program of {@link Benchmarks}. The values are not
 * meaningful, but they must exist and be greater than zero.
 */
@Tag("benchmarks")
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class BenchmarksIntegrationTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					throughput --jobs 2000 | jobs drain_per_s
					latency --samples 20 --every 2ms | pickup_ms_p50 pickup_ms_max
					enqueue --threads 2 --turn 200ms | threads_1_per_s threads_2_p99_us threads_2_ceiling_per_s
					mixed --jobs 300 | runs_per_s share_bench_percent redis_round_trips_per_run
					idle --settle 1 --seconds 6 --capsules 2 --queues 3 | commands_per_s cpu_percent
					startup --starts 1 | plain_ready_ms jobs_ready_ms
					locks --jobs 1000 | single_plain_us bytes_per_lock
					tracing --jobs 1600 --rounds 1 | push_cpu_us_plain run_cpu_us_traced of_1_ms_per_s_plain
					scripts --calls 100 | enqueue_1_us claim_100_median_us gather_450_equal_us gather_1_onto_900_us requeue_450_with_450_us
					""")
	void runPrintsFigures(String command, String figures, CapturedOutput output) {
		assertPrints(command, figures, output);
	}

	@Test
	@DisplayName("JG-11: whether more connections drain queues faster can be measured")
	void fetchersDrainThreeQueues(CapturedOutput output) {
		assertPrints("fetchers --jobs 400 --rounds 1",
				"fetchers_3_s fetchers_12_s fetchers_30_s fetchers_30_redis_us_per_job", output);
	}

	@Test
	@DisplayName("JG-13: the price of delivery at least once can be measured")
	void deliveryComparesAtLeastOnceWithAtMostOnce(CapturedOutput output) {
		assertPrints("delivery --jobs 1000 --rounds 1",
				"at_least_once_s at_least_once_not_ahead_s at_most_once_s at_most_once_redis_us_per_job", output);
	}

	@Test
	@DisplayName("LK-10: the cost of ordering can be measured, and the order is never violated")
	void sequentialMergesAndKeepsTheOrder(CapturedOutput output) {
		assertThat(run("sequential --jobs 3000 --keys 100")).as(output.getErr()).isZero();
		JsonNode figures = printed(output);
		assertThat(figures.path("runs").asInt()).isEqualTo(100);
		assertThat(figures.path("order_violations").asInt(-1)).isZero();
		assertThat(figures.path("drain_per_s").asInt()).isPositive();
	}

	@Test
	void sequentialWithFewKeysTakesTurns(CapturedOutput output) {
		assertThat(run("sequential --jobs 3000 --keys 100,1 --rounds 2")).as(output.getErr()).isZero();
		JsonNode figures = printed(output);
		assertThat(figures.path("keys_100_runs").asInt()).isEqualTo(100);
		assertThat(figures.path("keys_1_runs").asInt()).isEqualTo(3);
		assertThat(figures.path("keys_1_order_violations").asInt(-1)).isZero();
		assertThat(figures.path("keys_1_enqueue_bulk_per_s").asInt()).isPositive();
	}

	@Test
	void soakLooksAtWhatMayGrow(CapturedOutput output) {
		run("soak --duration 1s --looks 6");
		JsonNode figures = printed(output);
		assertThat(figures.get("jobs").asInt()).isPositive();
		assertThat(List.of("heap_kb", "redis_kb", "threads", "keys"))
			.allSatisfy((name) -> assertThat(figures.get(name).size()).as(name).isEqualTo(6));
		assertThat(figures.get("grew").isBoolean()).isTrue();
	}

	@Test
	void jmhRunsEachBenchmark(@TempDir Path directory) throws Exception {
		Path output = directory.resolve("jmh.txt");
		assertThat(Benchmarks.run(("jmh -f 1 -wi 0 -i 1 -r 10ms -foe true -o " + output).split(" "))).isZero();
		assertThat(Files.readString(output)).contains("PayloadBenchmark.write", "PayloadBenchmark.read",
				"PayloadBenchmark.bind", "WorkerBenchmark.chain", "WorkerBenchmark.share");
	}

	@Test
	void idleWhenQueuesAreFewerThanCapsulesSaysWhatItNeeds(CapturedOutput output) {
		assertThat(run("idle --capsules 3 --queues 2")).isEqualTo(2);
		assertThat(output.getErr()).contains("--queues has to be 3 or more, one for each capsule, not '2'");
	}

	@Test
	void scaleWhenProcessesAreNoNumbersSaysSo(CapturedOutput output) {
		assertThat(run("scale --processes 1;2")).isEqualTo(2);
		assertThat(output.getErr()).contains("--processes has to be numbers of processes as in '1,2,4', not '1;2'");
	}

	@Test
	@EnabledForJreRange(max = JRE.JAVA_20)
	void driverWhenJavaHasNoVirtualThreadsSaysWhatItNeeds(CapturedOutput output) {
		assertThat(Benchmarks.run("driver work 1 1 --threads virtual".split(" "))).isEqualTo(2);
		assertThat(output.getErr()).contains("--threads virtual needs Java 21 or newer, and this is Java");
	}

	static void assertPrints(String command, String figures, CapturedOutput output) {
		assertThat(run(command)).as(output.getErr()).isZero();
		JsonNode printed = printed(output);
		for (String figure : figures.split(" ")) {
			assertThat(printed.path(figure).asDouble()).as(figure).isPositive();
		}
	}

	static int run(String command) {
		String[] words = command.split(" ");
		String[] arguments = Arrays.copyOf(words, words.length + 2);
		arguments[words.length] = "--redis";
		arguments[words.length + 1] = "embedded";
		return Benchmarks.run(arguments);
	}

	static JsonNode printed(CapturedOutput output) {
		String line = output.getOut().lines().filter((text) -> text.startsWith("{")).findFirst().orElseThrow();
		return JsonMapper.shared().readTree(line);
	}

}
