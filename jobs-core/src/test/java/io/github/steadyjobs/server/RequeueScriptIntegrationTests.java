package io.github.steadyjobs.server;

import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code settle.lua} with jobs that are returned to the queue.
 */
class RequeueScriptIntegrationTests extends AbstractScriptTests {

	RequeueScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void requeueWhenJobsHaveNotBegunCountsThemApart() {
		this.queue.working(1, 2);
		assertThat(this.queue.giveBack("unbegun", PROCESS, id(1), token(1), id(2), token(2))).isEqualTo("D");
		assertThat(this.queue.stat("unbegun")).isEqualTo(2);
		assertThat(this.queue.stat("released")).isZero();
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
	}

	@Test
	@DisplayName("SK-34: a job returns to the end of the queue from which jobs are taken")
	void requeueWhenOthersWaitPutsTheOldestFirst() {
		this.queue.working(1, 2, 3);
		this.queue.enqueue(4);
		assertThat(this.queue.requeue(PROCESS, id(1), token(1), id(2), token(2), id(3), token(3))).isEqualTo("D");
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3, 4));
		assertThat(this.queue.claim(4).jobs()).extracting(ClaimedJob::id).containsExactly(ids(1, 2, 3, 4));
		assertThat(this.queue.stat("released")).isEqualTo(3);
	}

	@Test
	void requeueWhenJobsHaveBegunPutsTheOldestFirstInWhateverOrderTheyCome() {
		this.queue.working(1, 2, 3, 4);
		this.queue.requeue(PROCESS, id(3), token(3), id(4), token(4), id(2), token(2));
		assertThat(this.queue.ready()).containsExactly(ids(2, 3, 4));
	}

	@Test
	void requeueWhenJobsHaveNotBegunKeepsTheirOrder() {
		this.queue.working(1, 2, 3);
		this.queue.giveBack("unbegun", PROCESS, id(3), token(3), id(1), token(1), id(2), token(2));
		assertThat(this.queue.ready()).containsExactly(ids(3, 1, 2));
	}

	@Test
	void requeueLeavesAtMostThreeTokens() {
		this.queue.working(1, 2, 3, 4, 5);
		this.queue.requeue(PROCESS, id(1), token(1));
		assertThat(this.queue.list("wake")).hasSize(1);
		this.queue.requeue(PROCESS, id(2), token(2), id(3), token(3), id(4), token(4), id(5), token(5));
		assertThat(this.queue.list("wake")).hasSize(3);
	}

	@Test
	void requeueWhenPausedLeavesNoToken() {
		this.queue.working(1);
		this.queue.pause();
		assertThat(this.queue.requeue(PROCESS, id(1), token(1))).isEqualTo("D");
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(this.queue.has("wake")).isFalse();
	}

	@Test
	void requeueWhenJobWasCancelledMeanwhileEndsIt() {
		this.queue.working(1);
		this.queue.cancel(1);
		assertThat(this.queue.requeue(PROCESS, id(1), token(1))).isEqualTo("C");
		assertThat(this.queue.contents()).doesNotContainKeys("working", "ready", "payloads", "cancelled", "wake");
	}

	@Test
	void requeueWhenSeveralAnswersForEach() {
		this.queue.working(1, 2, 3, 4);
		this.queue.cancel(2);
		assertThat(this.queue.requeue(PROCESS, id(1), token(9), id(2), token(2), id(3), token(3), id(9), token(1)))
			.isEqualTo("SCDA");
		assertThat(this.queue.ready()).containsExactly(id(3));
		assertThat(this.queue.hash("working")).containsOnlyKeys(id(1), id(4));
	}

	@Test
	void requeueWhenTokenIsWrongAnswersStaleAndWritesNothing() {
		this.queue.working(1);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.requeue("p2", id(1), token(1))).isEqualTo("S");
		assertThat(this.queue.requeue(PROCESS, id(1), token(2))).isEqualTo("S");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void requeueWhenQueueIsEmptyAnswersAlready() {
		assertThat(this.queue.requeue(PROCESS, id(1), token(1))).isEqualTo("A");
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void requeueWhenRepeatedChangesNothing() {
		this.queue.working(1, 2);
		assertRepeatable(() -> this.queue.requeue(PROCESS, id(1), token(1), id(2), token(2)));
	}

	@Test
	void requeueWhenRepeatedAfterJobWasClaimedAgainAnswersStale() {
		this.queue.working(1);
		this.queue.requeue(PROCESS, id(1), token(1));
		this.queue.claim(1);
		assertThat(this.queue.requeue(PROCESS, id(1), token(1))).isEqualTo("S");
		assertThat(this.queue.hash("working")).containsOnlyKeys(id(1));
	}

	@Test
	@DisplayName("SK-35: jobs return together, in their order")
	void requeueWhenFiveHundredKeepsTheirOrder() {
		this.queue.join(PROCESS);
		this.queue.enqueue(jobs(1, 500));
		this.queue.claim(PROCESS, 1, 500, 500);
		Object[] pairs = IntStream.rangeClosed(1, 500).boxed().flatMap((n) -> Stream.of(id(n), token(1))).toArray();
		assertThat(this.queue.requeue(PROCESS, pairs)).isEqualTo("D");
		assertThat(this.queue.ready()).containsExactly(ids(IntStream.rangeClosed(1, 500).toArray()));
	}

	@Test
	void requeueWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(ScriptFixture.SETTLE, (queue) -> queue.working(1),
				(queue) -> queue.requeue(PROCESS, id(1), token(1)), fate("working"));
	}

}
