package io.github.steadyjobs.audit;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.server.ScriptFixture.Taken;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.audit.AuditScripts.repair;
import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@code repair.lua}.
 */
class RepairScriptIntegrationTests extends AbstractScriptTests {

	RepairScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void repairWhenNothingIsWrongWritesNothing() {
		this.queue.working(1, 2, 3);
		this.queue.cancel(1);
		this.queue.retry(2, 2, HOUR);
		this.queue.enqueue(job(4), job(5, HOUR));
		Map<String, Object> before = this.queue.contents();
		assertThat(repair(this.queue, ids(1, 2, 3, 4, 5, 6))).isEqualTo("NNNNNN");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void repairWhenPlaceIsMissingMakesJobDueByItsCreation() {
		this.queue.enqueue(1, 2);
		this.queue.template().delete(List.of(this.queue.key("ready"), this.queue.key("wake")));
		assertRepeatable(() -> repair(this.queue, ids(2, 1)));
		assertThat(this.queue.score("scheduled", 1)).isEqualTo(1_700_000_000_000.0);
		assertThat(this.queue.list("wake")).hasSize(2);
		this.queue.join(ScriptFixture.PROCESS);
		assertThat(this.queue.take(2)).extracting(Taken::id).containsExactly(ids(1, 2));
	}

	@Test
	void repairWhenPausedLeavesNoToken() {
		this.queue.enqueue(1);
		this.queue.pause();
		this.queue.template().delete(List.of(this.queue.key("ready"), this.queue.key("wake")));
		assertThat(repair(this.queue, id(1))).isEqualTo("R");
		assertThat(this.queue.has("wake")).isFalse();
	}

	@Test
	void repairWhenPayloadIsMissingClearsEveryPlace() {
		this.queue.working(1, 2);
		this.queue.retry(2, 2, HOUR);
		this.queue.enqueue(3);
		this.queue.template().delete(this.queue.key("payloads"));
		this.queue.set("crashes", id(1), "1 1700000000000 p0");
		assertRepeatable(() -> assertThat(repair(this.queue, ids(1, 2, 3))).hasSize(3));
		assertThat(this.queue.contents()).doesNotContainKeys("working", "retries", "ready", "crashes");
	}

	@ParameterizedTest
	@ValueSource(strings = { "suspects", "retries", "scheduled", "parked", "ready", "dead" })
	void repairWhenJobRunsKeepsNothingBesideIt(String place) {
		this.queue.working(1);
		this.queue.put(place, 1);
		assertThat(repair(this.queue, id(1))).isEqualTo("R");
		assertThat(this.queue.hash("working")).containsOnlyKeys(id(1));
		assertThat(this.queue.has(place)).isFalse();
	}

	@Test
	void repairWhenIdIsEverywhereKeepsPlacesInTheirOrder() {
		List<String> order = List.of("suspects", "retries", "scheduled", "parked", "ready", "dead");
		for (int first = 0; first < order.size(); first++) {
			ScriptFixture everywhere = this.queue.sibling();
			everywhere.set("payloads", id(1), "payload");
			for (String place : order.subList(first, order.size())) {
				everywhere.put(place, 1);
			}
			repair(everywhere, id(1));
			assertThat(everywhere.contents()).containsOnlyKeys("payloads", order.get(first));
			everywhere.assertOnePlaceEach();
		}
	}

	@Test
	void repairWhenIdIsInListTwiceKeepsOne() {
		this.queue.enqueue(1, 2);
		this.queue.put("ready", 1);
		this.queue.put("ready", 1);
		assertRepeatable(() -> repair(this.queue, ids(1, 2)));
		assertThat(this.queue.ready()).containsExactlyInAnyOrder(ids(1, 2));
	}

	@Test
	void repairWhenCancelledIdIsWhereItIsNotMetTakesItOut() {
		this.queue.template().opsForSet().add(this.queue.key("cancelled"), id(1));
		this.queue.put("dead", 1);
		assertThat(repair(this.queue, id(1))).isEqualTo("R");
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void repairWhenListIsLongTakesFewerIds() {
		for (int from = 0; from < 3000; from += 1000) {
			this.queue.enqueue(jobs(from + 1, from + 1000));
		}
		String[] many = jobIds(1, 500);
		// One call makes at most 500,000 comparisons.
		assertThat(repair(this.queue, many)).hasSize(166);
		assertThat(repair(this.queue, id(1))).isEqualTo("N");
	}

	@Test
	void repairWhenReadyHasWrongTypeBringsItsJobsBack() {
		this.queue.enqueue(1, 2);
		this.queue.spoil(this.queue.key("ready"));
		assertThat(repair(this.queue, ids(1, 2))).isEqualTo("RR");
		assertThat(this.queue.sorted("scheduled")).containsExactly(ids(1, 2));
	}

	@Test
	void repairWhenKeyHasWrongTypeWritesNothing() {
		for (String name : List.of("payloads", "working", "scheduled", "retries", "dead", "parked", "cancelled",
				"crashes", "since", "suspects", "meta", "wake")) {
			ScriptFixture spoilt = this.queue.sibling();
			spoilt.working(1);
			spoilt.enqueue(2);
			spoilt.template().delete(spoilt.key("ready"));
			spoilt.spoil(spoilt.key(name));
			Map<String, Object> before = spoilt.contents();
			assertThatExceptionOfType(JobStoreException.class).as("a wrong type at '%s'", name)
				.isThrownBy(() -> repair(spoilt, ids(1, 2)))
				.withMessageContaining("WRONGTYPE");
			assertThat(spoilt.contents()).isEqualTo(before);
		}
	}

	private static String[] jobIds(int from, int to) {
		return Arrays.stream(jobs(from, to)).map(NewJob::id).toArray(String[]::new);
	}

}
