package io.github.steadyjobs.ordered;

import java.util.Map;

import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code close-shard.lua}.
 */
class CloseShardScriptIntegrationTests extends AbstractScriptTests {

	CloseShardScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void closeWhenShardIsEmptyRaisesItsVersion() {
		assertRepeatable(() -> assertThat(this.queue.closeShard(2)).isEqualTo("CLOSED"));
		assertThat(this.queue.contents()).isEqualTo(Map.of("meta", Map.of("shards", "2")));
		assertThat(this.queue.closeShard(10)).isEqualTo("CLOSED");
		assertThat(this.queue.hash("meta")).containsEntry("shards", "10");
	}

	@Test
	void closeWhenLateLowersNothing() {
		this.queue.closeShard(10);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.closeShard(9)).isEqualTo("CLOSED");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ready", "scheduled", "retries", "parked", "suspects" })
	void closeWhenShardHasJobsIsRefused(String place) {
		this.queue.put(place, 1);
		this.queue.set("payloads", ScriptFixture.id(1), ScriptFixture.payload(1));
		assertIsBusy();
	}

	@Test
	void closeWhenJobRunsIsRefused() {
		this.queue.working(1);
		assertIsBusy();
		this.queue.acknowledge(PROCESS, ScriptFixture.id(1), ScriptFixture.token(1));
		assertThat(this.queue.closeShard(2)).isEqualTo("CLOSED");
	}

	@Test
	void closeWhenOnlyDeadJobsAreLeftClosesShard() {
		this.queue.working(1);
		this.queue.bury(1, 1, 10, ScriptFixture.HOUR);
		assertThat(this.queue.closeShard(2)).isEqualTo("CLOSED");
	}

	@Test
	void closeWhenLayoutIsNewerWritesNothing() {
		this.queue.set("meta", "schema", "3");
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.closeShard(2)).isEqualTo("UPGRADE");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void closeWhenMetaHasAWrongTypeIsRefused() {
		assertRefusesWrongType("meta", (given) -> {
		}, (given) -> given.closeShard(2));
	}

	private void assertIsBusy() {
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.closeShard(2)).isEqualTo("BUSY");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

}
