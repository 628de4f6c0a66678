package io.github.steadyjobs.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code unpark.lua}.
 */
class UnparkScriptIntegrationTests extends AbstractScriptTests {

	private static final String MAIL = "unknown:Mail.send";

	private static final String BILL = "unknown:Bill.print";

	UnparkScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void unparkWhenReasonHoldsNoLongerPutsTheOldestFirst() {
		parked(MAIL, 3, 1, 2);
		this.queue.enqueue(4);
		assertThat(this.queue.unpark("0", 1000, MAIL)).isEqualTo(List.of("0", 3L));
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3, 4));
		assertThat(this.queue.has("parked")).isFalse();
	}

	@Test
	void unparkWhenReasonStillHoldsLeavesJobs() {
		parked(MAIL, 1);
		parked(BILL, 2);
		parked("mutex:abc", 3);
		assertThat(this.queue.unpark("0", 1000, BILL, "unknown:Other.job", "mutex:abc")).isEqualTo(List.of("0", 2L));
		assertThat(this.queue.ready()).containsExactly(ids(2, 3));
		assertThat(this.queue.hash("parked")).isEqualTo(Map.of(id(1), MAIL));
	}

	@Test
	void unparkWhenArgumentsDidNotFitOthersLeavesThoseThatItsOwnSignatureHasTried() {
		parked("unbound:Mail.send/0123456789ab", 1);
		parked("unbound:Mail.send/0123456789ab,ba9876543210", 2);
		parked("unbound:Bill.print/0123456789ab", 3);
		parked("unbound:Mail.send/later/0123456789ab", 4);
		assertThat(this.queue.unpark("0", 1000, "unbound:Mail.send/ba9876543210")).isEqualTo(List.of("0", 1L));
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(2), id(3), id(4));
	}

	@Test
	void unparkWhenThereIsNoSignatureTakesAllOfTheName() {
		parked("unbound:Mail.send/0123456789ab", 1);
		parked("unbound:Mail.send/0123456789ab,ba9876543210", 2);
		parked("unbound:Mail.send/later/0123456789ab", 3);
		parked(MAIL, 4);
		assertThat(this.queue.unpark("0", 1000, "unbound:Mail.send/")).isEqualTo(List.of("0", 2L));
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
	}

	@Test
	void unparkWhenNoneMatchesWritesNothing() {
		parked(MAIL, 1);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.unpark("0", 1000, BILL)).isEqualTo(List.of("0", 0L));
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void unparkWhenOnlyTheCallerCanRunTheJobsWakesNobody() {
		parked(MAIL, 1);
		this.queue.unpark("0", 1000, MAIL);
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(this.queue.has("wake")).isFalse();
	}

	@Test
	void unparkWhenQueueIsEmptyMovesNothing() {
		assertThat(this.queue.unpark("0", 1000, MAIL)).isEqualTo(List.of("0", 0L));
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void unparkWhenManyAreParkedGoesThroughThemInPages() {
		parked(MAIL, IntStream.rangeClosed(1, 3000).toArray());
		List<Object> answer = this.queue.unpark("0", 1000, MAIL);
		assertThat((Long) answer.get(1)).isBetween(500L, 2000L);
		long moved = (Long) answer.get(1);
		while (!answer.get(0).equals("0")) {
			answer = this.queue.unpark((String) answer.get(0), 1000, MAIL);
			moved += (Long) answer.get(1);
		}
		assertThat(moved).isEqualTo(3000);
		assertThat(this.queue.list("ready")).hasSize(3000);
		assertThat(this.queue.has("parked")).isFalse();
	}

	@Test
	void unparkWhenRepeatedChangesNothing() {
		parked(MAIL, 1, 2);
		assertRepeatable(() -> this.queue.unpark("0", 1000, MAIL));
	}

	@Test
	void unparkWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(ScriptFixture.UNPARK, (queue) -> parked(queue, MAIL, 1),
				(queue) -> queue.unpark("0", 1000, MAIL), fate());
	}

	private void parked(String reason, int... jobs) {
		parked(this.queue, reason, jobs);
	}

	private static void parked(ScriptFixture queue, String reason, int... jobs) {
		Map<String, String> reasons = new HashMap<>();
		Map<String, String> payloads = new HashMap<>();
		IntStream.of(jobs).forEach((job) -> {
			reasons.put(id(job), reason);
			payloads.put(id(job), payload(job));
		});
		queue.template().opsForHash().putAll(queue.key("parked"), reasons);
		queue.template().opsForHash().putAll(queue.key("payloads"), payloads);
	}

}
