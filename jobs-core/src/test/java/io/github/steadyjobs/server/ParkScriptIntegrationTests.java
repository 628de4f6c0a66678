package io.github.steadyjobs.server;

import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@code settle.lua} with parked jobs (GL-X13).
 */
class ParkScriptIntegrationTests extends AbstractScriptTests {

	private static final String REASON = "unknown:Mail.send";

	ParkScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void parkWhenJobIsHeldSetsItAside() {
		this.queue.working(1);
		assertThat(this.queue.park(1, 1, REASON)).isEqualTo("D");
		assertThat(this.queue.has("working")).isFalse();
		assertThat(this.queue.hash("parked")).isEqualTo(Map.of(id(1), REASON));
		assertThat(this.queue.hash("payloads")).isEqualTo(Map.of(id(1), payload(1)));
		assertThat(this.queue.stat("parked")).isEqualTo(1);
	}

	@Test
	void parkTellsHeartbeatsWhyWithTheLatestReasons() {
		this.queue.working(IntStream.rangeClosed(1, 25).toArray());
		for (int job = 1; job <= 23; job++) {
			this.queue.park(job, job, "unknown:Job." + job);
		}
		long before = this.queue.beat(PROCESS, false).data().seq();
		this.queue.park(24, 24, "unknown:Job.\n5");
		this.queue.park(25, 25, "unknown:Job.23");
		Beat.Parked parked = this.queue.beat(PROCESS, false).parked();
		assertThat(parked.now()).isEqualTo(25);
		assertThat(parked.lately()).hasSize(20).containsKeys("unknown:Job. 5", "unknown:Job.23", "unknown:Job.6");
		assertThat(parked.isSince(before, "unknown:Job.23"::equals)).isTrue();
		assertThat(parked.isSince(before, "unknown:Job.22"::equals)).isFalse();
		assertThat(parked.isSince(before - 30, "unknown:none"::equals)).isTrue();
	}

	@Test
	void parkWhenPayloadIsGivenStoresIt() {
		this.queue.working(1);
		assertThat(this.queue.park(PROCESS, 1, token(1), REASON, "changed")).isEqualTo("D");
		assertThat(this.queue.hash("parked")).isEqualTo(Map.of(id(1), REASON));
		assertThat(this.queue.hash("payloads")).isEqualTo(Map.of(id(1), "changed"));
	}

	@Test
	void parkWhenReasonIsNotAsciiKeepsIt() {
		this.queue.working(1);
		this.queue.park(1, 1, "unknown:Grüße.senden");
		assertThat(this.queue.hash("parked")).containsValue("unknown:Grüße.senden");
	}

	@Test
	void parkWhenJobWasCancelledMeanwhileEndsIt() {
		this.queue.working(1);
		this.queue.cancel(1);
		assertThat(this.queue.park(PROCESS, 1, token(1), REASON, "changed")).isEqualTo("C");
		assertThat(this.queue.contents()).doesNotContainKeys("working", "parked", "payloads", "cancelled");
	}

	@Test
	void parkWhenTokenIsWrongAnswersStaleAndWritesNothing() {
		this.queue.working(1);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.park("p2", 1, token(1), REASON)).isEqualTo("S");
		assertThat(this.queue.park(PROCESS, 1, token(2), REASON)).isEqualTo("S");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void parkWhenQueueIsEmptyAnswersAlready() {
		assertThat(this.queue.park(1, 1, REASON)).isEqualTo("A");
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void parkWhenRepeatedChangesNothing() {
		this.queue.working(1);
		assertRepeatable(() -> this.queue.park(1, 1, REASON));
		assertThat(this.queue.park(1, 1, REASON)).isEqualTo("A");
	}

	@Test
	void parkWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(ScriptFixture.SETTLE, (queue) -> queue.working(1), (queue) -> queue.park(1, 1, REASON),
				fate("working"));
	}

	@Test
	void parkWhenPayloadsHasAWrongTypeAndOneIsGivenRefuses() {
		ScriptFixture spoilt = this.queue.sibling();
		spoilt.working(1);
		spoilt.spoil(spoilt.key("payloads"));
		Map<String, Object> before = spoilt.contents();
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> spoilt.park(PROCESS, 1, token(1), REASON, "changed"))
			.has(reason(Reason.DAMAGED));
		assertThat(spoilt.contents()).isEqualTo(before);
	}

}
