package io.github.steadyjobs.client;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTED;
import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.bytes;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@code enqueue.lua}.
 */
class EnqueueScriptIntegrationTests extends AbstractScriptTests {

	EnqueueScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void enqueueWhenQueueIsNewMakesJobReady() {
		assertThat(this.queue.enqueueCall("producer/7", 1, job(1))).isEqualTo("S");
		assertThat(this.queue.contents()).containsOnlyKeys("calls", "meta", "payloads", "ready", "wake")
			.containsEntry("ready", List.of(id(1)))
			.containsEntry("payloads", Map.of(id(1), payload(1)))
			.containsEntry("wake", List.of("1"));
		assertThat(this.queue.hash("calls").get("producer/7")).matches("1 \\d{10} " + id(1) + " S");
		assertThat(this.queue.hash("meta")).containsEntry("schema", "1").containsKeys("epoch", "seq");
	}

	@Test
	void enqueueWhenQueueIsKnownCountsAChange() {
		this.queue.enqueue(1);
		long before = Long.parseLong(this.queue.hash("meta").get("seq"));
		this.queue.enqueue(2, 3);
		assertThat(this.queue.hash("meta")).containsEntry("seq", Long.toString(before + 1));
	}

	@Test
	void enqueueWhenJobsAreReadyPutsNewOneBehindThem() {
		this.queue.enqueue(1);
		this.queue.enqueue(2, 3);
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3));
	}

	@Test
	void enqueueWhenDelayedSchedulesByRedisTime() {
		assertThat(this.queue.enqueue(job(1, 60_000))).isEqualTo("S");
		assertThat(this.queue.contents()).containsOnlyKeys("calls", "meta", "payloads", "scheduled", "wake");
		assertThat(this.queue.score("scheduled", 1)).isCloseTo(this.queue.now() + 60_000, within(10_000.0));
	}

	@Test
	void enqueueWhenDelayIsVeryLongKeepsTheMilliseconds() {
		long century = 100L * 365 * 24 * ScriptFixture.HOUR;
		this.queue.enqueue(job(1, century));
		assertThat(this.queue.score("scheduled", 1)).isCloseTo(this.queue.now() + century, within(10_000.0));
	}

	@Test
	void enqueueWhenJobsExpireWritesWhenByRedisTime() {
		assertThat(this.queue.enqueue(expiring(1, 60_000, null, "", "0"), job(2),
				expiring(3, -60_000, HOUR, "", "1795377856000"),
				expiring(4, 3 * HOUR, null, UNTIL_EXECUTED.lock(HOUR, "d"), "-5")))
			.isEqualTo("S");
		assertThat(expiry(1)).isCloseTo(this.queue.now() + 60_000, within(10_000.0));
		assertThat(this.queue.hash("payloads")).containsEntry(id(2), payload(2));
		assertThat(expiry(3)).isCloseTo(this.queue.now() - 60_000, within(10_000.0));
		assertThat(this.queue.score("scheduled", 3)).isCloseTo(this.queue.now() + HOUR, within(10_000.0));
		assertThat(expiry(4)).isCloseTo(this.queue.now() + 3 * HOUR, within(10_000.0));
		assertThat(this.queue.hash("locks")).containsOnlyKeys("d");
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 4));
	}

	@Test
	void enqueueWhenCallOfExpiringJobsIsRepeatedKeepsTheFirstTime() {
		assertThat(this.queue.enqueueCall("producer/7", 1, expiring(1, 60_000, null, "", "0"))).isEqualTo("S");
		double first = expiry(1);
		assertThat(this.queue.enqueueCall("producer/7", 1, expiring(1, HOUR, null, "", "0"))).isEqualTo("S");
		assertThat(expiry(1)).isEqualTo(first);
	}

	@Test
	void enqueueWhenExpiryIsNoNumberOfThePayloadStoresNothing() {
		NewJob broken = new NewJob(id(1), bytes(payload(1)), null, "", null, new NewJob.Expiry(5, 2));
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.queue.enqueue(job(2), broken));
		assertThat(this.queue.contents()).isEmpty();
	}

	private static NewJob expiring(int job, long after, @Nullable Long delay, String lock, String written) {
		String begin = "{\"args\":[\"\u20ac\"],\"expires_at\":";
		return new NewJob(id(job), bytes(begin + written + ",\"x\":1}"), delay, lock, null,
				new NewJob.Expiry(after, bytes(begin).length));
	}

	private double expiry(int job) {
		String stored = this.queue.hash("payloads").get(id(job));
		assertThat(stored).matches("\\{\"args\":\\[\"\u20ac\"],\"expires_at\":\\d{13},\"x\":1}");
		return Double.parseDouble(stored.replaceAll("\\D*(\\d{13})\\D.*", "$1"));
	}

	@Test
	void enqueueWhenMixedStoresEachWhereItWaits() {
		assertThat(this.queue.enqueue(job(1), job(2, 60_000), job(3))).isEqualTo("S");
		assertThat(this.queue.ready()).containsExactly(ids(1, 3));
		assertThat(this.queue.sorted("scheduled")).containsExactly(id(2));
	}

	@Test
	void enqueueWhenThousandJobsStoresAllInOrder() {
		assertThat(this.queue.enqueue(jobs(1, 1000))).isEqualTo("S");
		assertThat(this.queue.ready()).containsExactly(ids(IntStream.rangeClosed(1, 1000).toArray()));
		assertThat(this.queue.hash("payloads")).hasSize(1000);
	}

	@Test
	void enqueueWhenThousandJobsAreDelayedSchedulesAll() {
		NewJob[] delayed = IntStream.rangeClosed(1, 1000).mapToObj((n) -> job(n, n)).toArray(NewJob[]::new);
		assertThat(this.queue.enqueue(delayed)).isEqualTo("S");
		assertThat(this.queue.sorted("scheduled")).containsExactly(ids(IntStream.rangeClosed(1, 1000).toArray()));
	}

	@Test
	void enqueueLeavesAtMostThreeTokens() {
		this.queue.enqueue(1, 2);
		assertThat(this.queue.list("wake")).hasSize(2);
		this.queue.enqueue(3);
		assertThat(this.queue.list("wake")).hasSize(2);
		this.queue.enqueue(4, 5, 6, 7, 8);
		assertThat(this.queue.list("wake")).hasSize(3);
	}

	@Test
	void enqueueWhenScheduledJobBecomesTheEarliestLeavesToken() {
		this.queue.enqueue(job(1, 60_000));
		this.queue.template().delete(this.queue.key("wake"));
		this.queue.enqueue(job(2, 120_000));
		assertThat(this.queue.list("wake")).isEmpty();
		this.queue.enqueue(job(3, 30_000));
		assertThat(this.queue.list("wake")).hasSize(1);
	}

	@Test
	void enqueueWhenPausedStoresAndLeavesNoToken() {
		this.queue.pause();
		assertThat(this.queue.enqueue(job(1), job(2, 1000))).isEqualTo("S");
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(this.queue.has("wake")).isFalse();
	}

	@Test
	void enqueueWhenRepeatedChangesNothingAndAnswersTheSame() {
		assertRepeatable(
				() -> assertThat(this.queue.enqueueCall("producer/0", 5, job(1), job(2, 60_000))).isEqualTo("S"));
	}

	@Test
	void enqueueWhenRepeatedAfterJobHasEndedDoesNotRunItAgain() {
		this.queue.join(ScriptFixture.PROCESS);
		this.queue.enqueueCall("producer/0", 1, job(1));
		this.queue.claim(1);
		this.queue.acknowledge(ScriptFixture.PROCESS, id(1), ScriptFixture.token(1));
		Map<String, Object> ended = this.queue.contents();
		assertThat(this.queue.enqueueCall("producer/0", 1, job(1))).isEqualTo("S");
		assertThat(this.queue.contents()).isEqualTo(ended);
	}

	@Test
	void enqueueWhenLateCopyAnswersStaleAndWritesNothing() {
		this.queue.enqueueCall("producer/0", 9, job(1));
		this.queue.enqueueCall("producer/0", 10, job(2));
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.enqueueCall("producer/0", 9, job(1))).isEqualTo("STALE");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void enqueueWhenNumberWasUsedForAnotherCallSaysSoAndWritesNothing() {
		// Two processes that are restored from the same snapshot continue with the same
		// name and number.
		this.queue.enqueueCall("producer/0", 9, job(1));
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.enqueueCall("producer/0", 9, job(2))).isEqualTo("OTHER");
		assertThat(this.queue.contents()).isEqualTo(before);
		assertThat(this.queue.enqueueCall("producer/0", 9, job(1))).isEqualTo("S");
	}

	@Test
	void enqueueWhenOtherSlotsHaveGreaterNumbersStores() {
		this.queue.enqueueCall("producer/0", 9, job(1));
		assertThat(this.queue.enqueueCall("producer/1", 1, job(2))).isEqualTo("S");
		assertThat(this.queue.enqueueCall("other/0", 1, job(3))).isEqualTo("S");
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3));
	}

	@Test
	void enqueueWhenSchemaIsNewerAnswersUpgradeAndWritesNothing() {
		this.queue.set("meta", "schema", "3");
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.enqueue(1)).isEqualTo("UPGRADE");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void enqueueWhenSchemaIsOursStores() {
		this.queue.set("meta", "schema", "1");
		assertThat(this.queue.enqueue(1)).isEqualTo("S");
	}

	@Test
	void enqueueWhenPayloadIsBinaryKeepsEveryByte() {
		byte[] payload = new byte[256];
		IntStream.range(0, 256).forEach((i) -> payload[i] = (byte) i);
		this.queue.enqueue(new NewJob(id(1), payload, null));
		this.queue.join(ScriptFixture.PROCESS);
		assertThat(this.queue.take(1).get(0).payload()).isEqualTo(payload);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 3, 4 })
	void enqueueWhenNumberOfJobsIsWrongRefuses(int count) {
		Object[] arguments = { "producer/0", 1, count, id(1), payload(1), id(2), payload(2) };
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.queue.run(ScriptFixture.ENQUEUE, arguments))
			.withMessageContaining("as many jobs as ARGV[3] says")
			.withMessageContaining("nothing was changed");
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void enqueueWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(ScriptFixture.ENQUEUE, (queue) -> {
		}, (queue) -> queue.enqueue(job(1)), "calls", "payloads", "ready");
		assertRefusesWrongTypes(ScriptFixture.ENQUEUE, (queue) -> {
		}, (queue) -> queue.enqueue(job(1), job(2, 1000)), "calls", "payloads", "ready", "scheduled");
	}

}
