package io.github.steadyjobs.definition;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobLimits;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.Sequential;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the options that a {@link Job} declares for its runs and retries, and for
 * options that are refused.
 */
@ExtendWith(OutputCaptureExtension.class)
class JobOptionsTests {

	private static final JobPayload PAYLOAD = JobsContext.payload("Mails.send", "[]");

	private static final Throwable FAILURE = new IOException("broken");

	@Test
	void readWhenJobSaysNothingHasNoLimits() {
		try (JobsContext context = JobsContext.of(Plain.class)) {
			JobDefinition job = context.job("Plain.run");
			assertThat(job.retry()).isEqualTo(RetryRules.DEFAULT);
			assertThat(job.tags()).isEmpty();
		}
	}

	@Test
	void readWhenJobSaysAllTakesAll() {
		try (JobsContext context = JobsContext.withProperties(Map.of("time", "90s"), Mails.class)) {
			JobDefinition job = context.job("Mails.send");
			assertThat(job.retry().limits()).isEqualTo(new JobLimits(Duration.ofDays(2), "slow-90s", 20,
					Duration.ofMinutes(10), null, Duration.ofSeconds(90)));
			assertThat(job.tags()).containsExactly("mail", "90s");
			assertThat(job.retry().types().excludes()).containsExactly(IOException.class);
			assertThat(job.retry().types().includes()).containsExactly(Exception.class);
			assertThat(job.retry().types().discards()).containsExactly(IllegalStateException.class);
			assertThat(delay(job, 3)).isEqualTo(Duration.ofSeconds(30));
		}
	}

	@Test
	void readWhenConfigurationOverridesTakesThat() {
		JobSettings settings = JobSettings.NONE.with("retry-for", "1h")
			.with("retry-queue", "night")
			.with("backtrace", "0")
			.with("backoff", "#count * 2")
			.with("expires", "1d")
			.with("timeout", "1m")
			.with("tags", "");
		try (JobsContext context = JobsContext.withSettings(Map.of("Mails.send", settings), Mails.class)) {
			JobDefinition job = context.job("Mails.send");
			assertThat(job.retry().limits()).isEqualTo(
					new JobLimits(Duration.ofHours(1), "night", 0, Duration.ofDays(1), null, Duration.ofMinutes(1)));
			assertThat(job.tags()).isEmpty();
			assertThat(delay(job, 3)).isEqualTo(Duration.ofSeconds(6));
		}
	}

	@Test
	@DisplayName("SK-54: a bean may determine the retry delay of a job")
	void readWhenBackoffIsABeanAsksIt(CapturedOutput output) {
		try (JobsContext context = JobsContext.of(Slow.class)) {
			assertThat(delay(context.job("Slow.run"), 3)).isEqualTo(Duration.ofHours(3));
			assertThat(output).doesNotContain("decides for all jobs");
		}
	}

	@Test
	void readWhenBackoffIsTheOnlyBeanWarnsOnceThatItCountsForAllJobs(CapturedOutput output) {
		JobsContext.of(SlowForAll.class).close();
		assertThat(output.getOut().split("decides for all jobs")).hasSize(2);
		assertThat(output).contains("names the RetryDelay 'hourly'", "@Bean(defaultCandidate = false)");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "#count * 10                            | 20000", "#count + 0.5                           | 2500",
					"#count < 5 ? '30s' : 'KILL'            | 30000", "#failure.message.length()              | 6000",
					"#job.attempts() == 0 ? '1m' : '1h'     | 60000" })
	@DisplayName("SK-54: an expression may determine the retry delay of a job")
	void delayWhenExpressionIsATimeTakesThat(String text, long millis) {
		assertThat(expression(text).delay(2, PAYLOAD, FAILURE)).isEqualTo(Duration.ofMillis(millis));
	}

	@Test
	@DisplayName("SK-55: an expression may discard or kill the job")
	void delayWhenExpressionSaysSoDiscardsOrKills() {
		RetryDelay backoff = expression("#count > 2 ? 'DISCARD' : 'KILL'");
		assertThatExceptionOfType(DiscardJobException.class).isThrownBy(() -> backoff.delay(3, PAYLOAD, FAILURE));
		assertThatExceptionOfType(KillJobException.class).isThrownBy(() -> backoff.delay(2, PAYLOAD, FAILURE));
	}

	@ParameterizedTest
	@ValueSource(strings = { "#count > 0", "'kill' + #count", "#count == 0 ? 1 : null" })
	void delayWhenExpressionHasAnotherValueFails(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> expression(text).delay(2, PAYLOAD, FAILURE))
			.withMessageContaining("is neither a time nor a number of seconds, 'DISCARD' or 'KILL'");
	}

	@Test
	void collectWhenOptionsAreImpossibleNamesOptionValueAndJob() {
		String job = "Job 'Wrong.run' (" + Wrong.class.getName() + ".run)";
		assertThat(JobsContext.problemsOf(Wrong.class)).extracting(JobDefinitionException.Problem::description)
			.containsExactlyInAnyOrder(job + " has backtrace = -1.", job + " has retryFor = '2'.",
					job + " has retryQueue = 'a b'.",
					job + " has the backoff 'nobody', which is neither a bean nor a time nor, without a '#', an expression.",
					job + " has java.io.IOException among its discards and among its excludes.",
					job + " has expires = 'soon'.", job + " has timeout = '0s'.", job + " has an empty tag.");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "#count *                   | which is not an expression",
					"#tries * 2                 | which refers to '#tries', an unknown variable",
					"T(Math).max(#count, 1)     | which has 'T(Math)' in it",
					"@slow.of(#count)           | which has '@slow' in it",
					"new String(#count)         | which has 'new String(",
					"wrong                      | which is a bean of type" })
	void collectWhenBackoffIsImpossibleSaysWhy(String backoff, String why) {
		JobSettings settings = JobSettings.NONE.with("backoff", backoff);
		assertThat(JobsContext
			.problemsOf(() -> JobsContext.withSettings(Map.of("Plain.run", settings), Plain.class, WrongBean.class)))
			.singleElement()
			.satisfies((problem) -> assertThat(problem.description()).startsWith("Job 'Plain.run'")
				.contains("has the backoff '%s', %s".formatted(backoff, why)));
	}

	@Test
	void collectWhenOrderedJobExpiresRefuses() {
		assertThat(JobsContext.problemsOf(Ordered.class)).singleElement()
			.satisfies((problem) -> assertThat(problem.description()).contains("'Ordered.run'",
					"is @Sequential and expires after PT10M"));
	}

	@Test
	void collectWhenOrderedJobIsToBeRetriedElsewhereRefuses() {
		JobSettings settings = JobSettings.NONE.with("retry-queue", "slow");
		assertThat(JobsContext
			.problemsOf(() -> JobsContext.withSettings(Map.of("OrderedPlain.run", settings), OrderedPlain.class)))
			.singleElement()
			.satisfies((problem) -> assertThat(problem.description()).contains("'OrderedPlain.run'",
					"is @Sequential and has retryQueue = 'slow'"));
		assertThat(JobsContext.problemsOf(OrderedElsewhere.class)).hasSize(1);
	}

	@Test
	void collectWhenQueueForRetriesIsThatOfAnOrderedJobRefuses() {
		JobSettings settings = JobSettings.NONE.with("retry-queue", "OrderedPlain.run");
		assertThat(JobsContext
			.problemsOf(() -> JobsContext.withSettings(Map.of("Plain.run", settings), Plain.class, OrderedPlain.class)))
			.singleElement()
			.satisfies((problem) -> assertThat(problem.description()).contains("job Plain.run",
					"is to be retried in its queue 'OrderedPlain.run'"));
	}

	private static Duration delay(JobDefinition job, int count) {
		return Objects.requireNonNull(job.retry().backoff()).get().delay(count, PAYLOAD, FAILURE);
	}

	private static RetryDelay expression(String text) {
		JobSettings settings = JobSettings.NONE.with("backoff", text);
		try (JobsContext context = JobsContext.withSettings(Map.of("Plain.run", settings), Plain.class)) {
			return Objects.requireNonNull(context.job("Plain.run").retry().backoff()).get();
		}
	}

	static class Plain {

		@Job
		void run() {
		}

	}

	static class Mails {

		@Job(retryFor = "2d", retryQueue = "slow-${time:1h}", includes = Exception.class, excludes = IOException.class,
				discards = IllegalStateException.class, backoff = "30s", backtrace = 20, expires = "10m",
				timeout = "${time:1h}", tags = { "mail", "${time:1h}" })
		void send() {
		}

	}

	static class Slow {

		@Job(backoff = "hourly")
		void run() {
		}

		@Bean(defaultCandidate = false)
		RetryDelay hourly() {
			return (count, job, failure) -> Duration.ofHours(count);
		}

	}

	static class SlowForAll {

		@Job(backoff = "hourly")
		void run() {
		}

		@Bean
		RetryDelay hourly() {
			return (count, job, failure) -> Duration.ofHours(count);
		}

	}

	static class WrongBean {

		@Bean
		String wrong() {
			return "no back-off";
		}

	}

	static class Wrong {

		@Job(retryFor = "2", retryQueue = "a b", excludes = IOException.class, discards = IOException.class,
				backoff = "nobody", backtrace = -1, expires = "soon", timeout = "0s", tags = " ")
		void run() {
		}

	}

	static class OrderedPlain {

		@Job
		@Sequential(key = "#p0")
		void run(String key) {
		}

	}

	static class OrderedElsewhere {

		@Job(retryQueue = "slow")
		@Sequential(key = "#p0")
		void run(String key) {
		}

	}

	static class Ordered {

		@Job(expires = "10m")
		@Sequential(key = "#p0")
		void run(String key) {
		}

	}

}
