package io.github.steadyjobs.server;

import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.holder;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code settle.lua} with completed jobs (JG-04).
 */
class AcknowledgeScriptIntegrationTests extends AbstractScriptTests {

	AcknowledgeScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	@DisplayName("SK-34, JG-04: an acknowledged job is removed")
	void acknowledgeWhenJobIsHeldEndsIt() {
		this.queue.working(1, 2);
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("D");
		assertThat(this.queue.hash("working")).isEqualTo(Map.of(id(2), holder(2)));
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(2));
		assertThat(this.queue.stat("done")).isEqualTo(1);
	}

	@Test
	void acknowledgeWhenLastJobEndsLeavesNothingOfIt() {
		this.queue.working(1);
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.contents()).containsOnlyKeys("beats", "calls", "claims", "meta", "stats");
	}

	@Test
	void acknowledgeWhenProcessIsAnotherAnswersStaleAndWritesNothing() {
		this.queue.working(1);
		assertWritesNothing("S", "p2", id(1), token(1));
	}

	@Test
	void acknowledgeWhenClaimIsAnotherAnswersStaleAndWritesNothing() {
		this.queue.working(1);
		assertWritesNothing("S", PROCESS, id(1), token(2));
	}

	@Test
	void acknowledgeWhenCapsuleIsAnotherAnswersStaleAndWritesNothing() {
		this.queue.working(1);
		assertWritesNothing("S", PROCESS, id(1), "other/1");
	}

	@Test
	void acknowledgeWhenQueueIsEmptyAnswersAlready() {
		assertWritesNothing("A", PROCESS, id(1), token(1));
	}

	private void assertWritesNothing(String answer, String process, String id, String token) {
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.acknowledge(process, id, token)).isEqualTo(answer);
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void acknowledgeWhenRepeatedChangesNothing() {
		this.queue.working(1, 2);
		assertRepeatable(() -> this.queue.acknowledge(PROCESS, id(1), token(1)));
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("A");
	}

	@Test
	void acknowledgeWhenSeveralAnswersForEach() {
		this.queue.working(1, 2, 3);
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1), id(2), token(9), id(4), token(1), id(3), token(3)))
			.isEqualTo("DSAD");
		assertThat(this.queue.hash("working")).containsOnlyKeys(id(2));
		assertThat(this.queue.stat("done")).isEqualTo(2);
	}

	@Test
	void acknowledgeWhenSeveralAreOfOneClaimAnswersForEach() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2, 3, 4, 5);
		this.queue.claim(PROCESS, 1, 3, 200);
		this.queue.claim(PROCESS, 2, 2, 200);
		assertThat(this.queue.acknowledgeGroups(PROCESS, token(1), 2, id(3), id(1), token(2), 3, id(4), id(9), id(2)))
			.isEqualTo("DDDAS");
		assertThat(this.queue.hash("working")).containsOnlyKeys(id(2), id(5));
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(2), id(5));
	}

	@Test
	void acknowledgeWhenJobWasCancelledMeanwhileForgetsIt() {
		this.queue.working(1, 2);
		this.queue.cancel(1);
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1), id(2), token(2))).isEqualTo("D");
		assertThat(this.queue.contents()).doesNotContainKeys("working", "payloads", "cancelled");
	}

	@Test
	void acknowledgeWhenFiveHundredEndsAll() {
		this.queue.join(PROCESS);
		this.queue.enqueue(jobs(1, 500));
		this.queue.claim(PROCESS, 1, 500, 500);
		Object[] group = Stream
			.concat(Stream.of(token(1), 500), IntStream.rangeClosed(1, 500).mapToObj(ScriptFixture::id))
			.toArray();
		assertThat(this.queue.acknowledgeGroups(PROCESS, group)).isEqualTo("D");
		assertThat(this.queue.contents()).doesNotContainKeys("working", "payloads");
	}

	@Test
	void acknowledgeWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(ScriptFixture.SETTLE, (queue) -> {
			queue.working(1, 2);
			queue.cancel(1);
		}, (queue) -> queue.acknowledge(PROCESS, id(1), token(1), id(2), token(2)), "working", "payloads", "lockof",
				"gathered");
	}

	@ParameterizedTest
	@ValueSource(strings = { "working", "payloads", "lockof", "gathered" })
	void acknowledgeWhenJobIsPlainAndTypeIsWrongRefuses(String key) {
		assertRefusesWrongType(key, (queue) -> queue.working(1),
				(queue) -> queue.acknowledge(PROCESS, id(1), token(1)));
	}

}
