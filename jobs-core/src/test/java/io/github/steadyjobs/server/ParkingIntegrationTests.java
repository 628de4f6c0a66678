package io.github.steadyjobs.server;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for parked jobs: their name is unknown to a process, their arguments do not fit
 * its method, or their move to another queue was interrupted.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class ParkingIntegrationTests {

	private final TestRedis redis;

	private final Runs runs = new Runs();

	ParkingIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	void runWhenNameIsUnknownParksTheJobUntilAProcessKnowsIt() {
		try (WorkerFixture old = WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.runs).start()) {
			String first = old.client().enqueue(JobRequest.named("new.job", "a").queue("q")).id();
			String second = old.client().enqueue(JobRequest.named("newer.job", "b").queue("q")).id();
			old.enqueue("q", 1);
			this.runs.awaitEnded(1);
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(parked())
					.isEqualTo(Map.of(first, "unknown:new.job", second, "unknown:newer.job")));
			assertThat(old.client().find(first).orElseThrow().attempts()).isZero();
			NewJobs jobs = new NewJobs();
			old.launcher().stop();
			try (WorkerFixture young = WorkerFixture.on(this.redis).capsule(1, "q").bean(jobs).start()) {
				young.awaitEmpty("q");
				assertThat(jobs.seen).containsExactly("a", "b");
			}
		}
	}

	@Test
	void runWhenMoveToAnotherQueueWasBrokenOffBringsTheJobBackAfterTenSeconds() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q", "other").jobs(this.runs).build()) {
			long now = Instant.now().getEpochSecond();
			move(worker.enqueue("q", 1), now - 60);
			move(worker.enqueue("q", 2), now - 8);
			worker.start();
			this.runs.awaitEnded(2);
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactly(1, 2);
			// Simulate the death of another process while this process is running.
			String meta = this.redis.key("q", "meta");
			this.redis.template().opsForHash().put(meta, "paused", "1 0 -");
			move(worker.enqueue("q", 3), Instant.now().getEpochSecond() - 9);
			// The high number makes this change look newer than all others.
			this.redis.template().opsForHash().put(meta, "reasons", "9000000000000000 moving:\n");
			this.redis.template().opsForHash().delete(meta, "paused");
			this.runs.awaitEnded(3);
			assertThat(this.redis.contents("other")).doesNotContainKey("payloads");
		}
	}

	/**
	 * Leave a ready job in the state left by a process that dies between the first two
	 * steps of a move.
	 */
	private void move(String id, long begun) {
		this.redis.template().opsForList().remove(this.redis.key("q", "ready"), 1, id);
		this.redis.template()
			.opsForHash()
			.put(this.redis.key("q", "parked"), id, "moving:other ready  " + begun + "000000");
	}

	@Test
	void runWhenOthersAreParkedThatItCannotRunDoesNotLookThroughThemAgain() {
		String waiting = "0123456789abcdef01234567";
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.runs).start()) {
			worker.client().enqueue(JobRequest.named("new.job", "a").queue("q"));
			WorkerFixture.await().until(() -> timesParked() == 1);
			awaitBeats(worker);
			// This job is runnable, so the first search through the parked jobs would
			// find it.
			String payload = "{\"jid\":\"%s\",\"class\":\"%s\",\"args\":[1]}".formatted(waiting, TestJobs.NAME);
			this.redis.template().opsForHash().put(this.redis.key("q", "payloads"), waiting, payload);
			this.redis.template().opsForHash().put(this.redis.key("q", "parked"), waiting, "paused:nothing");
			for (int number = 2; number < 10; number++) {
				int parked = number;
				worker.client().enqueue(JobRequest.named("new.job", "a").queue("q"));
				WorkerFixture.await().until(() -> timesParked() == parked);
				awaitBeats(worker);
			}
			assertThat(parked()).containsKey(waiting);
		}
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.runs).start()) {
			this.runs.awaitEnded(1);
			assertThat(parked()).doesNotContainKey(waiting).hasSize(9);
		}
	}

	@Test
	void runWhenProcessesKnowDifferentJobsBringsEachJobToTheRightOne() {
		NewJobs jobs = new NewJobs();
		try (WorkerFixture one = WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.runs).start();
				WorkerFixture other = WorkerFixture.on(this.redis).capsule(1, "q").bean(jobs).start()) {
			for (int number = 0; number < 5; number++) {
				one.enqueue("q", number);
				other.client().enqueue(JobRequest.named("new.job", "x" + number).queue("q"));
			}
			one.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 5));
			assertThat(jobs.seen).containsExactlyInAnyOrder("x0", "x1", "x2", "x3", "x4");
		}
	}

	@Test
	void runWhenArgumentsDoNotFitParksTheJobUntilAProcessTakesThem(CapturedOutput output) {
		Young young = new Young();
		try (WorkerFixture old = worker(new Old())) {
			String lost = "0123456789abcdef01234567";
			old.enqueueRaw("q", lost, payload(lost, "{\"state\":\"LOST\"}"));
			String express = "0123456789abcdef01234568";
			old.enqueueRaw("q", express, payload(express, "{\"state\":\"NEW\"},true"));
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(parked()).containsOnlyKeys(lost, express)
					.allSatisfy(
							(id, reason) -> assertThat((String) reason).matches("unbound:order.ship/[0-9a-f]{12}")));
			assertThat((String) this.redis.template().opsForHash().get(this.redis.key("q", "payloads"), lost))
				.doesNotContain("retry_count", "error_class");
			assertThat(output).contains("args[0].state: expected OldState [NEW, PAID, GONE], found a string")
				.contains("it takes 1 argument (OldOrder), but was stored with 2");
			old.launcher().stop();
			try (WorkerFixture worker = worker(young)) {
				worker.awaitEmpty("q");
				assertThat(young.seen).containsExactlyInAnyOrder("LOST false", "NEW true");
			}
		}
	}

	@Test
	void runWhenProcessesTakeDifferentArgumentsBringsEachJobToTheRightOne() {
		Old old = new Old();
		Young young = new Young();
		try (WorkerFixture one = worker(old); WorkerFixture other = worker(young)) {
			for (int number = 0; number < 5; number++) {
				other.client()
					.enqueue(JobRequest.named("order.ship", new YoungOrder(YoungState.LOST), true).queue("q"));
				String id = "0123456789abcdef0123456" + number;
				// The argument is a constant that no longer exists in the newer release.
				one.enqueueRaw("q", id, payload(id, "{\"state\":\"GONE\"}"));
			}
			one.awaitEmpty("q");
			assertThat(old.seen).hasSize(5).containsOnly("GONE");
			assertThat(young.seen).hasSize(5).containsOnly("LOST true");
		}
	}

	@Test
	void runWhenNoProcessTakesTheArgumentsTriesEachOnceAndLeavesTheJobParked() {
		String id = "0123456789abcdef01234567";
		try (WorkerFixture one = worker(new Old()); WorkerFixture other = worker(new Young())) {
			one.enqueueRaw("q", id, payload(id, "7"));
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(parked()).hasEntrySatisfying(id, (reason) -> assertThat((String) reason)
					.matches("unbound:order.ship/[0-9a-f]{12},[0-9a-f]{12}")));
			assertStaysParked(one, other);
			// Another process of the same kind tries the job once more.
			try (WorkerFixture third = worker(new Old())) {
				long before = timesParked();
				WorkerFixture.await().until(() -> timesParked() > before);
				assertStaysParked(one, other, third);
			}
		}
	}

	private void assertStaysParked(WorkerFixture... workers) {
		// A process that brings the job back for another process may claim the job
		// itself. So the job may be parked a few more times at first.
		awaitBeats(workers);
		long settled = timesParked();
		awaitBeats(workers);
		assertThat(timesParked()).isEqualTo(settled);
		assertThat(parked()).hasSize(1);
	}

	private void awaitBeats(WorkerFixture... workers) {
		for (WorkerFixture worker : workers) {
			int beats = worker.events(WorkerEvent.Beat.class).size();
			WorkerFixture.await().until(() -> worker.events(WorkerEvent.Beat.class).size() > beats + 5);
		}
	}

	private long timesParked() {
		Object times = this.redis.template().opsForHash().get(this.redis.key("q", "stats"), "parked");
		return (times != null) ? Long.parseLong((String) times) : 0;
	}

	private WorkerFixture worker(Object bean) {
		return WorkerFixture.on(this.redis).capsule(1, "q").bean(bean).start();
	}

	private static String payload(String id, String arguments) {
		return "{\"jid\":\"%s\",\"class\":\"order.ship\",\"args\":[%s],\"retry\":0}".formatted(id, arguments);
	}

	private Map<Object, Object> parked() {
		return this.redis.template().opsForHash().entries(this.redis.key("q", "parked"));
	}

	static class NewJobs {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		@Job(name = "new.job", aliases = "newer.job")
		void run(String text) {
			this.seen.add(text);
		}

	}

	enum OldState {

		NEW, PAID, GONE

	}

	enum YoungState {

		NEW, PAID, LOST

	}

	record OldOrder(OldState state) {

	}

	record YoungOrder(YoungState state) {

	}

	static class Old {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		@Job(name = "order.ship")
		void ship(OldOrder order) {
			this.seen.add(order.state().name());
		}

	}

	static class Young {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		@Job(name = "order.ship")
		void ship(YoungOrder order, @Nullable Boolean express) {
			this.seen.add(order.state() + " " + Boolean.TRUE.equals(express));
		}

	}

}
