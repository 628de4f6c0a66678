package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.redis.ProcessStore.Instruction;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ProcessStore} and its scripts.
 */
@RedisAndClusterTest
class ProcessStoreIntegrationTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final String NAME = "host:1:ab";

	private final TestRedis redis;

	private final ProcessStore store;

	ProcessStoreIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.store = new ProcessStore(redis.connections(), redis.prefix());
	}

	@Test
	void reportTellsAboutAProcessUntilItIsRemoved() {
		this.store.register(NAME);
		report(Map.of("label", "Grüße"));
		report(Map.of("busy", "3"));
		String key = this.redis.prefix() + ":process:" + NAME;
		assertThat(this.redis.template().getExpire(key)).isPositive();
		assertThat(this.store.processes())
			.isEqualTo(Map.of(NAME, Map.of("started_at", "1", "label", "Grüße", "busy", "3")));
		this.store.remove(NAME);
		assertThat(this.redis.contents()).doesNotContainKeys(key, this.redis.prefix() + ":processes");
		assertThat(this.store.processes()).isEmpty();
	}

	@Test
	void processesWhenThereAreManyReadsAllButThoseThatSaidNothingForLong() {
		Map<String, Map<String, String>> all = IntStream.range(0, 100)
			.boxed()
			.collect(Collectors.toMap((number) -> "host:%d:ab".formatted(number),
					(number) -> Map.of("pid", "" + number)));
		all.forEach((name, fields) -> {
			this.store.register(name);
			this.store.report(name, fields, HOUR).join();
		});
		this.store.register("gone:1:ab");
		assertThat(this.store.processes()).isEqualTo(all);
	}

	@Test
	void instructWhenThereIsNoSuchProcessWritesNothing() {
		assertThat(this.store.instruct("gone:1:ab", Instruction.STOP)).isZero();
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	void instructWhenCalledAgainGivesHigherNumbersWhatWasObeyedIncluded() {
		assertThat(report(Map.of()).values()).containsOnly(0L);
		assertThat(this.store.instruct(NAME, Instruction.QUIET)).isEqualTo(1);
		assertThat(this.store.instruct(NAME, Instruction.DUMP)).isEqualTo(2);
		assertThat(this.store.instruct(NAME, Instruction.DUMP)).isEqualTo(3);
		assertThat(report(Map.of("obeyed", "3")))
			.isEqualTo(Map.of(Instruction.QUIET, 1L, Instruction.DUMP, 3L, Instruction.STOP, 0L));
		// Simulate a loss of data, after which only the process knows the previous
		// instructions.
		this.redis.template().delete(this.redis.prefix() + ":process:" + NAME);
		report(Map.of("obeyed", "3"));
		assertThat(this.store.instruct(NAME, Instruction.STOP)).isEqualTo(4);
	}

	@Test
	void reportWhenInstructionsAreNoNumbersIsAskedForNothing() {
		assertThat(report(Map.of("stop", "now", "quiet", "-1")).values()).containsOnly(0L);
		assertThat(this.store.instruct(NAME, Instruction.STOP)).isEqualTo(1);
	}

	@Test
	void threadDumpWhenItAnswersAnEarlierOrderIsNotReturned() {
		this.store.keepThreadDump(NAME, 7, "one\ntwö", HOUR);
		await().until(() -> this.store.threadDump(NAME, 1) != null);
		assertThat(this.store.threadDump(NAME, 8)).isNull();
		assertThat(this.store.threadDump(NAME, 7)).isEqualTo("one\ntwö");
		assertThat(this.store.threadDump(NAME, 6)).isEqualTo("one\ntwö");
		assertThat(this.redis.template().getExpire(this.redis.prefix() + ":dump:" + NAME)).isPositive();
		assertThat(this.store.threadDump("gone:1:ab", 1)).isNull();
	}

	@Test
	void instructWhenTheKeyIsOfAWrongTypeIsRefused() {
		this.redis.template().opsForValue().set(this.redis.prefix() + ":process:" + NAME, "x");
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.store.instruct(NAME, Instruction.QUIET))
			.has(reason(Reason.DAMAGED));
	}

	@Test
	void instructWhenMemoryIsFullIsHeard() {
		try (OwnRedis full = OwnRedis.start()) {
			ProcessStore store = new ProcessStore(full.redis().connections(), full.redis().prefix());
			store.report(NAME, Map.of("started_at", "1"), HOUR).join();
			full.fillMemory();
			assertThat(store.instruct(NAME, Instruction.STOP)).isEqualTo(1);
			assertThat(store.report(NAME, Map.of("busy", "1"), HOUR).join()).containsEntry(Instruction.STOP, 1L);
		}
	}

	private Map<Instruction, Long> report(Map<String, String> fields) {
		Map<String, String> all = new HashMap<>(fields);
		all.put("started_at", "1");
		return this.store.report(NAME, all, HOUR).join();
	}

}
