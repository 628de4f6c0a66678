package io.github.steadyjobs.sidekiq;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.sidekiq.Batch.Element;
import io.github.steadyjobs.sidekiq.SidekiqRedis.Sources;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.core.RedisCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for the script {@code exchange}.
 */
@RedisTest
class ExchangeScriptIntegrationTests {

	private final SidekiqFixture fixture;

	ExchangeScriptIntegrationTests(TestRedis redis) {
		this.fixture = new SidekiqFixture(redis);
	}

	@Test
	void oldestElementsAreTakenFirstAndKeptInTheBatch() {
		this.fixture.push("a", "b", "c");
		assertThat(texts(this.fixture.take("b1", 1, 2))).containsExactly("a", "b");
		assertThat(this.fixture.rubyContents()).containsEntry("ruby:queue:hard", List.of("c"))
			.containsEntry("sidekiq:batch:b1", List.of(" queue:hard\na", " queue:hard\nb"));
		assertThat(state("b1")).startsWith("1 ");
	}

	@Test
	void repeatedCallAnswersTheSameAndTakesNothing() {
		this.fixture.push("a", "b");
		Batch first = this.fixture.take("b1", 1, 1);
		Map<String, Object> contents = this.fixture.rubyContents();
		Batch again = this.fixture.take("b1", 1, 500);
		assertThat(texts(again)).isEqualTo(texts(first));
		assertThat(again.filledAt()).isEqualTo(first.filledAt());
		assertThat(this.fixture.rubyContents()).isEqualTo(contents);
	}

	@Test
	void nextCallEndsTheBatch() {
		this.fixture.push("a", "b");
		this.fixture.take("b1", 1, 1);
		assertThat(texts(this.fixture.take("b1", 2, 500))).containsExactly("b");
		assertThat(this.fixture.take("b1", 3, 500).elements()).isEmpty();
		assertThat(this.fixture.rubyContents()).containsOnlyKeys("sidekiq:bridges");
	}

	@Test
	void lateCopyChangesNothing() {
		this.fixture.push("a", "b", "c");
		this.fixture.take("b1", 1, 1);
		this.fixture.take("b1", 2, 1);
		Map<String, Object> contents = this.fixture.rubyContents();
		assertThat(this.fixture.take("b1", 1, 1)).isNull();
		assertThat(this.fixture.rubyContents()).isEqualTo(contents);
	}

	@Test
	void lateCopyBehindAnEmptyBatchChangesNothing() {
		this.fixture.push("a");
		this.fixture.take("b1", 1, 1);
		this.fixture.take("b1", 2, 1);
		this.fixture.push("b");
		assertThat(this.fixture.take("b1", 1, 1)).isNull();
		assertThat(texts(this.fixture.take("b1", 2, 1))).containsExactly("b");
	}

	@Test
	void unknownBatchIsNotEnded() {
		this.fixture.push("a", "b");
		this.fixture.take("b1", 1, 1);
		assertThat(this.fixture.take("b1", 3, 1)).isNull();
		this.fixture.redis().template().delete(this.fixture.redis().prefix() + ":sidekiq:bridges");
		assertThat(this.fixture.take("b1", 2, 1)).isNull();
		assertThat(this.fixture.rubyContents()).containsEntry("sidekiq:batch:b1", List.of(" queue:hard\na"));
	}

	@Test
	void callThatFindsNothingWritesNothing() {
		assertThat(this.fixture.take("b1", 1, 500).elements()).isEmpty();
		assertThat(this.fixture.rubyContents()).isEmpty();
	}

	@Test
	void refusedElementsArePutAside() {
		this.fixture.push("a", "b", "c");
		this.fixture.take("b1", 1, 500);
		exchange("b1", 2, 500, List.of(0, 2));
		assertThat(this.fixture.rubyContents()).containsOnlyKeys("sidekiq:bridges", "sidekiq:refused")
			.containsEntry("sidekiq:refused", List.of(" queue:hard\na", " queue:hard\nc"));
		exchange("b1", 2, 500, List.of(0, 2));
		assertThat(this.fixture.rubyContents().get("sidekiq:refused")).asInstanceOf(InstanceOfAssertFactories.LIST)
			.hasSize(2);
	}

	@Test
	void batchThatSomebodyHasDeletedDoesNotStopTheBridge() {
		this.fixture.push("a", "b");
		this.fixture.take("b1", 1, 1);
		this.fixture.redis().template().delete(this.fixture.redis().prefix() + ":sidekiq:batch:b1");
		assertThat(exchange("b1", 2, 500, List.of(0)).elements()).isEmpty();
		assertThat(texts(this.fixture.take("b1", 2, 500))).containsExactly("b");
		assertThat(this.fixture.rubyContents()).doesNotContainKey("sidekiq:refused");
	}

	@Test
	void infiniteScoreIsRead() {
		this.fixture.add("schedule", "a", Double.NEGATIVE_INFINITY);
		this.fixture.add("retry", "b", Double.POSITIVE_INFINITY);
		Batch batch = this.fixture.sidekiq()
			.exchange("b1", 1, 500, List.of(), new Sources(List.of(), List.of(bytes("a")), List.of(bytes("b"))));
		assertThat(batch.elements()).extracting(Element::score)
			.containsExactly(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
	}

	@Test
	void dueElementsAreTakenWithTheirScores() {
		this.fixture.add("schedule", "a", 1.5);
		this.fixture.add("schedule", "left", 2);
		this.fixture.add("retry", "r", 1767225600.25);
		Batch batch = this.fixture.sidekiq()
			.exchange("b1", 1, 500, List.of(),
					new Sources(List.of(), List.of(bytes("a"), bytes("gone")), List.of(bytes("r"))));
		assertThat(batch.elements()).extracting(Element::key, Element::score)
			.containsExactly(tuple("schedule", 1.5), tuple("retry", 1767225600.25));
		assertThat(texts(batch)).containsExactly("a", "r");
		assertThat(this.fixture.rubyContents()).containsEntry("ruby:schedule", Map.of("left", 2.0))
			.doesNotContainKey("ruby:retry");
	}

	@Test
	void bytesThatAreNoTextAreKept() {
		byte[] binary = { '{', 0, (byte) 0xff, '\n', (byte) 0xc3, '}' };
		this.fixture.redis()
			.template()
			.execute((RedisCallback<Long>) (connection) -> connection.listCommands()
				.lPush(bytes(this.fixture.ruby("queue:hard")), binary));
		assertThat(this.fixture.take("b1", 1, 1).elements().get(0).json()).isEqualTo(binary);
	}

	@Test
	void leavingForgetsABridgeThatHasEndedItsBatch() {
		this.fixture.push("a");
		this.fixture.take("b1", 1, 1);
		assertThat(exchange("b1", 2, -1, List.of()).elements()).isEmpty();
		assertThat(this.fixture.rubyContents()).isEmpty();
	}

	@Test
	void leavingForgetsNoOpenBatch() {
		this.fixture.push("a");
		this.fixture.take("b1", 1, 1);
		Map<String, Object> contents = this.fixture.rubyContents();
		assertThat(texts(exchange("b1", 1, -1, List.of()))).containsExactly("a");
		assertThat(this.fixture.rubyContents()).isEqualTo(contents);
	}

	@Test
	void batchHasAboutAMegabyte() {
		String large = "x".repeat(400_000);
		IntStream.range(0, 5).forEach((i) -> this.fixture.push(large));
		assertThat(this.fixture.take("b1", 1, 500).elements()).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ruby:queue:hard", "ruby:schedule", "ruby:retry", "sidekiq:refused", "sidekiq:batch:b1",
			"sidekiq:bridges" })
	void keyOfAWrongTypeLeavesEverythingAsItIs(String key) {
		this.fixture.redis().template().opsForValue().set(this.fixture.redis().prefix() + ":" + key, "text");
		if (!key.endsWith("hard")) {
			this.fixture.push("a");
		}
		Map<String, Object> contents = this.fixture.rubyContents();
		assertThatException().isThrownBy(() -> this.fixture.take("b1", 1, 500));
		assertThat(this.fixture.rubyContents()).isEqualTo(contents);
	}

	@Test
	void fullMemoryDoesNotStopTheBridge() {
		try (OwnRedis server = OwnRedis.start()) {
			SidekiqFixture fixture = new SidekiqFixture(server.redis());
			fixture.push("a", "b");
			server.fillMemory();
			assertThat(texts(fixture.take("b1", 1, 1))).containsExactly("a");
			fixture.sidekiq().exchange("b1", 2, 0, List.of(0), Sources.NONE);
			assertThat(fixture.rubyContents()).containsEntry("sidekiq:refused", List.of(" queue:hard\na"));
			server.freeMemory();
		}
	}

	private Batch exchange(String bridge, long number, int most, List<Integer> refused) {
		return this.fixture.sidekiq().exchange(bridge, number, most, refused, Sources.NONE);
	}

	private String state(String bridge) {
		return this.fixture.sidekiq().allBridges().get(bridge);
	}

	private static List<String> texts(Batch batch) {
		return batch.elements().stream().map((element) -> new String(element.json(), StandardCharsets.UTF_8)).toList();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
