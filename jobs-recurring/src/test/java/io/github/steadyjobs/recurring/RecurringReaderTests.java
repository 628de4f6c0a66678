package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobDefinitionException;
import io.github.steadyjobs.definition.JobRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RecurringReader}.
 */
class RecurringReaderTests {

	private static final String NAME = "Report.build";

	@Test
	void readTakesWhatTheAnnotationSays() {
		List<RecurringJob> found = read(Map.of(), (text) -> text.replace("${zone}", "Europe/Berlin"), new Report());
		Schedule schedule = Schedule.cron("0 0 3 * * *", ZoneId.of("Europe/Berlin"))
			.from(Instant.parse("2026-11-30T23:00:00Z"))
			.until(Instant.parse("2027-01-01T00:00:00Z"))
			.jitter(Duration.ofSeconds(30));
		assertThat(found)
			.containsExactly(new RecurringJob(NAME, NAME, "reports", schedule, Missed.RUN_ALL, 3, Overlap.ALLOW));
	}

	@Test
	void readTakesSeveralOfOneMethodAndThoseOnAClass() {
		assertThat(read(Map.of(), UnaryOperator.identity(), new Twice(), new OnClass())).extracting(RecurringJob::name)
			.containsExactly("OnClass", "twice.day", "twice.night");
	}

	@Test
	void readWhenConfigurationSaysOtherwiseTakesThat() {
		Map<String, Map<String, String>> overrides = Map.of(NAME,
				Map.of("every", "10m", "missed", "skip", "overlap", "queue-one", "jitter", "", "zone", "UTC"));
		assertThat(read(overrides, UnaryOperator.identity(), new Report()))
			.containsExactly(new RecurringJob(NAME, NAME, "reports",
					Schedule.every(Duration.ofMinutes(10))
						.from(Instant.parse("2026-12-01T00:00:00Z"))
						.until(Instant.parse("2027-01-01T00:00:00Z")),
					Missed.SKIP, 0, Overlap.QUEUE_ONE));
	}

	@ParameterizedTest
	@CsvSource({ "cron", "every" })
	void readWhenSwitchedOffLeavesItOut(String attribute) {
		assertThat(read(Map.of(NAME, Map.of(attribute, "-")), UnaryOperator.identity(), new Report())).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			value = { "cron|0 0 25 * * *|'25' at position 5, for hours", "zone|Mars|'zone' must be the name of a zone",
					"every|0s|'every' must be 1 s or more", "every|10|'every' must be a time with its unit",
					"missed|run-all|1 to 1,000", "missed|maybe|'missed' must be one of", "at-most|5|",
					"overlap|maybe|'overlap' must be one of [SKIP, ALLOW, QUEUE_ONE], but is 'maybe'",
					"from|soon|'from' must be a time such as", "until|2020-01-01|'from' must not be after 'until'",
					"jitter|3d|'jitter' must be 1 ms or more" })
	void readWhenAttributeCannotBeSoSaysWhich(String attribute, String value, String text) {
		Map<String, String> override = attribute.equals("missed") ? Map.of("missed", value, "at-most", "")
				: attribute.equals("at-most") ? Map.of("missed", "skip", "at-most", value) : Map.of(attribute, value);
		assertRefused((text != null) ? text : "'atMost' is for RUN_ALL", Map.of(NAME, override), new Report());
	}

	@Test
	void readWhenBothOrNeitherAreSetSaysSo() {
		assertRefused("'cron' is '0 0 3 * * *' and 'every' is '1h'",
				Map.of(NAME, Map.of("cron", "0 0 3 * * *", "every", "1h")), new Report());
		assertRefused("neither 'cron' nor 'every' is set", Map.of(), new Neither());
	}

	@Test
	void readWhenJobCannotRecurSaysWhy() {
		assertRefused("but a tick has no arguments", Map.of(), new WithArgument());
		assertRefused("is @Recurring and @Sequential", Map.of(), new Ordered());
	}

	@Test
	void readWhenTwoHaveOneNameNamesBoth() {
		assertRefused("the same method again", Map.of(), new SameTwice());
		assertThatExceptionOfType(JobDefinitionException.class)
			.isThrownBy(() -> read(Map.of(), UnaryOperator.identity(), new Twice(), new Other()))
			.withMessageContaining("twice.day")
			.withMessageContaining("Twice.run")
			.withMessageContaining("Other");
	}

	@Test
	void readWhenNameCannotBeOrNobodyHasItSaysSo() {
		assertRefused("under the name 'a b'", Map.of(), new BadName());
		assertRefused("'steadyjobs.recurring.nobody' configures a recurring job that no bean declares",
				Map.of("nobody", Map.of("cron", "-")), new Report());
	}

	@Test
	void readWhenNameIsSpeltAsInAnEnvironmentVariableFindsIt() {
		assertThat(read(Map.of("report.build", Map.of("every", "10m"), NAME, Map.of("jitter", "")),
				(text) -> text.replace("${zone}", "UTC"), new Report()))
			.singleElement()
			.satisfies((job) -> assertThat(job.schedule().every()).isEqualTo(Duration.ofMinutes(10)))
			.satisfies((job) -> assertThat(job.schedule().jitter()).isZero());
		assertThat(read(Map.of("report.build", Map.of("cron", "0 0 4 * * *"), NAME, Map.of("cron", "0 0 5 * * *")),
				(text) -> text.replace("${zone}", "UTC"), new Report()))
			.singleElement()
			.satisfies((job) -> assertThat(job.schedule().cron()).isEqualTo("0 0 5 * * *"));
		assertRefused("'steadyjobs.recurring.twiceday' may mean any of these recurring jobs: [twice-day, twice.day]",
				Map.of("twiceday", Map.of("cron", "-")), new Alike());
	}

	@Test
	void readWhenMethodOverridesAnotherTakesItsOwn() {
		assertThat(read(Map.of(), UnaryOperator.identity(), new Heir())).singleElement()
			.satisfies((job) -> assertThat(job.schedule().every()).isEqualTo(Duration.ofDays(1)));
		assertThat(read(Map.of(), UnaryOperator.identity(), new MuteHeir())).singleElement()
			.satisfies((job) -> assertThat(job.schedule().every()).isEqualTo(Duration.ofHours(1)));
	}

	private static void assertRefused(String text, Map<String, Map<String, String>> overrides, Object bean) {
		assertThatExceptionOfType(JobDefinitionException.class)
			.isThrownBy(() -> read(overrides, (value) -> value.replace("${zone}", "UTC"), bean))
			.withMessageContaining(text)
			.satisfies((ex) -> assertThat(ex.problems()).hasSize(1));
	}

	private static List<RecurringJob> read(Map<String, Map<String, String>> overrides,
			UnaryOperator<String> placeholders, Object... beans) {
		DefaultListableBeanFactory factory = new DefaultListableBeanFactory();
		List.of(beans).forEach((bean) -> factory.registerSingleton(bean.getClass().getSimpleName(), bean));
		return new RecurringSettings("", null, overrides, placeholders, Duration.ofMinutes(1))
			.declared(new JobRegistry(factory, Map.of(), IdempotenceDefaults.STANDARD, JobJson.builder().build()));
	}

	static class Base {

		@Job(name = "sweep")
		@Recurring(every = "1h")
		void sweep() {
		}

	}

	static class Heir extends Base {

		@Override
		@Job(name = "sweep")
		@Recurring(every = "1d")
		void sweep() {
		}

	}

	static class MuteHeir extends Base {

		@Override
		void sweep() {
		}

	}

	static class Alike {

		@Job
		@Recurring(name = "twice-day", every = "1h")
		@Recurring(name = "twice.day", every = "2h")
		void run() {
		}

	}

	static class Report {

		@Job(queue = "reports")
		@Recurring(cron = "0 0 3 * * *", zone = "${zone}", from = "2026-12-01", until = "2027-01-01T00:00:00Z",
				jitter = "30s", missed = Missed.RUN_ALL, atMost = 3, overlap = Overlap.ALLOW)
		void build(JobContext job) {
		}

	}

	static class Twice {

		@Job
		@Recurring(name = "twice.day", cron = "0 0 12 * * *")
		@Recurring(name = "twice.night", cron = "0 0 0 * * *")
		void run() {
		}

	}

	@Job
	@Recurring(every = "1h")
	static class OnClass {

		public void perform() {
		}

	}

	static class Neither {

		@Job
		@Recurring
		void run() {
		}

	}

	static class WithArgument {

		@Job
		@Recurring(every = "1h")
		void run(int number) {
		}

	}

	static class Ordered {

		@Job
		@Sequential(key = "#p0")
		@Recurring(every = "1h")
		void run(String payload) {
		}

	}

	static class SameTwice {

		@Job
		@Recurring(every = "1h")
		@Recurring(every = "2h")
		void run() {
		}

	}

	static class Other {

		@Job
		@Recurring(name = "twice.day", every = "1h")
		void run() {
		}

	}

	static class BadName {

		@Job
		@Recurring(name = "a b", every = "1h")
		void run() {
		}

	}

}
