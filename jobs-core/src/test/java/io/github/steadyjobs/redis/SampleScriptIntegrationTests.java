package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code sample.lua}.
 */
class SampleScriptIntegrationTests extends AbstractScriptTests {

	private static final QueueMonitor.Sample EMPTY = new QueueMonitor.Sample(0, Duration.ZERO, 0, 0, 0, 0, 0, 0);

	SampleScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void sampleWhenQueueIsEmptyTellsZeros() {
		assertThat(this.queue.sample()).isEqualTo(EMPTY);
	}

	@Test
	void sampleCountsEachPlaceAndWritesNothing() {
		this.queue.working(1, 2, 3, 4, 5);
		this.queue.retry(1, 1, HOUR);
		this.queue.retry(2, 2, HOUR);
		this.queue.bury(3, 3, 10, HOUR);
		this.queue.park(4, 4, "unknown:Mail.send");
		this.queue.enqueue(job(6, HOUR), job(7, HOUR), job(8, HOUR), job(9));
		Map<String, Object> before = this.queue.contents();
		QueueMonitor.Sample sample = this.queue.sample();
		assertThat(sample).isEqualTo(new QueueMonitor.Sample(1, sample.latency(), 3, 2, 1, 1, 1, 0));
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void sampleMeasuresLatencyOfTheOldestFromItsId() {
		this.queue.enqueue(1, 2);
		long madeAt = Long.parseLong(id(1).substring(0, 12), 16);
		long earlier = this.queue.now();
		assertThat(this.queue.sample().latency()).isBetween(Duration.ofMillis(earlier - madeAt),
				Duration.ofMillis(this.queue.now() - madeAt));
	}

	@Test
	void sampleWhenJobWasDueMeasuresFromThen() {
		this.queue.join(ScriptFixture.PROCESS);
		this.queue.enqueue(job(1, 0), job(2, 0));
		double due = this.queue.score("scheduled", 2);
		this.queue.claim(1);
		long earlier = this.queue.now();
		assertThat(this.queue.sample().latency()).isBetween(Duration.ofMillis(earlier - (long) due),
				Duration.ofMillis(this.queue.now() - (long) due));
	}

	@ParameterizedTest
	@ValueSource(strings = { "enqueued_at", "at" })
	@DisplayName("LK-48: the lag of an ordered job is counted from its due time")
	void sampleWhenJobIsOrderedMeasuresLatencyFromItsEnvelope(String field) {
		long begun = this.queue.now() - 5000;
		String stored = "{\"jid\":\"x\",\"created_at\":1,\"%s\":%d}\n7 [{\"enqueued_at\":9}]\n".formatted(field, begun);
		this.queue.enqueue(new NewJob("f".repeat(24), ScriptFixture.bytes(stored), null));
		assertThat(this.queue.sample().latency()).isBetween(Duration.ofMillis(5000),
				Duration.ofMillis(this.queue.now() - begun));
	}

	@Test
	void sampleWhenIdWasMadeInTheFutureTellsNoLatency() {
		String later = "%012x%012x".formatted(this.queue.now() + HOUR, 1);
		this.queue.enqueue(new NewJob(later, new byte[0], null));
		assertThat(this.queue.sample().latency()).isZero();
	}

	@Test
	void sampleDoesNotCountCancelledJobsThatStillWait() {
		this.queue.working(1);
		this.queue.enqueue(2, 3, 4);
		this.queue.cancel(1);
		this.queue.cancel(3);
		assertThat(this.queue.sample().ready()).isEqualTo(2);
	}

	@Test
	void sampleWhenJobWasCancelledOnItsWayToAnotherQueueCountsTheReadyOnes() {
		this.queue.enqueue(1, 2);
		this.queue.run(ScriptFixture.MOVE_OUT, id(1), "ready", "other");
		this.queue.cancel(1);
		assertThat(this.queue.sample().ready()).isEqualTo(1);
	}

	@Test
	void sampleWhenMoreThanThousandAreCancelledDoesNotCountThemEither() {
		this.queue.enqueue(jobs(1, 1000));
		this.queue.template().delete(this.queue.key("payloads"));
		String[] cancelled = ids(IntStream.rangeClosed(1, 1000).toArray());
		this.queue.template().opsForSet().add(this.queue.key("cancelled"), cancelled);
		assertThat(this.queue.sample().ready()).isZero();
		this.queue.enqueue(1001, 1002);
		assertThat(this.queue.sample().ready()).isEqualTo(2);
		this.queue.cancel(1001);
		assertThat(this.queue.sample().ready()).isOne();
	}

	@Test
	void sampleWhenOldestAreCancelledMeasuresTheOldestThatIsNot() {
		NewJob[] jobs = { madeBefore(3 * HOUR, 1), madeBefore(2 * HOUR, 2), madeBefore(HOUR, 3) };
		this.queue.enqueue(jobs);
		cancel(jobs[0]);
		assertThat(this.queue.sample().latency()).isBetween(Duration.ofMinutes(120), Duration.ofMinutes(121));
		cancel(jobs[1]);
		assertThat(this.queue.sample().latency()).isBetween(Duration.ofMinutes(60), Duration.ofMinutes(61));
		cancel(jobs[2]);
		assertThat(this.queue.sample()).isEqualTo(EMPTY);
	}

	@Test
	void sampleWhenTheOldestThousandAreCancelledMeasuresTheNewest() {
		NewJob[] jobs = IntStream.range(0, 1000)
			.mapToObj((number) -> madeBefore(3 * HOUR, number))
			.toArray(NewJob[]::new);
		this.queue.enqueue(jobs);
		cancel(jobs);
		assertThat(this.queue.sample()).isEqualTo(EMPTY);
		this.queue.enqueue(madeBefore(HOUR, 1001));
		assertThat(this.queue.sample().ready()).isOne();
		assertThat(this.queue.sample().latency()).isBetween(Duration.ofMinutes(60), Duration.ofMinutes(61));
	}

	@Test
	void sampleWhenSuspectIsCancelledDoesNotCountIt() {
		this.queue.template().opsForList().leftPush(this.queue.key("suspects"), id(1));
		this.queue.template().opsForSet().add(this.queue.key("cancelled"), id(1));
		this.queue.enqueue(2);
		assertThat(this.queue.sample().suspects()).isZero();
		assertThat(this.queue.sample().ready()).isOne();
	}

	@Test
	@DisplayName("LK-48: the lag is counted from the due time, whether or not the job has been moved since")
	void sampleWhenJobsAreOverdueMeasuresHowLong() {
		this.queue.working(3);
		this.queue.retry(3, 1, HOUR);
		this.queue.enqueue(job(1, HOUR), job(2, HOUR));
		assertThat(this.queue.sample().latency()).isZero();
		this.queue.template().opsForZSet().add(this.queue.key("scheduled"), id(1), this.queue.now() - 5000);
		assertThat(this.queue.sample().latency()).isBetween(Duration.ofMillis(5000), Duration.ofSeconds(60));
		this.queue.template().opsForZSet().add(this.queue.key("retries"), id(3), this.queue.now() - HOUR);
		assertThat(this.queue.sample().latency()).isBetween(Duration.ofMinutes(60), Duration.ofMinutes(61));
	}

	private NewJob madeBefore(long millis, int number) {
		return new NewJob("%012x%012x".formatted(this.queue.now() - millis, number), new byte[0], null);
	}

	private void cancel(NewJob... jobs) {
		String[] ids = Stream.of(jobs).map(NewJob::id).toArray(String[]::new);
		this.queue.template().opsForHash().delete(this.queue.key("payloads"), (Object[]) ids);
		this.queue.template().opsForSet().add(this.queue.key("cancelled"), ids);
	}

	@Test
	void sampleWhenTypeIsWrongMeasuresTheRest() {
		this.queue.working(1);
		this.queue.enqueue(job(2), job(3), job(4, HOUR));
		this.queue.cancel(3);
		for (String name : ScriptFixture.SAMPLE.keys()) {
			ScriptFixture spoilt = this.queue.sibling().working(1);
			spoilt.enqueue(job(2), job(3), job(4, HOUR));
			spoilt.cancel(3);
			spoilt.spoil(spoilt.key(name));
			QueueMonitor.Sample sample = spoilt.sample();
			assertThat(sample.ready()).isEqualTo(name.equals("ready") ? 0 : name.equals("cancelled") ? 2 : 1);
			assertThat(sample.scheduled()).isEqualTo(name.equals("scheduled") ? 0 : 1);
			assertThat(sample.working()).isEqualTo(name.equals("working") ? 0 : 1);
		}
	}

}
