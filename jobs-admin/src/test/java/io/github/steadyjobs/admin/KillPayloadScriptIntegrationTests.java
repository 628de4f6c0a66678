package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.gathered;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.ordered;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code change.lua} when it kills one payload of an ordered job.
 */
class KillPayloadScriptIntegrationTests extends AbstractScriptTests {

	private static final String BOTH = gathered(1, "5 [5]", "6 [6]");

	private static final String SECOND = gathered(1, "6 [6]");

	KillPayloadScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void killPayloadWhenOthersAreReadyLeavesThemThere() {
		this.queue.gather(ordered(1, "5", "[5]"), ordered(1, "6", "[6]"), ordered(2, "1", "[1]"));
		assertThat(kill("ready", BOTH, SECOND)).isEqualTo("D");
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
		assertThat(this.queue.hash("payloads")).containsEntry(id(1), SECOND).containsEntry(id(9), "dead");
		assertThat(this.queue.sorted("dead")).containsExactly(id(9));
		assertThat(this.queue.stat("dead")).isEqualTo(1);
		this.queue.assertOnePlaceEach();
	}

	@Test
	void killPayloadWhenOthersAreScheduledKeepsTheirTime() {
		this.queue.gather(ordered(1, "5", "[5]", HOUR), ordered(1, "6", "[6]"));
		assertThat(kill("scheduled", BOTH, SECOND)).isEqualTo("D");
		assertThat(this.queue.sorted("scheduled")).containsExactly(id(1));
		this.queue.assertOnePlaceEach();
	}

	@ParameterizedTest
	@CsvSource({ "retries", "parked" })
	void killPayloadWhenItHeldUpTheOthersLetsThemGoOn(String place) {
		wait(this.queue, place);
		assertThat(kill(place, BOTH, SECOND)).isEqualTo("D");
		assertThat(this.queue.ready()).containsExactly(ids(1));
		assertThat(this.queue.has(place)).isFalse();
		assertThat(this.queue.list("wake")).isNotEmpty();
		this.queue.assertOnePlaceEach();
	}

	@ParameterizedTest
	@CsvSource({ "ready", "retries", "parked" })
	void killPayloadWhenItIsTheLastEndsTheKey(String place) {
		wait(this.queue, place);
		assertThat(kill(place, BOTH, "")).isEqualTo("D");
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(9));
		assertThat(this.queue.has(place)).isFalse();
		this.queue.assertOnePlaceEach();
	}

	@ParameterizedTest
	@CsvSource({ "ready", "retries" })
	void killPayloadWhenSentAgainOrLateChangesNothing(String place) {
		wait(this.queue, place);
		kill(place, BOTH, SECOND);
		this.queue.gather(ordered(1, "7", "[7]"));
		Map<String, Object> before = this.queue.contents();
		assertThat(kill(place, BOTH, SECOND)).isEqualTo("A");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void killPayloadWhenItRunsOrIsElsewhereChangesNothing() {
		this.queue.join(PROCESS);
		this.queue.gather(ordered(1, "5", "[5]"), ordered(1, "6", "[6]"));
		assertThat(kill("retries", BOTH, SECOND)).isEqualTo("A");
		this.queue.claim(1);
		Map<String, Object> before = this.queue.contents();
		assertThat(kill("ready", BOTH, SECOND)).isEqualTo("A");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void killPayloadWhenKeyHasWrongTypeRefuses() {
		assertRefusesWrongTypes(AdminStore.CHANGE, (given) -> wait(given, "retries"),
				(given) -> kill(given, "retries", BOTH, SECOND),
				fate("working", "dead", "suspects", "backlog", "backlogged"));
	}

	@Test
	void killPayloadWhenOthersAreInTheBacklogGoesOnWithTheFirstOfThem() {
		this.queue.join(PROCESS);
		for (int n = 0; n <= 65; n++) {
			this.queue.gather(ordered(1, Integer.toString(n), "[" + n + "]"));
		}
		// Make it look as if the other payloads of the front had been killed before.
		this.queue.set("payloads", id(1), gathered(1, "63 [63]"));
		assertThat(kill("ready", gathered(1, "63 [63]"), "")).isEqualTo("D");
		assertThat(this.queue.hash("payloads")).containsEntry(id(1), gathered(1, "64 [64]"))
			.containsEntry(id(9), "dead");
		assertThat(this.queue.sorted("backlog")).hasSize(1);
		assertThat(kill("ready", gathered(1, "64 [64]"), "")).isEqualTo("D");
		assertThat(this.queue.hash("payloads")).containsEntry(id(1), gathered(1, "65 [65]"));
		assertThat(this.queue.contents()).doesNotContainKeys("backlog", "backlogged");
		assertThat(this.queue.take(1)).hasSize(1);
	}

	private static void wait(ScriptFixture queue, String place) {
		queue.join(PROCESS);
		queue.gather(ordered(1, "5", "[5]"), ordered(1, "6", "[6]"));
		if (!place.equals("ready")) {
			queue.claim(1);
		}
		if (place.equals("retries")) {
			queue.settle(PROCESS, "failed", 1, token(1), BOTH, HOUR);
		}
		else if (place.equals("parked")) {
			queue.park(1, 1, "unbound:x/1");
		}
		queue.template().delete(queue.key("wake"));
	}

	private String kill(String place, String stored, String rest) {
		return kill(this.queue, place, stored, rest);
	}

	private static String kill(ScriptFixture queue, String place, String stored, String rest) {
		String digest = new String(JobScript.sha1(stored.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
		return Answers.text(
				queue.run(AdminStore.CHANGE, "", "", "dead", place, 1, id(1), 10, HOUR, digest, id(9), "dead", rest),
				0);
	}

}
