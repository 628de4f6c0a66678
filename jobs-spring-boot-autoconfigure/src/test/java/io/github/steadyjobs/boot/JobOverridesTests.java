package io.github.steadyjobs.boot;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.definition.JobOption;
import io.github.steadyjobs.definition.JobSettings;
import io.github.steadyjobs.pause.PauseGate.Limit;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.server.WorkerSettings.Thresholds;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.definition.JobOption.BACKOFF;
import static io.github.steadyjobs.definition.JobOption.BACKTRACE;
import static io.github.steadyjobs.definition.JobOption.BATCH_SIZE;
import static io.github.steadyjobs.definition.JobOption.DEAD;
import static io.github.steadyjobs.definition.JobOption.DEDUPLICATE;
import static io.github.steadyjobs.definition.JobOption.EXPIRES;
import static io.github.steadyjobs.definition.JobOption.IDEMPOTENCE_STRATEGY;
import static io.github.steadyjobs.definition.JobOption.IDEMPOTENCE_TTL;
import static io.github.steadyjobs.definition.JobOption.IF_DUPLICATE;
import static io.github.steadyjobs.definition.JobOption.INCLUDE_SCHEDULED;
import static io.github.steadyjobs.definition.JobOption.KEEP_CONSISTENCY;
import static io.github.steadyjobs.definition.JobOption.QUEUE;
import static io.github.steadyjobs.definition.JobOption.RETRIES;
import static io.github.steadyjobs.definition.JobOption.RETRY_FOR;
import static io.github.steadyjobs.definition.JobOption.RETRY_QUEUE;
import static io.github.steadyjobs.definition.JobOption.SHARDS;
import static io.github.steadyjobs.definition.JobOption.TAGS;
import static io.github.steadyjobs.definition.JobOption.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JobOverrides}.
 */
class JobOverridesTests {

	private static final int[] THREE = { 3 };

	@Test
	void readWhenNameHasDotsTakesTheLastPartAsAttribute() {
		assertRead(Map.of("InvoiceJobs.send", Map.of(QUEUE, "mail", RETRIES, THREE), "a", Map.of(RETRIES, new int[1])),
				"steadyjobs.jobs.InvoiceJobs.send.queue=mail", "steadyjobs.jobs.InvoiceJobs.send.retries=3",
				"steadyjobs.jobs.a.retries=0");
	}

	@Test
	void readWhenJobIsNotToBeKeptDeadSaysSo() {
		assertRead(Map.of("a", Map.of(RETRIES, THREE, DEAD, false), "b", Map.of(DEAD, true)),
				"steadyjobs.jobs.a.dead=false", "steadyjobs.jobs.a.retries=3", "steadyjobs.jobs.b.dead=true");
	}

	@Test
	void readWhenYamlIsNestedFindsTheName() {
		assertRead(Map.of("InvoiceJobs.send", Map.of(QUEUE, "mail", RETRIES, THREE), "InvoiceJobs.post",
				Map.of(QUEUE, "money"), "invoice_jobs.remind", Map.of(RETRIES, THREE)), Bound.yaml("""
						steadyjobs:
						  jobs:
						    InvoiceJobs:
						      send: { queue: mail, retries: 3 }
						    InvoiceJobs.post:
						      queue: money
						    invoice_jobs.remind.retries: 3
						"""));
	}

	@Test
	@DisplayName("GL-20: the lifetime of a lock can be set per job")
	void readWhenJobIsToBeDeduplicatedInAnotherWaySaysHow() {
		assertRead(
				Map.of("Mails.send",
						Map.of(IDEMPOTENCE_STRATEGY, Strategy.UNTIL_EXECUTED, IDEMPOTENCE_TTL, "5m", IF_DUPLICATE,
								IfDuplicate.RUN_ONCE_MORE, INCLUDE_SCHEDULED, true, KEEP_CONSISTENCY, false,
								DEDUPLICATE, false)),
				"steadyjobs.jobs.Mails.send.idempotence-strategy=until-executed",
				"steadyjobs.jobs.Mails.send.idempotence-ttl=5m",
				"steadyjobs.jobs.Mails.send.if-duplicate=run-once-more",
				"steadyjobs.jobs.Mails.send.include-scheduled=true",
				"steadyjobs.jobs.Mails.send.keep-consistency=false", "steadyjobs.jobs.Mails.send.deduplicate=false");
	}

	@Test
	void readWhenJobIsOrderedTakesBatchSizeAndShards() {
		assertRead(Map.of("Orders.handle", Map.of(BATCH_SIZE, 10, SHARDS, 1024)),
				"steadyjobs.jobs.Orders.handle.batch-size=10", "steadyjobs.jobs.Orders.handle.shards=1024");
	}

	@Test
	void readWhenJobIsToBeTriedInAnotherWaySaysHow() {
		assertRead(
				Map.of("a",
						Map.of(RETRY_FOR, "2d", RETRY_QUEUE, "slow", BACKTRACE, THREE, BACKOFF, "#count * 10", EXPIRES,
								"10m", TIMEOUT, "90s", TAGS, new String[] { "x", "y" })),
				"steadyjobs.jobs.a.retry-for=2d", "steadyjobs.jobs.a.retry-queue=slow", "steadyjobs.jobs.a.backtrace=3",
				"steadyjobs.jobs.a.backoff=#count * 10", "steadyjobs.jobs.a.expires=10m",
				"steadyjobs.jobs.a.timeout=90s", "steadyjobs.jobs.a.tags=x, y");
	}

	@Test
	@DisplayName("SK-47: 'retries' is a number, true for the default, or false for no retries")
	void readWhenRetriesAreSwitchedOnOrOffSaysSo() {
		assertRead(Map.of("a", Map.of(RETRIES, new int[0]), "b", Map.of(RETRIES, new int[1])),
				"steadyjobs.jobs.a.retries=true", "steadyjobs.jobs.b.retries=false");
	}

	@Test
	void thresholdsWhenSetForAJobReplaceThoseOfAll() {
		JobsProperties properties = Bound.properties("steadyjobs.runs.slow-after=10s",
				"steadyjobs.jobs.Mails.send.slow-after=1m", "steadyjobs.jobs.Reports.monthly.stuck-after=0s",
				"steadyjobs.jobs.Mails.send.queue=mail");
		assertThat(properties.runs().oversight("", "", properties.jobs()).ofJobs()).containsOnly(
				Map.entry("Mails.send", new Thresholds(Duration.ofMinutes(1), Duration.ofHours(1))),
				Map.entry("Reports.monthly", new Thresholds(Duration.ofSeconds(10), Duration.ZERO)));
		assertThatException().isThrownBy(() -> JobOverrides.jobs(Map.of("Mails.send.slow-after", "-1s")))
			.withMessage("'steadyjobs.jobs.Mails.send.slow-after' is '-1s'. Set it to a time with its unit, as in "
					+ "'90s' or '10m', or to '0s' for no reports.");
	}

	@Test
	void readWhenJobHasABreakerLeavesItToBreakers() {
		JobsProperties properties = Bound.yaml("""
				steadyjobs:
				  queues.mail.breaker: 5, 2s, 1h
				  jobs:
				    InvoiceJobs.send: { breaker: "10,1m,30s", retries: 1 }
				    InvoiceJobs.post.retries: 1
				""");
		assertThat(BreakerSpec.readAll(properties))
			.isEqualTo(Map.of(Target.queue("mail"), new Limit(5, Duration.ofSeconds(2), Duration.ofHours(1)),
					Target.job("InvoiceJobs.send"), new Limit(10, Duration.ofMinutes(1), Duration.ofSeconds(30))));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "10", "0,1m,1m", "10001,1m,1m", "10,1,1m", "10,0s,1m", "10,1m,0s", "10,1m,1x",
			"10,1m,-1s", "10,1m,1m,1m" })
	void readWhenBreakerCannotBeReadSaysHow(String value) {
		assertThatExceptionOfType(JobsPropertyException.class)
			.isThrownBy(() -> BreakerSpec.parse("steadyjobs.queues.mail.breaker", value))
			.withMessageStartingWith(
					"'steadyjobs.queues.mail.breaker' is '" + value + "'. Set it to a number of failures");
	}

	@ParameterizedTest
	@ValueSource(strings = { "if-duplicate=drop", "ifDuplicate=DROP", "if_duplicate=Drop", "IFDUPLICATE=drop" })
	void readWhenAttributeIsSpeltInAnotherWayFindsIt(String line) {
		assertRead(Map.of("a", Map.of(IF_DUPLICATE, IfDuplicate.DROP)), "steadyjobs.jobs.a." + line);
	}

	@Test
	void readWhenVariableOfTheEnvironmentSetsItFindsIt() {
		assertRead(Map.of("a", Map.of(IDEMPOTENCE_TTL, "90s")),
				Bound.environment(Map.of("STEADYJOBS_JOBS_A_IDEMPOTENCETTL", "90s")));
	}

	@Test
	void readWhenNameHasOtherCharactersFindsItInBrackets() {
		assertRead(Map.of("invoice/send:now", Map.of(QUEUE, "mail")), "steadyjobs.jobs[invoice/send\\:now].queue=mail");
	}

	@Test
	void readWhenNameEndsLikeAnAttributeTakesTheLastPartAsAttribute() {
		assertRead(Map.of("Jobs.queue", Map.of(RETRIES, THREE)), "steadyjobs.jobs.Jobs.queue.retries=3");
	}

	@Test
	void readWhenValueIsAPlaceholderResolvesIt() {
		assertRead(Map.of("a", Map.of(QUEUE, "mail", RETRIES, THREE)), "where=mail", "steadyjobs.jobs.a.queue=${where}",
				"steadyjobs.jobs.a.retries=${how.often:3}");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					steadyjobs.jobs.a.foo=1         | 'steadyjobs.jobs.a.foo' is '1'. A job has no attribute 'foo'. Use 'queue', 'retries', 'retry-for', 'retry-queue', 'dead', 'backtrace', 'backoff', 'expires', 'timeout', 'tags', 'deduplicate', 'batch-size', 'shards', 'idempotence-strategy', 'idempotence-ttl', 'if-duplicate', 'include-scheduled', 'keep-consistency', 'slow-after', 'stuck-after' or 'breaker'.
					steadyjobs.jobs.queue=mail      | 'steadyjobs.jobs.queue' is 'mail'. Name a job and an attribute of it, as in 'steadyjobs.jobs.InvoiceJobs.send.queue'.
					steadyjobs.jobs.a.retries=many  | 'steadyjobs.jobs.a.retries' is 'many'. Set it to a whole number, 0 or more; in configuration, 'true' is for 'steadyjobs.retry.max' and 'false' for none.
					steadyjobs.jobs.a.retries=-1    | 'steadyjobs.jobs.a.retries' is '-1'. Set it to a whole number, 0 or more; in configuration, 'true' is for 'steadyjobs.retry.max' and 'false' for none.
					steadyjobs.jobs.a.retries=1.5   | 'steadyjobs.jobs.a.retries' is '1.5'. Set it to a whole number, 0 or more; in configuration, 'true' is for 'steadyjobs.retry.max' and 'false' for none.
					steadyjobs.jobs.a.retries=      | 'steadyjobs.jobs.a.retries' is ''. Set it to a whole number, 0 or more; in configuration, 'true' is for 'steadyjobs.retry.max' and 'false' for none.
					steadyjobs.jobs.a.retry-for=2 | 'steadyjobs.jobs.a.retry-for' is '2'. Set it to a time of 1 ms or more and less than 100,000 years, with its unit, as in 90s, 10m, 6h, 7d or PT6H.
					steadyjobs.jobs.a.expires=0s | 'steadyjobs.jobs.a.expires' is '0s'. Set it to a time of 1 ms or more and less than 100,000 years, with its unit, as in 90s, 10m, 6h, 7d or PT6H.
					steadyjobs.jobs.a.timeout=-1s | 'steadyjobs.jobs.a.timeout' is '-1s'. Set it to a time of 1 ms or more and less than 100,000 years, with its unit, as in 90s, 10m, 6h, 7d or PT6H.
					steadyjobs.jobs.a.backtrace=all | 'steadyjobs.jobs.a.backtrace' is 'all'. Set it to a whole number of lines, 0 for none.
					steadyjobs.jobs.a.dead=no       | 'steadyjobs.jobs.a.dead' is 'no'. Set it to 'true' to keep the job when it is dead, or to 'false' to discard it.
					steadyjobs.jobs.a.deduplicate=off | 'steadyjobs.jobs.a.deduplicate' is 'off'. Set it to 'true' to drop duplicates as the job says, or to 'false' to drop none of them.
					steadyjobs.jobs.a.idempotence-ttl=0s    | 'steadyjobs.jobs.a.idempotence-ttl' is '0s'. Set it to a time of 1 ms or more and less than 100,000 years, with its unit, as in 90s, 10m, 6h, 7d or PT6H.
					steadyjobs.jobs.a.idempotence-ttl=-6h   | 'steadyjobs.jobs.a.idempotence-ttl' is '-6h'. Set it to a time of 1 ms or more and less than 100,000 years, with its unit, as in 90s, 10m, 6h, 7d or PT6H.
					steadyjobs.jobs.a.idempotence-ttl=90    | 'steadyjobs.jobs.a.idempotence-ttl' is '90'. Set it to a time of 1 ms or more and less than 100,000 years, with its unit, as in 90s, 10m, 6h, 7d or PT6H.
					steadyjobs.jobs.a.idempotence-ttl=long  | 'steadyjobs.jobs.a.idempotence-ttl' is 'long'. Set it to a time of 1 ms or more and less than 100,000 years, with its unit, as in 90s, 10m, 6h, 7d or PT6H.
					steadyjobs.jobs.a.idempotence-ttl=      | 'steadyjobs.jobs.a.idempotence-ttl' is ''. Set it to a time of 1 ms or more and less than 100,000 years, with its unit, as in 90s, 10m, 6h, 7d or PT6H.
					steadyjobs.jobs.a.idempotence-strategy=never   | 'steadyjobs.jobs.a.idempotence-strategy' is 'never'. Use 'until-executing', 'until-executed', 'while-executing' or 'within'.
					steadyjobs.jobs.a.idempotence-strategy=default | 'steadyjobs.jobs.a.idempotence-strategy' is 'default'. Use 'until-executing', 'until-executed', 'while-executing' or 'within'.
					steadyjobs.jobs.a.if-duplicate=retry    | 'steadyjobs.jobs.a.if-duplicate' is 'retry'. Use 'drop' or 'run-once-more'.
					steadyjobs.jobs.a.include-scheduled=no  | 'steadyjobs.jobs.a.include-scheduled' is 'no'. Set it to 'true' to let scheduled jobs take part in deduplication, or to 'false' to leave them out.
					steadyjobs.jobs.a.keep-consistency=1    | 'steadyjobs.jobs.a.keep-consistency' is '1'. Set it to 'true' to let the job see data as new as when it was enqueued, or to 'false' to accept older data.
					steadyjobs.jobs.a.batch-size=0    | 'steadyjobs.jobs.a.batch-size' is '0'. Set it to 1 to 1000, the number of keys.
					steadyjobs.jobs.a.batch-size=1001 | 'steadyjobs.jobs.a.batch-size' is '1001'. Set it to 1 to 1000, the number of keys.
					steadyjobs.jobs.a.batch-size=all  | 'steadyjobs.jobs.a.batch-size' is 'all'. Set it to 1 to 1000, the number of keys.
					steadyjobs.jobs.a.shards=0        | 'steadyjobs.jobs.a.shards' is '0'. Set it to 1 to 1024.
					steadyjobs.jobs.a.shards=1025     | 'steadyjobs.jobs.a.shards' is '1025'. Set it to 1 to 1024.
					steadyjobs.jobs.a.queue=b c     | 'steadyjobs.jobs.a.queue' is 'b c'. Use 1 to 64 of the characters A-Za-z0-9_.- and no '-' at the start as the name of the queue.
					steadyjobs.jobs.a.retry-queue=b c | 'steadyjobs.jobs.a.retry-queue' is 'b c'. Use 1 to 64 of the characters A-Za-z0-9_.- and no '-' at the start as the name of the queue.
					steadyjobs.jobs.a.queue=${gone} | 'steadyjobs.jobs.a.queue' is '${gone}'. Use 1 to 64 of the characters A-Za-z0-9_.- and no '-' at the start as the name of the queue.
					""")
	void readWhenPropertyIsBadSaysWhatToType(String line, String message) {
		assertThatExceptionOfType(JobsPropertyException.class)
			.isThrownBy(() -> JobOverrides.jobs(Bound.properties(line).jobs()))
			.withMessage(message);
	}

	private static void assertRead(Map<String, Map<JobOption, Object>> expected, String... lines) {
		assertRead(expected, Bound.properties(lines));
	}

	private static void assertRead(Map<String, Map<JobOption, Object>> expected, JobsProperties properties) {
		Map<String, JobSettings> settings = new HashMap<>();
		expected.forEach((job, values) -> settings.put(job, new JobSettings(values)));
		assertThat(JobOverrides.jobs(properties.jobs())).usingRecursiveComparison().isEqualTo(settings);
	}

}
