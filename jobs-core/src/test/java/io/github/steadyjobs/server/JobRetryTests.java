package io.github.steadyjobs.server;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.JobLimits;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.definition.RetryRules;
import io.github.steadyjobs.definition.RetryRules.FailureTypes;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.Outcome.Dead;
import io.github.steadyjobs.server.Outcome.Discarded;
import io.github.steadyjobs.server.Outcome.Failure;
import io.github.steadyjobs.server.Outcome.Failure.Kind;
import io.github.steadyjobs.server.Outcome.Retry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link JobRetry} (SK-47 to SK-51).
 */
class JobRetryTests {

	private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

	private static final int DEFAULT_RETRIES = 25;

	private final PayloadCodec codec = new PayloadCodec(WorkerFixture.JSON);

	private final RuntimeException failure = new IllegalStateException("broken");

	private RetryDelay delay = RetryDelay.exactly((count, job, ex) -> Duration.ofSeconds(count + 1));

	private int backtraceLines;

	@ParameterizedTest
	@CsvSource({ "true, 25", "false, 0", "0, 0", "3, 3", "-1, 0", "null, 25", "'\"4\"', 25", "2.5, 25" })
	@DisplayName("SK-47: 'retry' is true for the default, a number, or false")
	void decideWhenJobSaysHowOftenRetriesThatOften(String retry, int retries) {
		JobPayload job = job("\"retry\":" + retry);
		assertThat(retry().maxAttempts(job, RetryRules.DEFAULT)).isEqualTo(retries + 1);
		assertThat(countRetries(job)).isEqualTo(retries);
	}

	@Test
	@DisplayName("SK-47: without 'retry', the default applies")
	void decideWhenJobDoesNotSayHowOftenRetriesByDefault() {
		assertThat(countRetries(job("\"x\":1"))).isEqualTo(DEFAULT_RETRIES);
	}

	private int countRetries(JobPayload job) {
		JobPayload current = job;
		for (int retries = 0;; retries++) {
			Outcome outcome = retry().decide(current, RetryRules.DEFAULT, this.failure);
			if (outcome instanceof Dead dead) {
				assertThat(read(dead.payload()).attempts()).isEqualTo(retries + 1);
				return retries;
			}
			Retry retry = (Retry) outcome;
			assertThat(retry.count()).isEqualTo(retries);
			current = read(retry.payload());
			assertThat(current.attempts()).isEqualTo(retries + 1);
		}
	}

	@Test
	@DisplayName("SK-48, AMB-7: count ^ 4 + 15 s, and 0 to 9 times count + 1 s of jitter")
	void decideWhenDelayIsTheDefaultStaysWithinItsBounds() {
		this.delay = RetryDelay.sidekiq();
		for (int count = 0; count < DEFAULT_RETRIES; count++) {
			assertDelays(count, (long) count * count * count * count + 15);
		}
	}

	@Test
	@DisplayName("SK-54: a delay defined by the application replaces the default, and jitter is still added")
	void decideWhenDelayIsCustomAddsTheSameJitter() {
		this.delay = (count, job, ex) -> Duration.ofSeconds(100);
		assertDelays(0, 100);
		assertDelays(7, 100);
	}

	@Test
	@DisplayName("SK-54: one function can decide for all jobs, by name, arguments and count")
	void decideWhenDelayDependsOnTheJobGetsAllThatItNeeds() {
		this.delay = RetryDelay.exactly((count, job, ex) -> Duration
			.ofMinutes(job.name().equals("slow") ? job.arguments().get(0).intValue() + count : 90));
		JobPayload slow = this.codec
			.read("{\"jid\":\"a\",\"class\":\"slow\",\"args\":[7],\"retry_count\":2}".getBytes());
		assertThat(((Retry) retry().decide(slow, RetryRules.DEFAULT, this.failure)).delay())
			.isEqualTo(Duration.ofMinutes(10));
		JobPayload other = this.codec.read("{\"jid\":\"a\",\"class\":\"other\",\"args\":[]}".getBytes());
		assertThat(((Retry) retry().decide(other, RetryRules.DEFAULT, this.failure)).delay())
			.isEqualTo(Duration.ofMinutes(90));
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, Long.MIN_VALUE })
	@DisplayName("SK-54: zero or a negative delay means one second")
	void decideWhenDelayIsZeroOrNegativeWaitsForASecond(long seconds) {
		this.delay = (count, job, ex) -> Duration.ofSeconds(seconds);
		assertDelays(0, 1);
		this.delay = RetryDelay.exactly(this.delay);
		assertThat(decideDelay(0)).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void decideWhenDelayWantsNoJitterTakesItAsItIs() {
		this.delay = RetryDelay.exactly((count, job, ex) -> Duration.ofMillis(1));
		assertThat(decideDelay(3)).isEqualTo(Duration.ofMillis(1));
	}

	private void assertDelays(int count, long base) {
		Set<Duration> delays = new HashSet<>();
		for (int i = 0; i < 1000; i++) {
			delays.add(decideDelay(count));
		}
		assertThat(delays).containsExactlyInAnyOrderElementsOf(
				LongStream.range(0, 10).mapToObj((step) -> Duration.ofSeconds(base + step * (count + 1))).toList());
	}

	private Duration decideDelay(int count) {
		return ((Retry) retry().decide(job("\"retry_count\":" + (count - 1)), RetryRules.DEFAULT, this.failure))
			.delay();
	}

	@Test
	@DisplayName("SK-49: 25 retries span 20.4 days")
	void sidekiqWhenSummedUpSpansTwentyDays() {
		Duration sum = Duration.ZERO;
		for (int count = 0; count < DEFAULT_RETRIES; count++) {
			sum = sum.plus(RetryDelay.sidekiq().delay(count, job("\"x\":1"), this.failure));
		}
		assertThat(sum).isEqualTo(Duration.ofSeconds(1_763_020 + 25 * 15));
		assertThat(sum.toSeconds() / 86_400.0).isCloseTo(20.4, within(0.05));
	}

	@Test
	@DisplayName("SK-51: fields of the payload after the first failure")
	void decideWhenJobFailedForTheFirstTimeNotesIt() {
		JobPayload job = job("\"retry\":true,\"queue\":\"q\",\"enqueued_at\":1");
		Retry retry = (Retry) retry().decide(job, RetryRules.DEFAULT, this.failure);
		assertThat(retry.delay()).isEqualTo(Duration.ofSeconds(1));
		assertThat(retry.kind()).isEqualTo(JobOutcome.RETRY);
		assertThat(text(retry.payload())).isEqualTo("{" + HEAD + """
				,"retry":true,"queue":"q","enqueued_at":1,"retry_count":0,"failed_at":1767323045678,\
				"error_class":"java.lang.IllegalStateException","error_message":"broken","at":1767323046678}""");
	}

	@Test
	@DisplayName("SK-51: fields of the payload after a later failure")
	void decideWhenJobFailedAgainNotesItAndKeepsTheFirstTime() {
		JobPayload job = job("\"retry_count\":3,\"failed_at\":5,\"retried_at\":6,\"error_class\":\"a\",\"at\":7");
		Retry retry = (Retry) retry().decide(job, RetryRules.DEFAULT, this.failure);
		assertThat(text(retry.payload())).isEqualTo("{" + HEAD + """
				,"retry_count":4,"failed_at":5,"retried_at":1767323045678,\
				"error_class":"java.lang.IllegalStateException","at":1767323050678,"error_message":"broken"}""");
	}

	@Test
	void decideWhenJobHasNoRetriesLeftKeepsTheTimeOfItsLastRun() {
		Dead dead = (Dead) retry().decide(job("\"retry\":1,\"retry_count\":0,\"failed_at\":5,\"at\":7"),
				RetryRules.DEFAULT, this.failure);
		assertThat(dead.kind()).isEqualTo(JobOutcome.DEAD);
		assertThat(text(dead.payload())).isEqualTo("{" + HEAD + """
				,"retry":1,"retry_count":1,"failed_at":5,"at":7,"retried_at":1767323045678,\
				"error_class":"java.lang.IllegalStateException","error_message":"broken"}""");
	}

	@Test
	void decideWhenOthersAddedFieldsKeepsThemWithoutLoss() {
		String fields = "\"bid\":\"x\",\"n\":1.10,\"big\":123456789012345678901234567890,\"lone\":\"\\uD800\","
				+ "\"deep\":{\"a\":[null,{}]},\"wrapped\":\"Foo\"";
		Retry retry = (Retry) retry().decide(job(fields), RetryRules.DEFAULT, this.failure);
		assertThat(text(retry.payload())).startsWith("{" + HEAD + "," + fields + ",\"retry_count\":0,");
	}

	@Test
	@DisplayName("SK-51: a backtrace is kept only if requested, and is limited")
	void decideWhenBacktraceIsWantedKeepsItsFirstLines() {
		assertThat(read(((Retry) retry().decide(job("\"x\":1"), RetryRules.DEFAULT, this.failure)).payload())
			.field("error_backtrace")
			.isMissingNode()).isTrue();
		this.backtraceLines = 2;
		JobPayload job = read(((Retry) retry().decide(job("\"x\":1"), RetryRules.DEFAULT, this.failure)).payload());
		List<String> lines = new ArrayList<>();
		job.field("error_backtrace").forEach((line) -> lines.add(line.stringValue()));
		assertThat(lines).containsExactly(this.failure.getStackTrace()[0].toString(),
				this.failure.getStackTrace()[1].toString());
	}

	@ParameterizedTest
	@ValueSource(strings = { "throws", "fails", "null" })
	@DisplayName("SK-54: if the function fails, the default applies")
	void decideWhenDelayCannotBeComputedTakesTheDefault(String how) {
		this.delay = (count, job, ex) -> switch (how) {
			case "throws" -> throw new IllegalStateException("no delay");
			case "fails" -> throw new NoClassDefFoundError("no delay");
			default -> null;
		};
		Retry retry = (Retry) retry().decide(job("\"x\":1"), RetryRules.DEFAULT, this.failure);
		assertThat(retry.delay()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(24));
	}

	@Test
	@DisplayName("SK-55: a job can request to be discarded, however many retries are left")
	void decideWhenJobIsToBeDiscardedForgetsIt() {
		RuntimeException discard = new DiscardJobException("gone");
		for (String fields : List.of("\"retry\":3", "\"retry\":0")) {
			Discarded discarded = (Discarded) retry().decide(job(fields), RetryRules.DEFAULT, discard);
			assertThat(discarded.kind()).isEqualTo(JobOutcome.DISCARDED);
			assertThat(discarded.failure().kind()).isEqualTo(Kind.ATTEMPT);
			assertThat(discarded.failure().cause()).isSameAs(discard);
			assertThat(discarded.failure().job().errorMessage()).isEqualTo("gone");
		}
	}

	@Test
	@DisplayName("SK-55: a job can request to be dead immediately")
	void decideWhenJobIsToBeKilledIsExhausted() {
		RuntimeException kill = new KillJobException("hopeless");
		Dead dead = (Dead) retry().decide(job("\"retry\":3"), RetryRules.DEFAULT, kill);
		assertThat(dead.failure()).isEqualTo(new Failure(read(dead.payload()), kill, Kind.EXHAUSTED));
		assertThat(read(dead.payload()).errorMessage()).isEqualTo("hopeless");
		Discarded discarded = (Discarded) retry().decide(job("\"retry\":3,\"dead\":false"), RetryRules.DEFAULT, kill);
		assertThat(discarded.failure().kind()).isEqualTo(Kind.EXHAUSTED);
	}

	@Test
	@DisplayName("SK-54: the delay function may discard or kill the job, and the reported failure is still that of the job")
	void decideWhenDelayFunctionDecidesOtherwiseDoesThat() {
		this.delay = (count, job, ex) -> {
			throw new DiscardJobException("enough");
		};
		Discarded discarded = (Discarded) retry().decide(job("\"retry\":3"), RetryRules.DEFAULT, this.failure);
		assertThat(discarded.failure().cause()).isSameAs(this.failure);
		assertThat(discarded.failure().kind()).isEqualTo(Kind.ATTEMPT);
		this.delay = (count, job, ex) -> {
			throw new KillJobException("enough");
		};
		Dead dead = (Dead) retry().decide(job("\"retry\":3"), RetryRules.DEFAULT, this.failure);
		assertThat(dead.failure()).isEqualTo(new Failure(read(dead.payload()), this.failure, Kind.EXHAUSTED));
	}

	@Test
	@DisplayName("SK-53: after its time budget a job is dead, however many retries are left")
	void decideWhenTimeToRetryIsOverIsDead() {
		long failed = NOW.minusSeconds(3600).toEpochMilli();
		String first = "\"retry\":9,\"retry_for\":3600";
		assertThat(decided(first, RetryRules.DEFAULT)).isEqualTo(JobOutcome.RETRY);
		String later = ",\"retry_count\":0,\"failed_at\":";
		assertThat(decided(first + later + failed, RetryRules.DEFAULT)).isEqualTo(JobOutcome.RETRY);
		assertThat(decided(first + later + (failed - 1), RetryRules.DEFAULT)).isEqualTo(JobOutcome.DEAD);
		assertThat(decided("\"retry\":9" + later + 5, RetryRules.DEFAULT)).isEqualTo(JobOutcome.RETRY);
		assertThat(decided("\"retry\":9" + later + 5, rules(Duration.ofDays(1), null))).isEqualTo(JobOutcome.DEAD);
	}

	@ParameterizedTest
	@CsvSource({ "true, 2147483647", "3, 4", "false, 1" })
	@DisplayName("SK-53: with only a time budget, the number of retries is unlimited")
	void maxAttemptsWhenOnlyTheTimeIsLimitedIsWithoutLimit(String retry, int attempts) {
		JobPayload job = job("\"retry\":" + retry + ",\"retry_for\":1.5");
		assertThat(retry().maxAttempts(job, RetryRules.DEFAULT)).isEqualTo(attempts);
	}

	@Test
	@DisplayName("SK-54: a job may have its own delay function, and falls back to the function for all jobs")
	void decideWhenJobHasItsOwnBackoffTakesThat() {
		RetryDelay own = RetryDelay.exactly((count, job, ex) -> Duration.ofMinutes(count + 7));
		assertThat(delay(rules(null, () -> own))).isEqualTo(Duration.ofMinutes(7));
		assertThat(delay(rules(null, () -> (count, job, ex) -> null))).isEqualTo(Duration.ofSeconds(1));
		assertThat(delay(rules(null, () -> {
			throw new IllegalStateException("no such bean");
		}))).isEqualTo(Duration.ofSeconds(1));
		assertThat(decided("\"retry\":9", rules(null, () -> (count, job, ex) -> {
			throw new KillJobException("enough");
		}))).isEqualTo(JobOutcome.DEAD);
	}

	@Test
	void decideWhenTypeOfFailureIsFinalDoesNotRetry() {
		FailureTypes types = new FailureTypes(List.of(RuntimeException.class), List.of(IllegalStateException.class),
				List.of(NumberFormatException.class));
		RetryRules rules = new RetryRules(9, JobLimits.NONE, true, null, types);
		assertThat(decided(new IllegalArgumentException(), rules)).isEqualTo(JobOutcome.RETRY);
		assertThat(decided(new IllegalStateException(), rules)).isEqualTo(JobOutcome.DEAD);
		assertThat(decided(new IOException(), rules)).isEqualTo(JobOutcome.DEAD);
		assertThat(decided(new IOException(new UnsupportedOperationException()), rules)).isEqualTo(JobOutcome.RETRY);
		assertThat(decided(new RuntimeException(new IllegalStateException()), rules)).isEqualTo(JobOutcome.DEAD);
		assertThat(decided(new RuntimeException(new NumberFormatException()), rules)).isEqualTo(JobOutcome.DISCARDED);
		assertThat(decided(new KillJobException("", new NumberFormatException()), rules)).isEqualTo(JobOutcome.DEAD);
		Exception circular = new IllegalArgumentException();
		circular.initCause(new UnsupportedOperationException(circular));
		assertThat(decided(circular, rules)).isEqualTo(JobOutcome.RETRY);
	}

	@ParameterizedTest
	@CsvSource({ ", 1, 5", "3, 1, 3", "0, 1, 0", "3, \"backtrace\":2, 2", "3, \"backtrace\":false, 0",
			", \"backtrace\":-4, 5" })
	@DisplayName("SK-51: the number of stack trace lines to keep is set by the request, the job or the worker, in this order")
	void decideWhenJobSaysHowManyLinesKeepsThose(@Nullable Integer ofJob, String ofRequest, int kept) {
		this.backtraceLines = 5;
		RetryRules rules = new RetryRules(9, new JobLimits(null, null, ofJob, null, null, null), true, null,
				RetryRules.DEFAULT.types());
		Retry retry = (Retry) retry().decide(job(ofRequest.startsWith("\"") ? ofRequest : "\"x\":1"), rules,
				this.failure);
		assertThat(read(retry.payload()).field("error_backtrace")).hasSize(kept);
	}

	private static RetryRules rules(@Nullable Duration retryFor, @Nullable Supplier<RetryDelay> backoff) {
		return new RetryRules(9, new JobLimits(retryFor, null, 0, null, null, null), true, backoff,
				RetryRules.DEFAULT.types());
	}

	private Duration delay(RetryRules rules) {
		return ((Retry) retry().decide(job("\"retry\":9"), rules, this.failure)).delay();
	}

	private JobOutcome decided(String fields, RetryRules rules) {
		return retry().decide(job(fields), rules, this.failure).kind();
	}

	private JobOutcome decided(Throwable thrown, RetryRules rules) {
		return retry().decide(job("\"retry\":9"), rules, thrown).kind();
	}

	@ParameterizedTest
	@CsvSource({ "false, DISCARDED", "true, DEAD", "null, DEAD", "0, DEAD", "'\"false\"', DEAD" })
	@DisplayName("SK-56: 'dead: false' skips the dead set")
	void decideWhenRetriesAreExhaustedKeepsTheJobUnlessItSaysOtherwise(String dead, JobOutcome expected) {
		Outcome outcome = retry().decide(job("\"retry\":0,\"dead\":" + dead), RetryRules.DEFAULT, this.failure);
		assertThat(outcome.kind()).isEqualTo(expected);
		assertThat(retry().decide(job("\"retry\":1,\"dead\":" + dead), RetryRules.DEFAULT, this.failure).kind())
			.isEqualTo(JobOutcome.RETRY);
	}

	@Test
	void decideWhenDelayIsForEverTakesTheLongestPossible() {
		this.delay = (count, job, ex) -> Duration.ofSeconds(Long.MAX_VALUE);
		assertThat(decideDelay(0)).isEqualTo(Duration.ofDays(36_500));
	}

	@ParameterizedTest
	@CsvSource({ "2147483647, dead", "-7, retry", "99999999999, retry", "'\"x\"', retry" })
	void decideWhenOthersWroteAnOddCountDecidesAllTheSame(String count, String outcome) {
		this.delay = RetryDelay.sidekiq();
		Outcome decided = retry().decide(job("\"retry_count\":" + count), RetryRules.DEFAULT, this.failure);
		assertThat(decided.kind().name()).isEqualToIgnoringCase(outcome);
	}

	private static final String HEAD = "\"jid\":\"id\",\"class\":\"c\",\"args\":[]";

	private JobPayload job(String fields) {
		return this.codec.read(("{" + HEAD + "," + fields + "}").getBytes());
	}

	private JobRetry retry() {
		return new JobRetry(this.delay, this.codec, Clock.fixed(NOW, ZoneOffset.UTC), DEFAULT_RETRIES,
				this.backtraceLines);
	}

	private JobPayload read(byte[] payload) {
		return this.codec.read(payload);
	}

	private static String text(byte[] payload) {
		return new String(payload, java.nio.charset.StandardCharsets.UTF_8);
	}

}
