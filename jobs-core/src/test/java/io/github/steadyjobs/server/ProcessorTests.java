package io.github.steadyjobs.server;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobFailure;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobTimeoutException;
import io.github.steadyjobs.RunCutShortException;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.SnoozeJobException;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.gate.Gate;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Outcome.Dead;
import io.github.steadyjobs.server.Outcome.Parked;
import io.github.steadyjobs.server.Outcome.Retry;
import io.github.steadyjobs.server.UnitOfWork.Surroundings;
import io.github.steadyjobs.server.WorkerSettings.Oversight;
import io.github.steadyjobs.support.HostileException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.std.StdDeserializer;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the outcome that {@link Processor} derives from a run. Nothing is sent to
 * Redis.
 */
@ExtendWith(OutputCaptureExtension.class)
class ProcessorTests {

	private static final String UNBOUND = "{\"jid\":\"a\",\"class\":\"test.job\",\"args\":[\"x\"]}";

	private final List<String> told = new ArrayList<>();

	private final List<ServerInterceptor> interceptors = new ArrayList<>();

	private final List<Gate> gates = new ArrayList<>();

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

	private boolean stopping;

	private boolean lost;

	private TestJobs.Body body = (number, job) -> {
	};

	@BeforeEach
	void forgetWhatIsCancelled() {
		this.timer.setRemoveOnCancelPolicy(true);
	}

	@AfterEach
	void stopTimer() {
		this.timer.shutdownNow();
	}

	@Test
	void runWhenJobEndsIsDone() {
		assertThat(run("\"args\":[1]")).isEqualTo(Outcome.DONE);
		assertThat(this.told).containsExactly("started after 40 min", "ended DONE");
	}

	@Test
	void runWhenAGateThrowsAtTheEndKeepsItsOutcome(CapturedOutput output) {
		this.gates.add(new BrokenGate());
		assertThat(run("\"args\":[1]")).isEqualTo(Outcome.DONE);
		assertThat(output).contains("Gate " + BrokenGate.class.getName() + " failed");
	}

	@Test
	void runWhenInterceptorDoesNotProceedIsSkipped() {
		this.interceptors.add((job, chain) -> {
		});
		assertThat(run("\"args\":[1]")).isEqualTo(Outcome.SKIPPED);
		assertThat(this.told).containsExactly("started after 40 min", "ended SKIPPED");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "null", "[]", "\"a\"", "{} {}", "{\"jid\":\"a\",\"class\":\"test.job\"}",
			"{\"jid\":\"a\",\"class\":1,\"args\":[]}", "{\"jid\":\"a\",\"class\":\"a\",\"args\":{}}", "\u0000" })
	@DisplayName("SK-37: an unreadable payload is dead and unchanged")
	void runWhenPayloadIsNotThatOfAJobIsDeadWithThePayloadAsItIs(String payload) {
		assertThat(outcome(work(payload))).isInstanceOfSatisfying(Dead.class,
				(dead) -> assertThat(dead.payload()).isNull());
		assertThat(this.told).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"a\":1,\"a\":2}", "{]", "1 2", "tru", "1,", "1e9999999999", "\"\u00ff\"" })
	@DisplayName("SK-37: a payload with invalid arguments is dead and unchanged")
	void runWhenNobodyCanReadTheArgumentsIsDeadAsItIs(String arguments, CapturedOutput output) {
		byte[] stored = """
				{"jid":"a","class":"test.job","args":[%s],"queue":"q","retry":true,"created_at":1,"enqueued_at":1}"""
			.formatted(arguments)
			.getBytes(StandardCharsets.ISO_8859_1);
		assertThat(outcome(work(stored, "c/1"))).isInstanceOfSatisfying(Dead.class,
				(dead) -> assertThat(dead.payload()).isNull());
		assertThat(this.told).isEmpty();
		assertThat(output).contains("Job test.job[a] of queue q is dead, because its payload cannot be read")
			.doesNotContain("is parked");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"expires_at\":1795377856000000000", "\"expires_at\":-9223372036854775808",
			"\"backtrace\":99999999999999999999", "\"timeout\":9223372036854775807", "\"retry_for\":1e999999999" })
	@DisplayName("SK-37: a job runs even if a number in its payload is out of range")
	void runWhenNumberIsOutOfRangeRunsTheJob(String field) {
		assertThat(run("\"args\":[1]," + field)).isEqualTo(Outcome.DONE);
	}

	@Test
	void runWhenJobWasCancelledBeforeItBeganEndsItWithoutRunning() {
		this.body = (number, job) -> {
			throw new AssertionError("called");
		};
		assertThat(outcome(work(null, "c/1"))).isEqualTo(Outcome.SKIPPED);
		assertThat(this.told).isEmpty();
	}

	@Test
	void runWhenNameIsUnknownIsParked() {
		Outcome outcome = outcome(work("{\"jid\":\"a\",\"class\":\"other\",\"args\":[]}"));
		assertThat(outcome).isEqualTo(new Parked(null, "unknown:other"));
		assertThat(this.told).isEmpty();
	}

	@Test
	void runWhenUnknownNameIsLongerThanAnyParksUnderItsStart() {
		String name = "x".repeat(100_000);
		Outcome outcome = outcome(work("{\"jid\":\"a\",\"class\":\"%s\",\"args\":[]}".formatted(name)));
		assertThat(outcome).isEqualTo(new Parked(null, "unknown:" + name.substring(0, 256)));
	}

	@Test
	void runWhenUnknownNamesAreManyTellsOfTheFirstThousand(CapturedOutput output) {
		Processor processor = processor();
		for (int number = 0; number < 1100; number++) {
			outcome(processor, work("{\"jid\":\"a\",\"class\":\"made-up\\n%d\",\"args\":[]}".formatted(number)));
		}
		assertThat(output.toString().lines()).filteredOn((line) -> line.contains("made-up"))
			.hasSize(1000)
			.allMatch((line) -> line.contains("is parked"));
	}

	@Test
	void runWhenArgumentsDoNotFitIsParkedAndSaysWhere(CapturedOutput output) {
		this.interceptors.add((job, chain) -> {
			throw new AssertionError("called");
		});
		Processor processor = processor();
		Parked parked = (Parked) outcome(processor, work(UNBOUND));
		assertThat(parked.reason()).matches("unbound:test\\.job/[0-9a-f]{12}");
		String signature = parked.reason().substring(parked.reason().indexOf('/') + 1);
		assertThat(new String(parked.payload()))
			.isEqualTo(UNBOUND.replace("}", ",\"unbound\":[\"" + signature + "\"]}"));
		outcome(processor, work(UNBOUND));
		assertThat(output.toString().lines())
			.filteredOn((line) -> line.contains("args[0]: expected int, found a string"))
			.singleElement(InstanceOfAssertFactories.STRING)
			.contains("Job test.job[a] of queue q is parked");
		assertThat(this.told).isEmpty();
	}

	@Test
	void runWhenArgumentsDidNotFitOthersEitherNotesAllSignatures() {
		String others = IntStream.range(0, 12).mapToObj("\"%012d\""::formatted).collect(Collectors.joining(","));
		Parked parked = (Parked) outcome(work(UNBOUND.replace("}", ",\"unbound\":[" + others + ",7,\"x\"]}")));
		assertThat(parked.reason().split(",")).hasSize(10)
			.startsWith("unbound:test.job/000000000003", "000000000004")
			.endsWith("000000000010", "000000000011", ((Parked) outcome(work(UNBOUND))).reason().split("/")[1]);
		Parked again = (Parked) outcome(work(new String(parked.payload())));
		assertThat(again).isEqualTo(new Parked(null, parked.reason()));
	}

	@Test
	void runWhenArgumentsFailToLinkIsRetried() {
		Outcome outcome = outcome(work("{\"jid\":\"a\",\"class\":\"BrokenJobs.run\",\"args\":[\"x\"]}"));
		assertThat(outcome).isInstanceOfSatisfying(Retry.class,
				(retry) -> assertThat(new String(retry.payload())).contains("NoClassDefFoundError"));
	}

	@ParameterizedTest
	@ValueSource(classes = { Exception.class, Error.class, StackOverflowError.class, OutOfMemoryError.class,
			NoClassDefFoundError.class, InterruptedException.class })
	@DisplayName("SK-18, SK-57: anything that a job throws is a failure of the job")
	void runWhenJobThrowsIsRetried(Class<? extends Throwable> type) throws Exception {
		Throwable failure = type.getDeclaredConstructor().newInstance();
		this.body = (number, job) -> sneak(failure);
		Outcome outcome = run("\"args\":[1]");
		assertThat(outcome).isInstanceOfSatisfying(Retry.class,
				(retry) -> assertThat(new String(retry.payload())).contains("\"error_class\":\"" + type.getName()));
		assertThat(this.told).containsExactly("started after 40 min", "ended RETRY");
	}

	@Test
	@DisplayName("SK-41, SK-57: a single decision, outside all interceptors, covers everything that is thrown")
	void runWhenInterceptorThrowsIsRetriedAsIfTheJobDid() {
		this.body = (number, job) -> this.told.add("job");
		this.interceptors.add((job, chain) -> {
			chain.proceed();
			throw new IllegalStateException("behind the job");
		});
		assertThat(run("\"args\":[1]")).isInstanceOfSatisfying(Retry.class,
				(retry) -> assertThat(new String(retry.payload())).contains("behind the job")
					.contains("\"retry_count\":0"));
		assertThat(this.told).containsExactly("started after 40 min", "job", "ended RETRY");
	}

	@Test
	void runWhenExceptionThrowsWhateverItIsAskedIsRetried() {
		this.body = (number, job) -> {
			throw new HostileException();
		};
		assertThat(run("\"args\":[1]").kind()).isEqualTo(JobOutcome.RETRY);
		assertThat(run("\"args\":[1],\"retry\":0").kind()).isEqualTo(JobOutcome.DEAD);
	}

	@Test
	@DisplayName("SK-25: an interruption by a shutdown is not a failure")
	void runWhenInterruptedByAShutdownIsReleased() {
		this.stopping = true;
		this.body = (number, job) -> {
			throw new InterruptedException();
		};
		assertThat(run("\"args\":[1]")).isEqualTo(Outcome.RELEASED);
		this.body = (number, job) -> {
			throw new IllegalStateException(new RuntimeException(new InterruptedException()));
		};
		assertThat(run("\"args\":[1]")).isEqualTo(Outcome.RELEASED);
		assertThat(this.told).containsOnly("started after 40 min", "ended RELEASED");
	}

	@Test
	void runWhenTheJobIsLostIsReleasedWhateverItThrows() {
		this.lost = true;
		this.body = (number, job) -> {
			throw new IllegalStateException("made of an interrupt");
		};
		assertThat(run("\"args\":[1]")).isEqualTo(Outcome.RELEASED);
	}

	@Test
	void runWhenGivenBackMeanwhileIsReleasedWhateverItThrows(CapturedOutput output) {
		this.stopping = true;
		UnitOfWork work = work("{\"jid\":\"a\",\"class\":\"test.job\",\"args\":[1]}");
		this.body = (number, job) -> {
			work.giveBack();
			throw new IllegalStateException("made of an interrupt");
		};
		assertThat(outcome(work)).isEqualTo(Outcome.RELEASED);
		assertThat(this.told).endsWith("ended RELEASED");
		assertThat(output).doesNotContain("made of an interrupt");
	}

	@Test
	void runWhenAnExecutorHasStoppedBeforeItIsReleased() {
		this.stopping = true;
		this.body = (number, job) -> {
			throw new TaskRejectedException("stopped", new RejectedExecutionException());
		};
		assertThat(run("\"args\":[1]")).isEqualTo(Outcome.RELEASED);
		this.stopping = false;
		assertThat(run("\"args\":[1]").kind()).isEqualTo(JobOutcome.RETRY);
	}

	@Test
	void runWhenCutShortInAQueueOfJobsThatRunOnceIsDead() {
		this.stopping = true;
		this.body = (number, job) -> {
			throw new InterruptedException();
		};
		UnitOfWork work = work("{\"jid\":\"a\",\"class\":\"test.job\",\"args\":[1]}".getBytes(), "c/1o");
		assertThat(outcome(work)).isInstanceOfSatisfying(Dead.class,
				(dead) -> assertThat(new String(dead.payload())).contains("may have run"));
	}

	@Test
	void runWhenJobFailsLogsThatInTheContextInWhichItFailed() {
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		Logger logger = (Logger) LoggerFactory.getLogger(FailureLog.class);
		logger.addAppender(log);
		this.interceptors.add((job, chain) -> {
			try (MDC.MDCCloseable tenant = MDC.putCloseable("tenant", "acme")) {
				chain.proceed();
			}
		});
		this.body = (number, job) -> {
			throw new IllegalStateException("broken");
		};
		MDC.put("outer", "kept");
		try {
			run("\"args\":[1]");
			assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("outer", "kept"));
		}
		finally {
			MDC.remove("outer");
			logger.detachAppender(log);
		}
		assertThat(log.list).singleElement()
			.extracting(ILoggingEvent::getMDCPropertyMap)
			.isEqualTo(Map.of("outer", "kept", "tenant", "acme"));
	}

	@Test
	@DisplayName("SK-25: circular causes are handled")
	void runWhenCausesGoInCirclesEnds() {
		this.stopping = true;
		RuntimeException outer = new RuntimeException();
		outer.initCause(new RuntimeException(outer));
		this.body = (number, job) -> {
			throw outer;
		};
		assertThat(run("\"args\":[1]").kind()).isEqualTo(JobOutcome.RETRY);
	}

	@Test
	void runWhenJobFailsDuringAShutdownIsRetried() {
		this.stopping = true;
		this.body = (number, job) -> {
			throw new IllegalStateException();
		};
		assertThat(run("\"args\":[1]").kind()).isEqualTo(JobOutcome.RETRY);
		this.body = (number, job) -> {
			throw new HostileException();
		};
		assertThat(run("\"args\":[1]").kind()).isEqualTo(JobOutcome.RETRY);
	}

	@Test
	void runWhenJobWasDueLaterCountsItsWaitFromThen() {
		run("\"args\":[1],\"at\":5400000");
		assertThat(this.told).startsWith("started after 10 min");
		this.told.clear();
		run("\"args\":[1],\"at\":12000000");
		assertThat(this.told).startsWith("started after 0 min");
	}

	@Test
	void runWhenJobWasClaimedAheadCountsItsWaitUntilItBegins() {
		String payload = "{\"jid\":\"a\",\"class\":\"test.job\",\"enqueued_at\":3600000,\"args\":[1]}";
		outcome(work(payload.getBytes(), "c/1", Duration.ofMinutes(5)));
		assertThat(this.told).startsWith("started after 45 min");
	}

	@Test
	void runWhenItIsTooLateForTheJobDoesNotBeginIt() {
		this.body = (number, job) -> this.told.add("ran");
		assertThat(run("\"args\":[1],\"expires_at\":5999999")).isEqualTo(Outcome.EXPIRED);
		assertThat(this.told).containsExactly("started after 40 min", "ended EXPIRED");
		this.told.clear();
		assertThat(run("\"args\":[\"x\"],\"expires_at\":5999999").kind()).isEqualTo(JobOutcome.EXPIRED);
		assertThat(run("\"args\":[1],\"retry_count\":0,\"expires_at\":5999999").kind()).isEqualTo(JobOutcome.EXPIRED);
		assertThat(run("\"args\":[1],\"expires_at\":6060000").kind()).isEqualTo(JobOutcome.DONE);
		String payload = "{\"jid\":\"a\",\"class\":\"test.job\",\"expires_at\":6060000,\"args\":[1]}";
		UnitOfWork late = work(payload.getBytes(), "c/1", Duration.ofMinutes(5));
		assertThat(outcome(late)).isEqualTo(Outcome.EXPIRED);
	}

	@Test
	void runWhenJobThatNobodyHereKnowsIsTooLateTellsNobody() {
		assertThat(outcome(work("{\"jid\":\"a\",\"class\":\"no.such\",\"args\":[],\"expires_at\":1}")))
			.isEqualTo(Outcome.EXPIRED);
		assertThat(this.told).isEmpty();
	}

	@Test
	void runWhenJobFailsNotesWhereAndHowLongItRan() {
		this.body = (number, job) -> {
			LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
			throw new IllegalStateException("Line 1\nLine 2");
		};
		Instant before = Instant.now().minusMillis(1);
		String former = "{\"at\":1,\"class\":\"A\"}";
		assertThat(run("\"args\":[1],\"attempts\":[" + former + "]")).isInstanceOfSatisfying(Outcome.Retry.class,
				(retry) -> {
					JobPayload payload = JobPayload.read(WorkerFixture.JSON, retry.payload());
					assertThat(payload.failures()).hasSize(2).last().satisfies((failure) -> {
						assertThat(failure.time()).isBetween(before, Instant.now());
						assertThat(failure.errorClass()).isEqualTo(IllegalStateException.class.getName());
						assertThat(failure.message()).isEqualTo("Line 1");
						assertThat(failure.process()).isEqualTo("p.1");
						assertThat(failure.ran()).isBetween(Duration.ofMillis(1), Duration.ofMinutes(1));
					});
				});
	}

	@Test
	void runWhenADeployInterruptsItNotesThatOnlyIfItIsForGood() {
		this.stopping = true;
		this.body = (number, job) -> {
			throw new InterruptedException();
		};
		assertThat(run("\"args\":[1]")).isEqualTo(Outcome.RELEASED);
		String stored = "{\"jid\":\"a\",\"class\":\"test.job\",\"args\":[1]}";
		assertThat(outcome(work(stored.getBytes(), "c/1o"))).isInstanceOfSatisfying(Dead.class, (dead) -> {
			List<JobFailure> failures = JobPayload.read(WorkerFixture.JSON, dead.payload()).failures();
			assertThat(failures).singleElement().satisfies((failure) -> {
				assertThat(failure.errorClass()).isEqualTo(RunCutShortException.class.getName());
				assertThat(failure.process()).isEqualTo("p.1");
				assertThat(failure.ran()).isNotNull();
			});
		});
	}

	@Test
	void runWhenJobSnoozesRunsItLaterAsIfItHadNotBegun() {
		this.body = (number, job) -> {
			throw new SnoozeJobException(Duration.ofMinutes(3));
		};
		long earliest = System.currentTimeMillis() + 180_000;
		assertThat(run("\"args\":[1],\"retry_count\":1,\"failed_at\":7")).isInstanceOfSatisfying(Outcome.Snoozed.class,
				(snoozed) -> {
					assertThat(snoozed.delay()).isEqualTo(Duration.ofMinutes(3));
					JobPayload payload = JobPayload.read(WorkerFixture.JSON, snoozed.payload());
					assertThat(payload.at()).isAfterOrEqualTo(Instant.ofEpochMilli(earliest));
					assertThat(payload.attempts()).isEqualTo(2);
					assertThat(payload.failedAt()).isEqualTo(Instant.ofEpochMilli(7));
					assertThat(payload.errorClass()).isNull();
					assertThat(payload.failures()).isEmpty();
				});
		this.body = (number, job) -> {
			throw new IllegalStateException(new SnoozeJobException(Duration.ofMinutes(3)));
		};
		assertThat(run("\"args\":[1]").kind()).isEqualTo(JobOutcome.RETRY);
	}

	@Test
	void runWhenCancelledAndInterruptedIsNoFailure() {
		UnitOfWork work = work("{\"jid\":\"a\",\"class\":\"test.job\",\"enqueued_at\":3600000,\"args\":[1]}");
		this.body = (number, job) -> {
			work.cancelRun();
			work.cancelRun();
			Thread.sleep(Duration.ofMinutes(1).toMillis());
		};
		assertThat(work.begin()).isTrue();
		assertThat(outcome(work)).isEqualTo(Outcome.CANCELLED);
		work.end();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(this.told).endsWith("ended CANCELLED");
	}

	@Test
	void runWhenItTakesTooLongFailsWithATimeout() {
		this.body = (number, job) -> new CountDownLatch(1).await();
		assertThat(run("\"args\":[1],\"timeout\":20")).isInstanceOfSatisfying(Outcome.Retry.class,
				(retry) -> assertThat(retry.failure().cause()).isInstanceOf(JobTimeoutException.class)
					.hasMessageContaining("longer than its timeout of PT0.02S")
					.hasCauseInstanceOf(InterruptedException.class));
		assertThat(this.timer.getQueue()).isEmpty();
	}

	@Test
	void runWhenItTakesTooLongFailsEvenIfItReturnsAndTheProcessStops() {
		this.stopping = true;
		this.body = (number, job) -> awaitInterrupt();
		assertThat(run("\"args\":[1],\"timeout\":20")).isInstanceOfSatisfying(Outcome.Retry.class,
				(retry) -> assertThat(retry.failure().cause()).isInstanceOf(JobTimeoutException.class).hasNoCause());
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void runWhenItIgnoresTheInterruptIsReported(CapturedOutput output) {
		this.body = (number, job) -> {
			awaitInterrupt();
			Thread.interrupted();
			WorkerFixture.await().until(() -> output.getOut().contains("goes on although it was interrupted"));
		};
		assertThat(run("\"args\":[1],\"timeout\":20").kind()).isEqualTo(JobOutcome.RETRY);
		assertThat(output).contains("after its timeout of PT0.02S").contains("Where it is").contains("ProcessorTests");
	}

	@Test
	void runWhenItEndsInTimeLeavesNoTimerBehind() {
		this.body = (number, job) -> assertThat(this.timer.getQueue()).hasSize(number);
		assertThat(run("\"args\":[1],\"timeout\":60000").kind()).isEqualTo(JobOutcome.DONE);
		assertThat(this.timer.getQueue()).isEmpty();
		assertThat(run("\"args\":[0]").kind()).isEqualTo(JobOutcome.DONE);
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`',
			value = { "`\"x\":1`, ", "`\"retry_queue\":\"slow\"`, slow", "`\"retry_queue\":\"q\"`, ",
					"`\"retry_queue\":\"a b\"`, ", "`\"retry_queue\":7`, " })
	@DisplayName("SK-52: the stored name of the retry queue is used if it is valid")
	void runWhenJobFailsIsRetriedInTheQueueThatItNames(String stored, @Nullable String queue) {
		this.body = (number, job) -> {
			throw new IllegalStateException("on purpose");
		};
		assertThat(run("\"args\":[1]," + stored)).isInstanceOfSatisfying(Outcome.Retry.class,
				(retry) -> assertThat(retry.queue()).isEqualTo(queue));
	}

	private static void awaitInterrupt() {
		while (!Thread.currentThread().isInterrupted()) {
			Thread.onSpinWait();
		}
	}

	private Outcome run(String fields) {
		return outcome(work("{\"jid\":\"a\",\"class\":\"test.job\",\"enqueued_at\":3600000," + fields + "}"));
	}

	private Outcome outcome(UnitOfWork work) {
		return outcome(processor(), work);
	}

	private static Outcome outcome(Processor processor, UnitOfWork work) {
		processor.run(List.of(work));
		return work.outcome();
	}

	private static UnitOfWork work(String payload) {
		return work(payload.getBytes(), "c/1");
	}

	private static UnitOfWork work(byte[] payload, String claim) {
		return work(payload, claim, Duration.ZERO);
	}

	/**
	 * Return a job that was claimed 6,000 seconds after the epoch, by the clock of Redis.
	 * @param waited how long the job has been waiting for a worker in this process
	 */
	private static UnitOfWork work(byte[] payload, String claim, Duration waited) {
		return new UnitOfWork(new ClaimedJob(new JobToken("q", "p.1", "a", claim), payload, "", 6_000_000, 1), 0,
				System.nanoTime() - waited.toNanos());
	}

	private static final class BrokenGate implements Gate {

		@Override
		public @Nullable Hold holdsBack(Candidate job) {
			return null;
		}

		@Override
		public void ended(Candidate job, JobOutcome outcome) {
			throw new IllegalStateException("on purpose");
		}

	}

	private Processor processor() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("testJobs", new TestJobs(this.body));
		beans.registerSingleton("brokenJobs", new BrokenJobs());
		PayloadCodec codec = new PayloadCodec(WorkerFixture.JSON);
		JobExecution execution = new JobExecution(
				new JobRegistry(beans, Map.of(), IdempotenceDefaults.STANDARD, WorkerFixture.JSON), codec,
				this.interceptors, List.of(), (count, job, failure) -> Duration.ofSeconds(1), List.of(new Told()),
				List.of());
		Surroundings surroundings = new Surroundings("c", codec, (token) -> !this.lost, () -> this.stopping,
				(work, left, envelope, done) -> true);
		JobRetry retry = new JobRetry(execution.retryDelay(), codec, Clock.systemUTC(), 25, 5);
		return new Processor(execution, surroundings, retry, unconnectedSettlements(), new Gates(this.gates),
				new RunWatch(Oversight.NONE, null, new Timeouts(this.timer)));
	}

	private static Settlements unconnectedSettlements() {
		WorkStore store = new WorkStore(new RedisConnections(new LettuceConnectionFactory()), "unused", null);
		return new Settlements(store, null, null, null, new Repeater(null), null);
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void sneak(Throwable failure) throws T {
		throw (T) failure;
	}

	static class BrokenJobs {

		@Job
		void run(Broken argument) {
		}

	}

	@JsonDeserialize(using = BrokenDeserializer.class)
	record Broken(String text) {

	}

	static class BrokenDeserializer extends StdDeserializer<Broken> {

		BrokenDeserializer() {
			super(Broken.class);
		}

		@Override
		public Broken deserialize(JsonParser json, DeserializationContext context) {
			throw new NoClassDefFoundError("some.Class");
		}

	}

	private final class Told implements JobListener {

		@Override
		public void started(JobContext job, Duration waited) {
			ProcessorTests.this.told.add("started after " + waited.toMinutes() + " min");
		}

		@Override
		public void ended(JobContext job, JobOutcome outcome, Duration ran) {
			ProcessorTests.this.told.add("ended " + outcome);
		}

	}

}
