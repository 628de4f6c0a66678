package io.github.steadyjobs.server;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.RetriesExhausted;
import io.github.steadyjobs.RunCutShortException;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.HostileException;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import io.lettuce.core.ClientOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the notifications that an application receives about failed jobs (SK-16,
 * SK-54 to SK-59).
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class HooksIntegrationTests {

	private static final Exception FAILURE = new IOException("broken");

	private final TestRedis redis;

	private final List<String> told = new CopyOnWriteArrayList<>();

	private final List<Throwable> failures = new CopyOnWriteArrayList<>();

	private final Runs runs = Runs.held();

	private final JobContext[] context = new JobContext[1];

	HooksIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	@DisplayName("SK-58: listeners are notified of a death when the job is in the dead set")
	void diedWhenRetriesAreExhaustedFindsTheJobInTheDeadSet() {
		List<Object> stored = new CopyOnWriteArrayList<>();
		List<JobPayload> given = new CopyOnWriteArrayList<>();
		try (WorkerFixture worker = failing().onDeath((job, reason) -> {
			stored.add(this.redis.template().opsForHash().get(this.redis.key("q", "payloads"), job.id()));
			given.add(job);
			this.failures.add(reason);
			tell(where(job.id()) + " on " + Thread.currentThread().getName());
		}).start()) {
			worker.client().enqueue(WorkerFixture.request("q", 1).retries(1));
			awaitTold(1);
		}
		assertThat(this.told).containsExactly("[dead, payloads] on jobs-hooks");
		assertThat(given).singleElement().satisfies((job) -> {
			assertThat(job.errorClass()).isEqualTo(IOException.class.getName());
			assertThat(stored).containsExactly(job.json().toString());
		});
		assertThat(this.failures).singleElement().isSameAs(FAILURE);
	}

	@Test
	void toldWhenRedisIsSlowWaitsForItsAnswer() {
		makeRedisKnowTheScript();
		TcpRelay relay = TcpRelay.to(this.redis);
		LettuceConnectionFactory factory = factory(relay, true);
		List<Boolean> answered = new CopyOnWriteArrayList<>();
		try (RedisConnections connections = new RedisConnections(factory);
				WorkerFixture producer = workers().jobs(this.runs).build();
				WorkerFixture worker = held().connections(connections)
					.onFailure((job, failure) -> answered.add(relay.lostReplies() == 1))
					.onFailure((job, failure) -> tell(where(job.id())))
					.start()) {
			String id = producer.client().enqueue(WorkerFixture.request("q", 0).retries(0)).id();
			this.runs.awaitBegun(1);
			relay.loseReplyTo(settlementOf(id));
			relay.delay(Duration.ofMillis(200));
			this.runs.release();
			awaitTold(1);
		}
		finally {
			factory.destroy();
			relay.close();
		}
		assertThat(answered).containsExactly(true);
		assertThat(this.told).containsExactly("[dead, payloads]");
	}

	@Test
	@DisplayName("SK-59: at every attempt, listeners receive the exception when the retry is stored")
	void failedWhenJobFailsGetsTheOriginalExceptionOnceTheJobIsMoved() {
		try (WorkerFixture worker = failing().retryDelay((count, job, failure) -> Duration.ofHours(1))
			.onFailure((job, failure) -> {
				this.failures.add(failure);
				tell(where(job.id()) + " after " + job.attempts());
			})
			.start()) {
			worker.client().enqueue(WorkerFixture.request("q", 1));
			awaitTold(1);
			worker.client().enqueue(WorkerFixture.request("q", 2).retries(0));
			awaitTold(2);
		}
		assertThat(this.told).containsExactly("[payloads, retries] after 1", "[dead, payloads] after 1");
		assertThat(this.failures).hasSize(2).allSatisfy((failure) -> assertThat(failure).isSameAs(FAILURE));
	}

	@Test
	void failedWhenPayloadCannotBeReadGetsNoJob() {
		try (WorkerFixture worker = all(failing()).onFailure((job, failure) -> this.failures.add(failure)).start()) {
			worker.enqueueRaw("q", "0123456789abcdef01234567", "{");
			awaitTold(1);
		}
		assertThat(this.told).containsExactly("error null");
		assertThat(this.failures).singleElement().isInstanceOf(InvalidJobException.class);
	}

	@Test
	@DisplayName("SK-56: the job's own method is called once the job is dead, before listeners are notified")
	void retriesExhaustedIsCalledOnceTheJobIsDead() {
		try (WorkerFixture worker = all(workers().bean(new CallbackJobs())).start()) {
			worker.client().enqueue(JobRequest.named("CallbackJobs.run", "a", 7).queue("q").retries(1));
			awaitTold(4);
		}
		assertToldOfTwoAttempts("exhausted a 7 2 no a [dead, payloads]");
	}

	@Test
	@DisplayName("SK-56: exceptions thrown by callbacks are logged, and affect neither the job nor other callbacks")
	void toldWhenEachThrowsCallsAllAndChangesNothing(CapturedOutput output) {
		try (WorkerFixture worker = workers().bean(new CallbackJobs()).onFailure((job, failure) -> {
			tell("error");
			throw new HostileException();
		}).onFailure((job, failure) -> {
			tell("other error");
			throw new IOException("other failure listener");
		}).onDeath((job, reason) -> {
			tell("died");
			throw new NoClassDefFoundError("death listener");
		}).onDeath((job, reason) -> tell("other died")).start()) {
			String id = worker.client()
				.enqueue(JobRequest.named("CallbackJobs.run", "throw", 7).queue("q").retries(0))
				.id();
			awaitTold(5);
			WorkerFixture.await().until(() -> worker.launcher().capsules().get(0).busy() == 0);
			assertThat(where(id)).isEqualTo("[dead, payloads]");
			assertThat(this.redis.contents("q").get("stats")).isEqualTo(Map.of("dead", "1"));
		}
		assertThat(this.told).containsExactly("error", "other error", "exhausted throw 7 1 no throw [dead, payloads]",
				"died", "other died");
		assertThat(output).contains("HostileException that cannot be logged")
			.contains("other failure listener")
			.contains("The @RetriesExhausted method failed when it was notified of job CallbackJobs.run")
			.contains("NoClassDefFoundError: death listener");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void toldWhenTheReplyIsLostAllTheSame(boolean lettuceSendsAgain) {
		makeRedisKnowTheScript();
		TcpRelay relay = TcpRelay.to(this.redis);
		LettuceConnectionFactory factory = factory(relay, lettuceSendsAgain);
		try (RedisConnections connections = new RedisConnections(factory);
				WorkerFixture producer = workers().jobs(this.runs).build();
				WorkerFixture worker = all(held()).connections(connections).start()) {
			String id = producer.client().enqueue(WorkerFixture.request("q", 0).retries(0)).id();
			this.runs.awaitBegun(1);
			relay.loseReplyTo(settlementOf(id));
			this.runs.release();
			awaitTold(2);
			assertThat(relay.lostReplies()).isEqualTo(1);
			assertThat(where(id)).isEqualTo("[dead, payloads]");
		}
		finally {
			factory.destroy();
			relay.close();
		}
		assertThat(this.told).containsExactly("error 1", "died 1");
		assertThat(this.redis.contents("q").get("stats")).isEqualTo(Map.of("dead", "1"));
	}

	@Test
	void toldWhenTheReplyIsLostAndTheProcessTakenForDeadAllTheSame() {
		makeRedisKnowTheScript();
		TcpRelay relay = TcpRelay.to(this.redis);
		LettuceConnectionFactory factory = factory(relay, false);
		try (RedisConnections connections = new RedisConnections(factory);
				WorkerFixture worker = all(held()).connections(connections).start();
				WorkerFixture producer = workers().jobs(this.runs).build()) {
			String id = producer.client().enqueue(WorkerFixture.request("q", 0).retries(0)).id();
			this.runs.awaitBegun(1);
			// If the reply to the second copy is lost too, the worker makes another call,
			// and
			// knows that an earlier call may have settled the job.
			relay.onLostReply(() -> {
				if (relay.lostReplies() == 0) {
					relay.loseReplyTo(settlementOf(id));
				}
			});
			relay.loseReplyTo(settlementOf(id));
			this.runs.release();
			WorkerFixture.await().until(() -> relay.lostReplies() == 2);
			takeForDead();
			awaitTold(2);
		}
		finally {
			factory.destroy();
			relay.close();
		}
		assertThat(this.told).containsExactly("error 1", "died 1");
	}

	@Test
	void toldWhenAnotherProcessHoldsTheJobByThenIsNot(CapturedOutput output) {
		try (WorkerFixture worker = all(held()).start()) {
			String id = worker.client().enqueue(WorkerFixture.request("q", 0).retries(0)).id();
			takeForDead();
			this.redis.template().opsForHash().put(this.redis.key("q", "working"), id, "another.1/default/1");
			this.runs.release();
			WorkerFixture.await().until(() -> output.getAll().contains("this end does not count"));
		}
		assertThat(this.told).isEmpty();
	}

	@Test
	void toldWhenAnotherProcessHasEndedTheJobByThenIsNot() {
		try (WorkerFixture worker = all(held()).start()) {
			String id = worker.client().enqueue(WorkerFixture.request("q", 0).retries(0)).id();
			takeForDead();
			this.redis.template().opsForHash().delete(this.redis.key("q", "working"), id);
			this.redis.template().opsForHash().delete(this.redis.key("q", "payloads"), id);
			this.runs.release();
			this.runs.awaitEnded(1);
		}
		assertThat(this.told).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void toldWhenJobWasCancelledIsNot(boolean keptWhenDead) {
		try (WorkerFixture worker = all(held()).start()) {
			String id = worker.client().enqueue(WorkerFixture.request("q", 0).retries(0).dead(keptWhenDead)).id();
			this.runs.awaitBegun(1);
			assertThat(worker.client().cancel(id)).isTrue();
			this.runs.release();
			worker.awaitEmpty("q");
		}
		assertThat(this.told).isEmpty();
	}

	@Test
	@DisplayName("SK-56: 'dead: false' keeps the job out of the dead set, and all callbacks are notified")
	void runWhenJobIsNotToBeKeptDiscardsItAndTellsAll(CapturedOutput output) {
		List<JobOutcome> outcomes = new CopyOnWriteArrayList<>();
		try (WorkerFixture worker = all(workers().bean(new CallbackJobs())).listener(new JobListener() {

			@Override
			public void ended(JobContext job, JobOutcome outcome, Duration ran) {
				outcomes.add(outcome);
			}

		}).start()) {
			worker.client().enqueue(JobRequest.named("CallbackJobs.run", "a", 7).queue("q").retries(1).dead(false));
			awaitTold(4);
			assertThat(outcomes).containsExactly(JobOutcome.RETRY, JobOutcome.DISCARDED);
			assertThat(this.redis.contents("q").get("stats")).isEqualTo(Map.of("failed", "1", "discarded", "1"));
			worker.awaitEmpty("q");
		}
		assertToldOfTwoAttempts("exhausted a 7 2 no a []");
		assertThat(output).contains("failed in attempt 2 of 2 and is discarded");
	}

	@Test
	@DisplayName("SK-55: 'discard' removes the job")
	void runWhenJobIsDiscardedForgetsIt(CapturedOutput output) {
		try (WorkerFixture worker = all(workers().jobs((number, job) -> {
			throw new DiscardJobException("the customer is gone");
		})).start()) {
			worker.enqueue("q", 1);
			awaitTold(1);
			worker.awaitEmpty("q");
			assertThat(this.redis.contents("q").get("stats")).isEqualTo(Map.of("discarded", "1"));
		}
		assertThat(this.told).containsExactly("error 1");
		assertThat(output).contains("failed in attempt 1 and is discarded, as it was asked for")
			.contains("the customer is gone");
	}

	@Test
	@DisplayName("SK-55: 'kill' skips all remaining retries")
	void runWhenJobIsKilledIsDeadAtOnce() {
		try (WorkerFixture worker = all(workers().jobs((number, job) -> {
			throw new KillJobException("no such account");
		})).start()) {
			String id = worker.enqueue("q", 1);
			awaitTold(2);
			assertThat(where(id)).isEqualTo("[dead, payloads]");
		}
		assertThat(this.told).containsExactly("error 1", "died 1");
	}

	@Test
	void diedWhenAnotherProcessDiedWithTheJobGetsTheReason() {
		String id = "0123456789abcdef01234567";
		String payload = "{\"jid\":\"%s\",\"class\":\"CallbackJobs.run\",\"args\":[\"a\",7],\"retry\":true}";
		this.redis.template().opsForHash().put(this.redis.key("q", "payloads"), id, payload.formatted(id));
		// Make the job look as if it had been claimed from a queue that runs each job at
		// most once.
		this.redis.template().opsForHash().put(this.redis.key("q", "working"), id, "ghost:1:a.1/default/1o");
		this.redis.template().opsForHash().put(this.redis.key("q", "beats"), "ghost:1:a.1", "1");
		try (WorkerFixture worker = all(workers().bean(new CallbackJobs())).deathAfter(Duration.ofMillis(300))
			.onDeath((job, reason) -> this.failures.add(reason))
			.start()) {
			worker.enqueue("q", 1);
			WorkerFixture.await().until(() -> !this.failures.isEmpty());
			assertThat(where(id)).isEqualTo("[dead, payloads]");
		}
		assertThat(this.told).containsExactly("died 0");
		assertThat(this.failures).singleElement()
			.isInstanceOfSatisfying(RunCutShortException.class,
					(reason) -> assertThat(reason).hasMessageContaining("ghost:1:a.1"));
	}

	@Test
	void diedWhenAShutdownCutsAJobShortThatMayRunOnceOnlyIsTold() {
		try (WorkerFixture worker = all(WorkerFixture.on(this.redis)
			.capsule("default", 1, Capsule.Order.STRICT, new Capsule.Queue("q", 1, true))
			.jobs(this.runs)
			.shutdownTimeout(Duration.ZERO)).start()) {
			worker.enqueue("q", 1);
			this.runs.awaitBegun(1);
		}
		assertThat(this.told).containsExactly("died 0");
	}

	@Test
	void stopWhenHandlersAreUnderWayWaitsForThem() {
		AtomicBoolean waitedFor = new AtomicBoolean();
		WorkerFixture[] fixture = new WorkerFixture[1];
		Thread stop = new Thread(() -> fixture[0].launcher().stop());
		try (WorkerFixture worker = failing().onDeath((job, reason) -> {
			stop.start();
			WorkerFixture.await().until(() -> isWaiting(stop));
			waitedFor.set(stop.isAlive());
			tell("died");
		}).build()) {
			fixture[0] = worker;
			worker.start();
			worker.client().enqueue(WorkerFixture.request("q", 1).retries(0));
			WorkerFixture.await().until(() -> !this.told.isEmpty());
			WorkerFixture.await().until(() -> stop.getState() == Thread.State.TERMINATED);
		}
		assertThat(waitedFor).isTrue();
	}

	private static boolean isWaiting(Thread stop) {
		boolean settles = false;
		for (StackTraceElement element : stop.getStackTrace()) {
			settles |= element.getMethodName().equals("awaitAll");
		}
		return settles || stop.getState() == Thread.State.TERMINATED;
	}

	private WorkerFixture.Builder workers() {
		return WorkerFixture.on(this.redis).capsule(1, "q");
	}

	private WorkerFixture.Builder failing() {
		return workers().jobs((number, job) -> {
			throw FAILURE;
		});
	}

	/**
	 * Return workers whose jobs wait to be released, and then fail.
	 */
	private WorkerFixture.Builder held() {
		return workers().jobs((number, job) -> {
			this.context[0] = job;
			try {
				this.runs.run(number, job);
			}
			catch (InterruptedException ex) {
				// The job was given to another process, but ignores the interrupt.
				this.runs.run(number, job);
			}
			throw FAILURE;
		});
	}

	private WorkerFixture.Builder all(WorkerFixture.Builder builder) {
		return builder.onFailure((job, failure) -> tell("error " + ((job != null) ? job.attempts() : null)))
			.onDeath((job, reason) -> tell("died " + job.attempts()));
	}

	/**
	 * Let a job die. The server then knows the script, so the next death takes a single
	 * call, whose reply can be lost.
	 */
	private void makeRedisKnowTheScript() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "p").jobs((number, job) -> {
			throw FAILURE;
		}).start()) {
			worker.client().enqueue(WorkerFixture.request("p", 1).retries(0));
			WorkerFixture.await().until(() -> this.redis.contents("p").containsKey("dead"));
		}
	}

	private void tell(String what) {
		this.told.add(what);
	}

	/** The listeners for different attempts are called independently of each other. */
	private void assertToldOfTwoAttempts(String exhausted) {
		assertThat(this.told).hasSize(4).contains("error 1").containsSubsequence("error 2", exhausted, "died 2");
	}

	private void awaitTold(int count) {
		WorkerFixture.await().until(() -> this.told.size() >= count);
	}

	/**
	 * Act as another process, which declares the process of the running job dead.
	 */
	private void takeForDead() {
		this.runs.awaitBegun(1);
		Set<Object> processes = this.redis.template().opsForHash().keys(this.redis.key("q", "beats"));
		this.redis.template().opsForHash().put(this.redis.key("q", "beats"), processes.iterator().next(), "FENCED");
		WorkerFixture.await().until(() -> this.context[0].isLost());
	}

	/**
	 * Return a text that occurs only in the settlement of a job. Heartbeats contain the
	 * id too, but together with other ids.
	 */
	private static String settlementOf(String id) {
		return "\r\n" + id + "\r\n";
	}

	/**
	 * Return the keys that contain a job.
	 */
	private String where(String id) {
		List<String> keys = new ArrayList<>();
		for (String key : List.of("dead", "payloads", "ready", "retries", "working")) {
			if (contains(this.redis.contents("q").get(key), id)) {
				keys.add(key);
			}
		}
		return keys.toString();
	}

	private static boolean contains(@Nullable Object content, String id) {
		return content != null && content.toString().contains(id);
	}

	private static LettuceConnectionFactory factory(TcpRelay relay, boolean reconnects) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(relay.host(), relay.port()),
				LettuceClientConfiguration.builder()
					.clientOptions(ClientOptions.builder().autoReconnect(reconnects).build())
					.build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	class CallbackJobs {

		@Job
		void run(String text, int number) throws Exception {
			throw new IllegalStateException("no " + text);
		}

		@RetriesExhausted
		void exhausted(String text, int number, JobPayload job, Throwable failure) throws IOException {
			tell("exhausted %s %d %d %s %s".formatted(text, number, job.attempts(), failure.getMessage(),
					where(job.id())));
			if (text.equals("throw")) {
				throw new IOException("callback");
			}
		}

	}

}
