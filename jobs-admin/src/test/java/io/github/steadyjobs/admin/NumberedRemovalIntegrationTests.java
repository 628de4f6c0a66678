package io.github.steadyjobs.admin;

import java.util.Map;

import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ordered;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for numbered calls that remove jobs.
 */
class NumberedRemovalIntegrationTests extends AbstractScriptTests {

	NumberedRemovalIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void removeWhenSentAgainLateKeepsWhatHasComeSince(boolean cancels) {
		this.queue.gather(ordered(1, "5", "[5]"));
		String answer = cancels ? cancel(1) : delete(1);
		assertThat(answer).isEqualTo(cancels ? "CANCELLED" : "D");
		this.queue.gather(ordered(1, "6", "[6]"));
		Map<String, Object> before = this.queue.contents();
		assertThat(cancels ? cancel(1) : delete(1)).isEqualTo(answer);
		assertThat(this.queue.contents()).isEqualTo(before);
		assertThat(cancels ? cancel(3) : delete(3)).isEqualTo(answer);
		assertThat(this.queue.hash("payloads")).isEmpty();
		this.queue.gather(ordered(1, "7", "[7]"));
		assertThat(cancels ? cancel(2) : delete(2)).isEqualTo("STALE");
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ready", "scheduled", "dead", "parked" })
	void purgeWhenSentAgainLateKeepsWhatHasComeSince(String place) {
		put(place, 1, 2);
		assertThat(purge(1, place)).isEqualTo("2 0");
		put(place, 3);
		assertThat(purge(1, place)).isEqualTo("2 0");
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(3));
		assertThat(purge(2, place)).isEqualTo("1 0");
		put(place, 4);
		assertThat(purge(1, place)).isEqualTo("STALE");
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(4));
	}

	@Test
	void cancelWhenThereWasNothingKeepsWhatHasComeSince() {
		assertThat(cancel(1)).isEqualTo("GONE");
		this.queue.gather(ordered(1, "5", "[5]"));
		assertThat(cancel(1)).isEqualTo("GONE");
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(1));
	}

	@Test
	void cancelWhenKeyRunsAndIsSentAgainKeepsWhatHasComeSince() {
		this.queue.join(PROCESS);
		this.queue.gather(ordered(1, "5", "[5]"));
		this.queue.claim(1);
		assertThat(cancel(1)).isEqualTo("RUNNING");
		this.queue.gather(ordered(1, "6", "[6]"));
		assertThat(cancel(1)).isEqualTo("RUNNING");
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(1));
	}

	@Test
	void removeWhenKeyHasWrongTypeRefuses() {
		assertRefusesWrongTypes(ScriptFixture.CANCEL, (given) -> given.gather(ordered(1, "5", "[5]")),
				(given) -> given.run(ScriptFixture.CANCEL, "p/0", 1, id(1)),
				fate("calls", "working", "dead", "cancelled", "backlog", "backlogged"));
		assertRefusesWrongTypes(AdminStore.CHANGE, (given) -> given.gather(ordered(1, "5", "[5]")),
				(given) -> given.run(AdminStore.CHANGE, "p/0", 1, "deleted", "ready", 1, id(1)),
				fate("calls", "working", "dead", "cancelled", "suspects", "backlog", "backlogged"));
	}

	private void put(String place, int... jobs) {
		for (int job : jobs) {
			this.queue.set("payloads", id(job), payload(job));
			this.queue.put(place, job);
		}
	}

	private String purge(int number, String place) {
		return Answers.text(this.queue.run(AdminStore.PURGE, "p/0", number, place, 10), 0);
	}

	private String cancel(int number) {
		return Answers.text(this.queue.run(ScriptFixture.CANCEL, "p/0", number, id(1)), 0);
	}

	private String delete(int number) {
		return Answers.text(this.queue.run(AdminStore.CHANGE, "p/0", number, "deleted", "ready", 1, id(1)), 0);
	}

}
