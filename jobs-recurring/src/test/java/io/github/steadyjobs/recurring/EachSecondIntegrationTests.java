package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests in which ticks become due in real time, while processes run side by side, are
 * dead or change their declarations. The tests take seconds, because the shortest period
 * is a second.
 */
@RedisAndClusterTest
class EachSecondIntegrationTests {

	private static final String QUEUE = "work";

	private final TestRedis redis;

	EachSecondIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	void tickOfManyProcessesMakesOneJob() {
		List<RecurringProcess> processes = IntStream.range(0, 5)
			.mapToObj((number) -> RecurringProcess.start(this.redis, "p" + number, new EachSecond()))
			.toList();
		try {
			await().until(() -> processes.stream().mapToInt((process) -> process.ticks().size()).sum() >= 4);
		}
		finally {
			processes.forEach(RecurringProcess::close);
		}
		List<RecurringTick> ticks = processes.stream().flatMap((process) -> process.ticks().stream()).toList();
		assertThat(ticks).extracting(RecurringTick::due).doesNotHaveDuplicates();
		assertThat(this.redis.template().opsForList().range(this.redis.key(QUEUE, "ready"), 0, -1)).hasSameSizeAs(ticks)
			.doesNotHaveDuplicates();
	}

	@Test
	void tickWhenOtherProcessesAreDeadComesInTime() {
		try (RecurringProcess process = RecurringProcess.start(this.redis, "alive", new EachSecond())) {
			await().until(() -> isDeclared("alive"));
			RecurringJob job = process.jobs().find("Work.run").orElseThrow().job();
			IntStream.range(0, 20)
				.forEach((number) -> RecurringProcess.declareAsDead(this.redis, "dead" + number, job));
			int before = process.ticks().size();
			await().until(() -> process.ticks().size() >= before + 3);
			assertThat(process.ticks()).allMatch((tick) -> tick.lateness().compareTo(Duration.ofSeconds(1)) < 0);
		}
	}

	@Test
	void tickWhenDeclarationsChangeMeanwhileComesOnce() throws Exception {
		List<String> seen = new CopyOnWriteArrayList<>();
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch changed = new CountDownLatch(1);
		try (RecurringProcess process = RecurringProcess.start(this.redis, "a", new EachSecond(), (request, chain) -> {
			seen.add(request.options().meta().get(RecurringJob.META_DUE));
			begun.countDown();
			awaitQuietly(changed);
			return chain.proceed(request);
		})) {
			assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
			process.jobs().create(RecurringJob.of("other", "Work.run", QUEUE, Schedule.every(Duration.ofHours(1))));
			await().until(() -> isScheduled("other"));
			changed.countDown();
			await().until(() -> process.ticks().size() >= 4);
		}
		assertThat(seen).doesNotHaveDuplicates();
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean isScheduled(String name) {
		return this.redis.template().opsForZSet().score(this.redis.key(QUEUE, "ticks"), name) != null;
	}

	private boolean isDeclared(String process) {
		return this.redis.template().opsForHash().hasKey(this.redis.prefix() + ":recurring", "process:" + process);
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(20));
	}

	static class EachSecond {

		@Job(name = "Work.run", queue = QUEUE)
		@Recurring(name = "Work.run", every = "1s", overlap = Overlap.ALLOW)
		void run() {
		}

	}

}
