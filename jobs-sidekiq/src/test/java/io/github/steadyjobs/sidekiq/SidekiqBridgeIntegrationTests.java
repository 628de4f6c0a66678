package io.github.steadyjobs.sidekiq;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.sidekiq.SidekiqRedis.Sources;
import io.github.steadyjobs.support.MutableClock;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SidekiqBridge} with elements in the format in which Sidekiq writes
 * them.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class SidekiqBridgeIntegrationTests {

	private static final double NOW = System.currentTimeMillis() / 1000.0;

	private final SidekiqFixture fixture;

	private final List<SidekiqBridge> bridges = new ArrayList<>();

	SidekiqBridgeIntegrationTests(TestRedis redis) {
		this.fixture = new SidekiqFixture(redis);
	}

	@AfterEach
	void stop() {
		this.bridges.forEach(SidekiqBridge::stop);
	}

	@Test
	void queueIsMovedInItsOrder() {
		this.fixture.push(0, 1200);
		start(this.fixture);
		await().untilAsserted(() -> this.fixture.assertOnceEach("mail", 1200));
		List<String> ready = this.fixture.redis()
			.template()
			.opsForList()
			.range(this.fixture.redis().key("mail", "ready"), 0, -1);
		Map<String, JobPayload> jobs = this.fixture.jobs("mail");
		// The last element is the next to be claimed.
		assertThat(ready.stream().map((id) -> jobs.get(id).arguments().get(0).intValue())).first().isEqualTo(1199);
		assertThat(jobs.get(ready.get(1199)).arguments().get(0).intValue()).isZero();
		assertThat(this.fixture.redis().template().opsForSet().members(this.fixture.redis().prefix() + ":queues"))
			.containsExactly("mail");
	}

	@Test
	void dueJobsOfMappedQueuesAreMovedAndOthersStay() {
		String due = SidekiqFixture.json(1);
		String later = SidekiqFixture.json(2);
		String others = SidekiqFixture.json(3).replace("hard", "other");
		String failed = SidekiqFixture.json(4).replace("}", ",\"retry_count\":2}");
		this.fixture.add("schedule", due, NOW - 1);
		this.fixture.add("schedule", later, NOW + 3600);
		this.fixture.add("schedule", others, NOW - 2);
		this.fixture.add("retry", failed, NOW - 1);
		start(this.fixture);
		await().until(() -> this.fixture.countJobs("mail") == 2);
		stop();
		assertThat(this.fixture.jobs("mail").values()).extracting(JobPayload::attempts).containsExactlyInAnyOrder(0, 3);
		assertThat(this.fixture.rubyContents()).containsOnlyKeys("ruby:schedule");
		assertThat(scheduled()).containsOnlyKeys(others, later);
	}

	@Test
	void jobThatHasAlwaysBeenDueIsMoved() {
		this.fixture.add("schedule", SidekiqFixture.json(0), Double.NEGATIVE_INFINITY);
		start(this.fixture);
		await().untilAsserted(() -> this.fixture.assertOnceEach("mail", 1));
	}

	@Test
	void dueJobsBehindManyOfOtherQueuesAreFound() {
		for (int i = 0; i < 1700; i++) {
			this.fixture.add("schedule", SidekiqFixture.json(i).replace("hard", "other"), NOW - 10 + i / 1e6);
		}
		this.fixture.add("schedule", SidekiqFixture.json(0), NOW - 1);
		start(this.fixture);
		await().until(() -> this.fixture.countJobs("mail") == 1);
		assertThat(scheduled()).hasSize(1700);
	}

	@Test
	void garbageIsPutAsideAndSaidOnce(CapturedOutput output) {
		this.fixture.push("no JSON", SidekiqFixture.json(0), "{\"args\":[]}", "secret {");
		this.fixture.add("retry", "{\"queue\":\"hard\"}", NOW - 1);
		this.fixture.add("schedule", "not readable", NOW - 1);
		start(this.fixture);
		await().until(() -> this.fixture.countJobs("mail") == 1
				&& this.fixture.rubyContents().get("sidekiq:refused") instanceof List<?> list && list.size() == 4);
		stop();
		assertThat(this.fixture.rubyContents()).containsOnlyKeys("sidekiq:refused", "ruby:schedule");
		assertThat((List<?>) this.fixture.rubyContents().get("sidekiq:refused")).map(Object::toString)
			.contains(" queue:hard\nno JSON", " queue:hard\n{\"args\":[]}", " queue:hard\nsecret {")
			.anyMatch((element) -> element.endsWith(" retry\n{\"queue\":\"hard\"}"));
		assertThat(output.toString().lines().filter((line) -> line.contains("'queue:hard'"))).hasSize(1);
		assertThat(output).contains("'schedule' has an element that is due and cannot be read")
			.doesNotContain("secret");
	}

	@Test
	void severalBridgesMoveEachJobOnce() {
		for (int i = 0; i < 4; i++) {
			// With such a short timeout, the bridges constantly declare each other dead.
			start(this.fixture, Duration.ofMillis(2));
		}
		for (int i = 0; i < 40; i++) {
			this.fixture.push(i * 100, i * 100 + 100);
		}
		await().until(() -> this.fixture.countJobs("mail") >= 4000);
		stop();
		this.fixture.assertOnceEach("mail", 4000);
		assertThat(this.fixture.rubyContents()).isEmpty();
	}

	@Test
	void batchOfABridgeThatDiedBeforeItStoredAnythingIsMoved() {
		this.fixture.push(0, 10);
		this.fixture.take("dead", 1, 10);
		start(this.fixture);
		await().untilAsserted(() -> this.fixture.assertOnceEach("mail", 10));
	}

	@Test
	void batchOfABridgeThatDiedAfterItHadStoredEverythingIsNotStoredTwice() {
		this.fixture.push(0, 10);
		this.fixture.mover().move(this.fixture.take("dead", 1, 10));
		this.fixture.push(10, 11);
		start(this.fixture);
		await().until(() -> !this.fixture.rubyContents().containsKey("sidekiq:batch:dead"));
		await().untilAsserted(() -> this.fixture.assertOnceEach("mail", 11));
	}

	@Test
	void batchOfADeadBridgeOfAnotherConfigurationIsStoredTwiceRatherThanLost() {
		SidekiqFixture former = new SidekiqFixture(this.fixture.redis(), Map.of("hard", "mail", "low", "low"));
		this.fixture.push(0, 10);
		former.mover().move(former.take("dead", 1, 10));
		start(this.fixture);
		await().until(() -> !this.fixture.rubyContents().containsKey("sidekiq:batch:dead"));
		assertThat(this.fixture.countJobs("mail")).isEqualTo(20);
		assertThat(this.fixture.jobs("mail").values().stream().map((job) -> job.meta().get("sidekiq_jid")).distinct())
			.hasSize(10);
		assertThat(new JobAudit(this.fixture.redis().connections(), this.fixture.redis().prefix()).run().violations())
			.isEmpty();
	}

	@Test
	void batchThatWasLeftForTooLongIsStoredUnderOtherIds() {
		this.fixture.push(0, 10);
		this.fixture.mover().move(this.fixture.take("dead", 1, 10));
		BatchMover later = this.fixture.mover(Clock.offset(Clock.systemUTC(), Duration.ofMinutes(51)));
		later.move(this.fixture.take("dead", 1, 0));
		later.move(this.fixture.take("dead", 1, 0));
		assertThat(this.fixture.countJobs("mail")).isEqualTo(20);
		assertThat(new JobAudit(this.fixture.redis().connections(), this.fixture.redis().prefix()).run().violations())
			.isEmpty();
	}

	@Test
	void batchWithAQueueThatIsNotMappedHereStays(CapturedOutput output) {
		this.fixture.push(0, 1);
		this.fixture.take("dead", 1, 10);
		SidekiqFixture others = new SidekiqFixture(this.fixture.redis(), Map.of("low", "low"));
		start(others);
		await().until(() -> output.toString().contains("The bridge dead has left 1 elements"));
		stop();
		assertThat(this.fixture.rubyContents()).containsKey("sidekiq:batch:dead");
	}

	@Test
	void slowBridgeFindsItsBatchMovedAndGoesOn() {
		this.fixture.push(0, 20);
		Batch slow = this.fixture.take("slow", 1, 10);
		start(this.fixture);
		await().until(() -> this.fixture.countJobs("mail") == 20);
		await().until(() -> !this.fixture.rubyContents().containsKey("sidekiq:batch:slow"));
		this.fixture.mover().move(slow);
		assertThat(this.fixture.take("slow", 2, 10).elements()).isEmpty();
		this.fixture.assertOnceEach("mail", 20);
	}

	@Test
	@DisplayName("SK-16: an error is reported, and does not end the bridge")
	void errorOfTheBridgeIsPassedOnAndPasses(CapturedOutput output) {
		List<Throwable> passedOn = new CopyOnWriteArrayList<>();
		AtomicInteger failures = new AtomicInteger(3);
		Clock broken = clock(() -> failures.getAndDecrement() > 0);
		start(this.fixture.bridge(broken, Duration.ofMinutes(1), passedOn::add));
		await().until(() -> failures.get() < 0);
		assertThat(passedOn).singleElement().isInstanceOf(NoClassDefFoundError.class);
		await().until(() -> output.getOut().contains("moves jobs again"));
	}

	@Test
	void bridgeIsNotDeclaredDeadDuringAnOutage() {
		AtomicInteger calls = new AtomicInteger();
		AtomicBoolean outage = new AtomicBoolean(true);
		// Every other call succeeds, and looks at the other bridges.
		Clock broken = clock(() -> outage.get() && calls.getAndIncrement() % 2 == 0);
		this.fixture.push(0, 10);
		this.fixture.take("slow", 1, 10);
		start(this.fixture.bridge(broken, Duration.ofMillis(100), (failure) -> {
		}));
		await().during(Duration.ofSeconds(1)).until(() -> this.fixture.countJobs("mail") == 0);
		assertThat(calls).hasValueGreaterThan(4);
		outage.set(false);
		await().untilAsserted(() -> this.fixture.assertOnceEach("mail", 10));
	}

	@Test
	void queueThatIsUnavailableBlocksNoOtherQueueOfTheBatch() {
		SidekiqFixture fixture = new SidekiqFixture(this.fixture.redis(), Map.of("hard", "mail", "low", "low"));
		String payloads = fixture.redis().key("mail", "payloads");
		fixture.redis().template().opsForValue().set(payloads, "of a wrong type");
		fixture.push(0, 10);
		fixture.redis().template().opsForList().leftPush(fixture.ruby("queue:low"), SidekiqFixture.json(10));
		Batch batch = fixture.sidekiq()
			.exchange("b1", 1, 500, List.of(), new Sources(List.of("hard", "low"), List.of(), List.of()));
		MutableClock clock = new MutableClock(Instant.ofEpochMilli(batch.filledAt()));
		BatchMover mover = fixture.mover(clock);
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> mover.move(batch));
		assertThat(fixture.countJobs("low")).isOne();
		clock.advance(Duration.ofMinutes(51));
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> mover.move(batch));
		fixture.redis().template().delete(payloads);
		mover.move(batch);
		fixture.assertOnceEach("mail", 10);
		assertThat(fixture.countJobs("low")).isOne();
	}

	@Test
	void jobsThatCannotBeStoredStayInTheBatch(CapturedOutput output) {
		String payloads = this.fixture.redis().key("mail", "payloads");
		this.fixture.redis().template().opsForValue().set(payloads, "of a wrong type");
		this.fixture.push(0, 10);
		start(this.fixture);
		await().until(() -> output.toString().contains("cannot move jobs"));
		assertThat(this.fixture.rubyContents().keySet()).anyMatch((key) -> key.startsWith("sidekiq:batch:"));
		this.fixture.redis().template().delete(payloads);
		await().untilAsserted(() -> this.fixture.assertOnceEach("mail", 10));
		await().until(() -> output.toString().contains("moves jobs again"));
	}

	@Test
	void bridgeThatIsUnknownGoesOnUnderANewName(CapturedOutput output) {
		start(this.fixture);
		this.fixture.push(0, 1);
		await().until(() -> this.fixture.countJobs("mail") == 1);
		String name = this.fixture.sidekiq().allBridges().keySet().iterator().next();
		// Simulate a Redis that was restored from a copy in which the bridge was further
		// ahead.
		this.fixture.redis()
			.template()
			.opsForHash()
			.put(this.fixture.redis().prefix() + ":sidekiq:bridges", name, "99 1767225600000");
		this.fixture.push(1, 2);
		await().untilAsserted(() -> this.fixture.assertOnceEach("mail", 2));
		assertThat(output).contains("goes on under a new name");
	}

	@Test
	void bridgeThatStopsLeavesNothingAndCanBeStartedAgain() {
		SidekiqBridge bridge = start(this.fixture);
		this.fixture.push(0, 700);
		await().until(() -> this.fixture.countJobs("mail") == 700);
		bridge.stop();
		assertThat(bridge.isRunning()).isFalse();
		assertThat(this.fixture.rubyContents()).isEmpty();
		this.fixture.push(700, 701);
		bridge.start();
		bridge.start();
		await().untilAsserted(() -> this.fixture.assertOnceEach("mail", 701));
	}

	@Test
	void idleBridgeIsForgottenAndKnownAgain() {
		this.fixture.push(0, 1);
		this.fixture.mover().move(this.fixture.take("idle", 1, 10));
		assertThat(this.fixture.take("idle", 2, 10).elements()).isEmpty();
		LeftBatches left = new LeftBatches(this.fixture.sidekiq(), this.fixture.mover(), Duration.ofSeconds(10));
		left.move("other", 0);
		left.move("other", Duration.ofSeconds(11).toNanos());
		assertThat(this.fixture.sidekiq().allBridges()).containsKey("idle");
		left.move("other", Duration.ofMinutes(61).toNanos());
		assertThat(this.fixture.sidekiq().allBridges()).isEmpty();
		this.fixture.push(1, 2);
		this.fixture.mover().move(this.fixture.take("idle", 2, 10));
		this.fixture.sidekiq().exchange("idle", 3, 0, List.of(), Sources.NONE);
		this.fixture.assertOnceEach("mail", 2);
	}

	private SidekiqBridge start(SidekiqFixture fixture) {
		return start(fixture, Duration.ofMillis(300));
	}

	private SidekiqBridge start(SidekiqFixture fixture, Duration patience) {
		return start(fixture.bridge(patience));
	}

	private SidekiqBridge start(SidekiqBridge bridge) {
		this.bridges.add(bridge);
		bridge.start();
		return bridge;
	}

	/**
	 * Return a clock that fails when the condition is true.
	 */
	private static Clock clock(BooleanSupplier failing) {
		return new Clock() {

			@Override
			public long millis() {
				if (failing.getAsBoolean()) {
					throw new NoClassDefFoundError("pretended");
				}
				return System.currentTimeMillis();
			}

			@Override
			public Instant instant() {
				return Instant.ofEpochMilli(millis());
			}

			@Override
			public ZoneId getZone() {
				return ZoneOffset.UTC;
			}

			@Override
			public Clock withZone(ZoneId zone) {
				return this;
			}

		};
	}

	@SuppressWarnings("unchecked")
	private Map<String, Double> scheduled() {
		return (Map<String, Double>) this.fixture.rubyContents().get("ruby:schedule");
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(10));
	}

}
