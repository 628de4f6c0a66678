package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.RunCutShortException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for workers in processes that are actually killed and stopped.
 */
@RedisTest
class ProcessDeathIntegrationTests {

	private static final Duration DEATH_AFTER = Duration.ofSeconds(1);

	private final TestRedis redis;

	private final Runs runs = new Runs();

	private final List<WorkerJvm> processes = new ArrayList<>();

	ProcessDeathIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@AfterEach
	void kill() {
		this.processes.forEach(WorkerJvm::close);
	}

	private WorkerJvm process(int concurrency, String... queues) {
		WorkerJvm process = WorkerJvm.start(this.redis, DEATH_AFTER, concurrency, queues);
		this.processes.add(process);
		return process;
	}

	private WorkerFixture.Builder workers(int concurrency, String... queues) {
		return WorkerFixture.on(this.redis).deathAfter(DEATH_AFTER).capsule(concurrency, queues).jobs(this.runs);
	}

	private WorkerFixture producer() {
		return workers(1, "nothing").build();
	}

	private List<String> enqueueHeld(WorkerFixture producer, String queue, int from, int to) {
		WorkerJvm.order(this.redis, WorkerJvm.HOLD, Runs.numbers(from, to));
		return producer.enqueueAll(queue, from, to);
	}

	@Test
	@DisplayName("SK-80, JG-02, F3: jobs that a killed process was running run again, the oldest first")
	void killWhenJobsRunLosesNoneAndKeepsTheirOrder() {
		WorkerJvm victim = process(5, "q");
		try (WorkerFixture worker = workers(1, "q").build()) {
			enqueueHeld(worker, "q", 0, 10);
			victim.awaitBegun(5);
			victim.kill();
			// No process may claim ready jobs before the jobs of the killed process are
			// back in the queue.
			this.redis.template().opsForHash().put(this.redis.key("q", "meta"), "paused", "1");
			// On a busy machine, the killed process may have claimed a job ahead.
			long held = this.redis.template().opsForHash().size(this.redis.key("q", "working"));
			worker.start();
			WorkerFixture.await().until(() -> !worker.events(WorkerEvent.Recovered.class).isEmpty());
			this.redis.template().opsForHash().delete(this.redis.key("q", "meta"), "paused");
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).isEqualTo(Runs.numbers(0, 10));
			assertThat(worker.events(WorkerEvent.Recovered.class)).singleElement()
				.extracting(WorkerEvent.Recovered::returned)
				.isEqualTo(held);
			assertThat(held).isGreaterThanOrEqualTo(5);
		}
	}

	@Test
	@DisplayName("F6, F8: a process that was stopped for too long settles nothing and continues under a new name")
	void stopAndContinueWhenJobsWereGivenAwaySettlesNothingAndGoesOn() {
		WorkerJvm zombie = process(2, "q");
		Runs held = Runs.held();
		try (WorkerFixture other = heldBy(held)) {
			List<String> ids = enqueueHeld(other, "q", 0, 2);
			zombie.awaitBegun(2);
			zombie.freeze();
			other.start();
			held.awaitBegun(2);
			zombie.thaw();
			zombie.awaitEvent("Fenced");
			WorkerJvm.letGo(this.redis);
			ids.forEach((id) -> zombie.awaitEvent("Refused[queue=q, jobId=" + id));
			assertThat(this.redis.template().opsForHash().keys(this.redis.key("q", "working")))
				.containsExactlyInAnyOrderElementsOf(ids);
			held.release();
			other.awaitEmpty("q");
			assertThat(this.redis.template().opsForHash().get(this.redis.key("q", "stats"), "done")).isEqualTo("2");
			assertThat(other.events(WorkerEvent.Fenced.class)).isEmpty();
		}
		try (WorkerFixture producer = producer()) {
			producer.enqueue("q", 2);
			producer.awaitEmpty("q");
			assertThat(zombie.ended()).contains(2);
			assertThat(this.redis.template().opsForHash().keys(this.redis.key("q", "beats"))).singleElement()
				.asString()
				.contains(":" + zombie.pid() + ":")
				.endsWith(".2");
		}
	}

	private static void awaitBeats(WorkerFixture worker, int count) {
		int before = worker.events(WorkerEvent.Beat.class).size();
		WorkerFixture.await().until(() -> worker.events(WorkerEvent.Beat.class).size() >= before + count);
	}

	private WorkerFixture heldBy(Runs held) {
		return WorkerFixture.on(this.redis).deathAfter(DEATH_AFTER).capsule(2, "q").jobs(held).build();
	}

	@Test
	@DisplayName("SK-83, GL-X9, F13: a kill while the process is stopping counts as an interruption")
	void killWhenProcessIsStoppingCountsNoCrash() {
		WorkerJvm victim = process(2, "q");
		try (WorkerFixture worker = workers(2, "q").build()) {
			enqueueHeld(worker, "q", 0, 2);
			victim.awaitBegun(2);
			victim.terminate();
			WorkerFixture.await()
				.until(() -> this.redis.template()
					.opsForHash()
					.values(this.redis.key("q", "claims"))
					.contains("stopping"));
			victim.kill();
			Runs held = Runs.held();
			try (WorkerFixture other = heldBy(held).start()) {
				held.awaitBegun(2);
				assertThat(this.redis.contents("q")).doesNotContainKey("crashes");
				held.release();
				other.awaitEmpty("q");
			}
		}
	}

	@Test
	@DisplayName("GL-X9, F56: a job that kills processes is dead after three, and does not affect innocent jobs")
	void killWhenAJobDoesItBuriesThatOneAlone() {
		int jobs = 200;
		int poison = 100;
		WorkerJvm.order(this.redis, WorkerJvm.HALT, List.of(poison));
		try (WorkerFixture producer = producer()) {
			List<String> ids = producer.enqueueAll("q", 0, jobs);
			for (int process = 0; !isDead(ids.get(poison)); process++) {
				assertThat(process).as("number of killed processes").isLessThanOrEqualTo(3);
				WorkerJvm worker = process(10, "q");
				WorkerFixture.await()
					.atMost(Duration.ofMinutes(1))
					.until(() -> isDead(ids.get(poison)) || !worker.isAlive());
			}
			producer.awaitOnlyDead("q", ids.get(poison));
			Set<Integer> ended = new HashSet<>();
			this.processes.forEach((process) -> ended.addAll(process.ended()));
			assertThat(ended).hasSize(jobs - 1).doesNotContain(poison);
			JobPayload dead = new PayloadCodec(WorkerFixture.JSON).read(payload("q", ids.get(poison)));
			assertThat(dead.errorClass()).isEqualTo(RunCutShortException.class.getName());
			assertThat(dead.errorMessage())
				.matches("Process \\S+:%d:\\S+ died while it ran this job, and so did 2 before it; found at \\S+Z"
					.formatted(this.processes.get(2).pid()));
			assertThat(dead.failures()).singleElement().satisfies((failure) -> {
				assertThat(failure.errorClass()).isEqualTo(dead.errorClass());
				assertThat(failure.process()).contains(":%d:".formatted(this.processes.get(2).pid()));
				assertThat(failure.ran()).isNull();
			});
		}
	}

	private boolean isDead(String id) {
		return this.redis.template().opsForZSet().score(this.redis.key("q", "dead"), id) != null;
	}

	private byte[] payload(String queue, String id) {
		return this.redis.template().<String, String>opsForHash().get(this.redis.key(queue, "payloads"), id).getBytes();
	}

	@Test
	@DisplayName("UL-09: unserved queues are recovered as well")
	void killWhenNobodyElseServesTheQueueGivesItsJobsBack() {
		WorkerJvm victim = process(1, "lonely");
		try (WorkerFixture other = workers(1, "other").start()) {
			// Wait until the worker has examined all queues, so that this queue gets its
			// first job afterwards.
			WorkerFixture.await().until(() -> this.redis.template().hasKey(this.redis.prefix() + ":sweeper"));
			awaitBeats(other, 5);
			List<String> ids = enqueueHeld(other, "lonely", 0, 1);
			victim.awaitBegun(1);
			victim.kill();
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(this.redis.contents("lonely")).containsEntry("ready", ids)
					.doesNotContainKeys("working", "beats", "claims"));
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(other.events(WorkerEvent.Recovered.class)).singleElement()
					.extracting(WorkerEvent.Recovered::queue)
					.isEqualTo("lonely"));
		}
	}

	@Test
	@DisplayName("JG-14: jobs of a queue can run at most once")
	void killWhenQueueRunsJobsAtMostOnceBuriesThem() {
		String queue = WorkerJvm.ONCE;
		WorkerJvm victim = process(2, queue);
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.deathAfter(DEATH_AFTER)
			.capsule("default", 2, Capsule.Order.STRICT, new Capsule.Queue(queue, 1, true))
			.jobs(this.runs)
			.build()) {
			List<String> ids = enqueueHeld(worker, queue, 0, 3);
			victim.awaitBegun(2);
			victim.kill();
			worker.start();
			worker.awaitOnlyDead(queue, ids.get(0), ids.get(1));
			assertThat(this.runs.ended()).containsExactly(2);
			JobPayload dead = new PayloadCodec(WorkerFixture.JSON).read(payload(queue, ids.get(0)));
			assertThat(dead.errorMessage()).startsWith("The job may have run: process ")
				.contains(":" + victim.pid() + ":", " died while it ran it, at ");
		}
	}

}
