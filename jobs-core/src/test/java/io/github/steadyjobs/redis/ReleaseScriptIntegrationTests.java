package io.github.steadyjobs.redis;

import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.redis.ScriptFixture.PROCESS;
import static io.github.steadyjobs.redis.ScriptFixture.id;
import static io.github.steadyjobs.redis.ScriptFixture.ids;
import static io.github.steadyjobs.redis.ScriptFixture.jobs;
import static io.github.steadyjobs.redis.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code release.lua}.
 */
class ReleaseScriptIntegrationTests extends AbstractScriptTests {

	ReleaseScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void releaseWhenOthersWaitPutsTheOldestFirst() {
		this.queue.working(1, 2, 3);
		this.queue.enqueue(4);
		assertThat(this.queue.release(PROCESS, id(1), token(1), id(2), token(2), id(3), token(3))).isEqualTo("DDD");
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3, 4));
		assertThat(this.queue.claim(4).jobs()).extracting(ClaimedJob::id).containsExactly(ids(1, 2, 3, 4));
		assertThat(this.queue.stat("released")).isEqualTo(3);
	}

	@Test
	void releaseLeavesAtMostThreeTokens() {
		this.queue.working(1, 2, 3, 4, 5);
		this.queue.release(PROCESS, id(1), token(1));
		assertThat(this.queue.list("wake")).hasSize(1);
		this.queue.release(PROCESS, id(2), token(2), id(3), token(3), id(4), token(4), id(5), token(5));
		assertThat(this.queue.list("wake")).hasSize(3);
	}

	@Test
	void releaseWhenPausedLeavesNoToken() {
		this.queue.working(1);
		this.queue.pause();
		assertThat(this.queue.release(PROCESS, id(1), token(1))).isEqualTo("D");
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(this.queue.has("wake")).isFalse();
	}

	@Test
	void releaseWhenJobWasCancelledMeanwhileEndsIt() {
		this.queue.working(1);
		this.queue.cancel(1);
		assertThat(this.queue.release(PROCESS, id(1), token(1))).isEqualTo("C");
		assertThat(this.queue.contents()).doesNotContainKeys("working", "ready", "payloads", "cancelled", "wake");
	}

	@Test
	void releaseWhenSeveralAnswersForEach() {
		this.queue.working(1, 2, 3, 4);
		this.queue.cancel(2);
		assertThat(this.queue.release(PROCESS, id(1), token(9), id(2), token(2), id(3), token(3), id(9), token(1)))
			.isEqualTo("SCDA");
		assertThat(this.queue.ready()).containsExactly(id(3));
		assertThat(this.queue.hash("working")).containsOnlyKeys(id(1), id(4));
	}

	@Test
	void releaseWhenTokenIsWrongAnswersStaleAndWritesNothing() {
		this.queue.working(1);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.release("p2", id(1), token(1))).isEqualTo("S");
		assertThat(this.queue.release(PROCESS, id(1), token(2))).isEqualTo("S");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void releaseWhenQueueIsEmptyAnswersAlready() {
		assertThat(this.queue.release(PROCESS, id(1), token(1))).isEqualTo("A");
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void releaseWhenRepeatedChangesNothing() {
		this.queue.working(1, 2);
		assertRepeatable(() -> this.queue.release(PROCESS, id(1), token(1), id(2), token(2)));
	}

	@Test
	void releaseWhenRepeatedAfterJobWasClaimedAgainAnswersStale() {
		this.queue.working(1);
		this.queue.release(PROCESS, id(1), token(1));
		this.queue.claim(1);
		assertThat(this.queue.release(PROCESS, id(1), token(1))).isEqualTo("S");
		assertThat(this.queue.hash("working")).containsOnlyKeys(id(1));
	}

	@Test
	void releaseWhenFiveHundredKeepsTheirOrder() {
		this.queue.join(PROCESS);
		this.queue.enqueue(jobs(1, 500));
		this.queue.claim(PROCESS, 1, 500, 500);
		Object[] pairs = IntStream.rangeClosed(1, 500).boxed().flatMap((n) -> Stream.of(id(n), token(1))).toArray();
		assertThat(this.queue.release(PROCESS, pairs)).isEqualTo("D".repeat(500));
		assertThat(this.queue.ready()).containsExactly(ids(IntStream.rangeClosed(1, 500).toArray()));
	}

	@Test
	void releaseWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(JobScript.RELEASE, (queue) -> queue.working(1),
				(queue) -> queue.release(PROCESS, id(1), token(1)), "suspects", "cancelled", "meta", "wake", "stats");
	}

}
