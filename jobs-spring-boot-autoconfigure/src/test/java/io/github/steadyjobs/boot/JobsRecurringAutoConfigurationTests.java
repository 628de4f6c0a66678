package io.github.steadyjobs.boot;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.client.PreparingJobClient;
import io.github.steadyjobs.definition.JobDefinitionException;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.RecurringMetrics;
import io.github.steadyjobs.recurring.RecurringSettings;
import io.github.steadyjobs.recurring.RecurringWorker;
import io.github.steadyjobs.server.JobExecution;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests for the configuration of recurring jobs, and for mistakes in it, without a Redis.
 */
@ExtendWith(OutputCaptureExtension.class)
class JobsRecurringAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
				JobsAdminAutoConfiguration.class, JobsRecurringAutoConfiguration.class,
				JobsWorkerAutoConfiguration.class, JobsMetricsAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1", "spring.application.name=shop",
				"steadyjobs.worker.auto-startup=false");

	@Test
	void beansWhenThereAreWorkersAreThere() {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			assertThat(context).hasSingleBean(RecurringJobs.class)
				.hasSingleBean(RecurringWorker.class)
				.hasSingleBean(RecurringMetrics.class)
				.hasSingleBean(JobClient.class)
				.hasSingleBean(PreparingJobClient.class);
		});
	}

	@Test
	void beansWhenWorkerIsSwitchedOffAreThoseOfOperators() {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false")
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasSingleBean(RecurringJobs.class)
				.doesNotHaveBean(RecurringWorker.class)
				.doesNotHaveBean(RecurringMetrics.class));
	}

	@Test
	void beansWhenMicrometerIsAbsentAreThere() {
		this.runner.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasSingleBean(RecurringWorker.class));
	}

	@Test
	void beansWhenAnInterceptorUsesTheAdministrationFormNoCircle() {
		this.runner.withBean(AdministratingInterceptor.class)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RecurringWorker.class));
	}

	@Test
	void clientWhenApplicationHasAnotherStaysTheOnlyOne() {
		JobClient own = mock(JobClient.class);
		this.runner.withBean(JobClient.class, () -> own).run((context) -> {
			assertThat(context.getBean(JobClient.class)).isSameAs(own);
			assertThat(context).hasSingleBean(RecurringWorker.class);
		});
	}

	@Test
	void workerWhenInitializationIsLazyReadsAnnotationsAtTheStart() {
		assertProblem(this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			// A real execution would create the worker, which is one of its listeners,
			// even if the worker were lazy.
			.withBean(JobExecution.class, () -> mock(JobExecution.class))
			.withBean(NoCron.class), "neither 'cron' nor 'every' is set", "Correct it");
	}

	@Test
	void workerWhenApplicationHasNoNameWarns(CapturedOutput output) {
		this.runner.withPropertyValues("spring.application.name=").withBean(Fine.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("Set 'spring.application.name'");
		});
	}

	@Test
	void workerWhenMissedTicksWouldMeetEachOtherWarns(CapturedOutput output) {
		this.runner.withBean(Fine.class)
			.withPropertyValues("steadyjobs.recurring.yearly.missed=run-all", "steadyjobs.recurring.yearly.at-most=2",
					"steadyjobs.recurring.nightly.missed=run-all", "steadyjobs.recurring.nightly.at-most=1")
			.run((context) -> assertThat(output)
				.contains("With missed = RUN_ALL, recurring jobs [yearly] make up for missed ticks all at once"));
	}

	@Test
	void declaredWhenConfigurationOverridesAttributesHasThose(CapturedOutput output) {
		this.runner.withBean(Fine.class)
			.withPropertyValues("steadyjobs.recurring.Fine.run.every=90s",
					"steadyjobs.recurring.Fine.run.missed=run-all", "steadyjobs.recurring.Fine.run.at-most=3",
					"steadyjobs.recurring.Fine.run.overlap=allow", "steadyjobs.recurring.Fine.run.from=2026-12-01",
					"steadyjobs.recurring.nightly.cron=0 0 4 * * *", "nightly.zone=Europe/Berlin",
					"steadyjobs.recurring[off].cron=-")
			.run((context) -> {
				List<RecurringJob> declared = declared(context);
				assertThat(declared).extracting(RecurringJob::name)
					.containsExactlyInAnyOrder("Fine.run", "nightly", "yearly");
				assertThat(declared)
					.anySatisfy((job) -> assertThat(job.schedule().toString())
						.isEqualTo("every PT1M30S from 2026-12-01T00:00:00Z"))
					.anySatisfy((job) -> assertThat(job.missed()).isEqualTo(Missed.RUN_ALL))
					.anySatisfy((job) -> assertThat(job.atMost()).isEqualTo(3))
					.anySatisfy((job) -> assertThat(job.schedule().toString())
						.isEqualTo("cron '0 0 4 * * *' in Europe/Berlin"));
				assertThat(output).doesNotContain("WARN");
			});
	}

	@Test
	void declaredWhenJobIsOnTheClassBelongsToTheBean() {
		this.runner.withBean(OnClass.class)
			.withBean(OnMethodOfClass.class)
			.run((context) -> assertThat(declared(context)).extracting(RecurringJob::name)
				.containsExactlyInAnyOrder("OnClass", "OnMethodOfClass"));
	}

	private static List<RecurringJob> declared(ApplicationContext context) {
		return context.getBean(RecurringSettings.class).declared(context.getBean(JobRegistry.class));
	}

	@ParameterizedTest
	@MethodSource
	void startWhenAnnotationCannotBeSoSaysWhy(Class<?> bean, String description, String action) {
		assertProblem(this.runner.withBean(bean), description, action);
	}

	static Stream<Object[]> startWhenAnnotationCannotBeSoSaysWhy() {
		return Stream.of(
				row(BadCron.class, "'0 0 99 * * *' is not a cron expression: '99' at position 5, for hours",
						"Correct it on the method, or under 'steadyjobs.recurring.BadCron.run'."),
				row(BadZone.class, "'zone' must be the name of a zone", "Correct it"),
				row(EveryZero.class, "'every' must be 1 s or more, up to 36,500 days, but is PT0S", "Correct it"),
				row(EveryShort.class, "'every' must be 1 s or more, up to 36,500 days, but is PT0.5S", "Correct it"),
				row(Both.class, "'cron' is '0 0 3 * * *' and 'every' is '10m'; set one of them", "Correct it"),
				row(NoCron.class, "neither 'cron' nor 'every' is set; set one of them", "Correct it"),
				row(NoBound.class, "'atMost' must say how many missed ticks RUN_ALL runs", "Correct it"),
				row(BadUntil.class, "'until' must be a time such as 2026-12-01", "Correct it"),
				row(BadName.class, "is @Recurring under the name 'every night'", "1 to 64 of"),
				row(TwoOfOneName.class, "under the name 'nightly', and so is", "Name one of them"),
				row(WithArguments.class, "is @Recurring, but a tick has no arguments",
						"let another job without arguments enqueue this one"),
				row(Ordered.class, "is @Recurring and @Sequential, but a tick has no key", "Remove @Recurring"),
				row(Unset.class, "has the placeholder '${no.such.cron}', which nothing sets.", "Set the property"),
				row(NoJob.class, NoJob.class.getName() + ".run has @Recurring but no @Job.",
						"Put @Job on it as well, or remove @Recurring."),
				row(NoJobTwice.class, NoJobTwice.class.getName() + ".run has @Recurring but no @Job.",
						"Put @Job on it as well"),
				row(NoJobOnClass.class, NoJobOnClass.class.getName() + " has @Recurring but no @Job on the class.",
						"Put @Recurring beside the @Job that it is for."));
	}

	private static Object[] row(Class<?> bean, String description, String action) {
		return new Object[] { bean, description, action };
	}

	@Test
	void startWhenTwoClassesUseOneNameNamesBoth() {
		assertProblem(this.runner.withBean(Fine.class).withBean(Nightly.class),
				"under the name 'nightly', and so is job Fine.several (" + Fine.class.getTypeName(),
				"Name one of them");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					steadyjobs.recurring.Fine.walk.cron=-    | 'steadyjobs.recurring.Fine.walk' configures a recurring job that no bean declares. | use one of these names: [Fine.run, nightly, off, yearly]
					steadyjobs.recurring.nightly.zone=Mars   | 'zone' must be the name of a zone, as in Europe/Berlin or UTC, but is 'Mars' | or under 'steadyjobs.recurring.nightly'
					steadyjobs.recurring.nightly.missed=all  | 'missed' must be one of [SKIP, RUN_ONCE, RUN_ALL], but is 'all' | Correct it
					steadyjobs.recurring.nightly.at-most=3   | 'atMost' is for RUN_ALL, and 'missed' is RUN_ONCE | Correct it
					steadyjobs.recurring.nightly.cron=${x.y} | has the placeholder '${x.y}', which nothing sets. | Set the property
					""")
	void startWhenOverrideCannotBeSoSaysWhy(String property, String description, String action) {
		assertProblem(this.runner.withBean(Fine.class).withPropertyValues(property), description, action);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					steadyjobs.recurring.nightly.corn=-    | 'steadyjobs.recurring.nightly.corn' is '-'. A recurring job has no attribute 'corn'. Use one of 'cron', 'zone'
					steadyjobs.recurring.nightly=-         | 'steadyjobs.recurring.nightly' is '-'. Name a recurring job and an attribute of it
					steadyjobs.ticks.late-after=999ms      | 'steadyjobs.ticks.late-after' is 'PT0.999S'. Set it to 1s to 365d
					""")
	void startWhenPropertyCannotBeSoSaysWhy(String property, String message) {
		this.runner.withBean(Fine.class)
			.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(JobsPropertyException.class)
				.hasMessageStartingWith(message));
	}

	@Test
	void failureIsAnalyzed(CapturedOutput output) {
		assertThat(Applications.failToRun(output, BadCron.class)).contains("'99' at position 5, for hours")
			.contains("Action: Correct it on the method");
	}

	@Test
	void overridesWhenSpeltInOtherWaysAreFound() {
		assertThat(JobOverrides.recurring(Bound.yaml("""
				steadyjobs:
				  recurring:
				    nightly: { cron: "0 0 3 * * *", atMost: 3 }
				    InvoiceJobs:
				      send.every: " 10m "
				""").recurring())).isEqualTo(Map.of("nightly", Map.of("cron", "0 0 3 * * *", "at-most", "3"),
				"InvoiceJobs.send", Map.of("every", "10m")));
		assertThat(JobOverrides
			.recurring(Bound.environment(Map.of("STEADYJOBS_RECURRING_NIGHTLY_ATMOST", "3")).recurring()))
			.isEqualTo(Map.of("nightly", Map.of("at-most", "3")));
	}

	private static void assertProblem(ApplicationContextRunner runner, String description, String action) {
		runner.run((context) -> assertThatExceptionOfType(JobDefinitionException.class).isThrownBy(() -> {
			throw context.getStartupFailure();
		}).satisfies((failure) -> {
			assertThat(failure.problems()).hasSize(1);
			Problem problem = failure.problems().get(0);
			assertThat(problem.description()).contains(description);
			assertThat(problem.action()).contains(action);
		}));
	}

	static class AdministratingInterceptor implements ClientInterceptor {

		AdministratingInterceptor(JobAdmin admin, RecurringJobs recurring) {
		}

		@Override
		public EnqueueResult intercept(JobRequest request, Chain chain) {
			return chain.proceed(request);
		}

	}

	@NotIdempotent("a test")
	static class Fine {

		@Job
		@Recurring(cron = "0 0 0 1 1 *")
		void run() {
		}

		@Job
		@Recurring(name = "nightly", cron = "0 0 3 * * *", zone = "${nightly.zone:UTC}")
		@Recurring(name = "yearly", cron = "@yearly")
		@Recurring(name = "off", cron = "${some.cron:-}")
		void several(JobContext context) {
		}

	}

	@Job
	@Recurring(every = "1d")
	@NotIdempotent("a test")
	static class OnClass extends Inherited {

	}

	static class Inherited {

		public void perform() {
		}

	}

	@Job
	@NotIdempotent("a test")
	static class OnMethodOfClass {

		@Recurring(every = "1d")
		public void perform() {
		}

	}

	@NotIdempotent("a test")
	static class BadCron {

		@Job
		@Recurring(cron = "0 0 99 * * *")
		void run() {
		}

	}

	@NotIdempotent("a test")
	static class BadZone {

		@Job
		@Recurring(cron = "0 0 3 * * *", zone = "Europe/Atlantis")
		void run() {
		}

	}

	@NotIdempotent("a test")
	static class EveryZero {

		@Job
		@Recurring(every = "0s")
		void run() {
		}

	}

	@NotIdempotent("a test")
	static class EveryShort {

		@Job
		@Recurring(every = "500ms")
		void run() {
		}

	}

	@NotIdempotent("a test")
	static class Both {

		@Job
		@Recurring(cron = "0 0 3 * * *", every = "10m")
		void run() {
		}

	}

	@NotIdempotent("a test")
	static class NoCron {

		@Job
		@Recurring
		void run() {
		}

	}

	@NotIdempotent("a test")
	static class NoBound {

		@Job
		@Recurring(every = "10m", missed = Missed.RUN_ALL)
		void run() {
		}

	}

	@NotIdempotent("a test")
	static class BadUntil {

		@Job
		@Recurring(every = "10m", until = "tomorrow")
		void run() {
		}

	}

	@NotIdempotent("a test")
	static class BadName {

		@Job
		@Recurring(name = "every night", every = "1d")
		void run() {
		}

	}

	@NotIdempotent("a test")
	static class TwoOfOneName {

		@Job
		@Recurring(name = "nightly", every = "1d")
		void run() {
		}

		@Job
		@Recurring(name = "nightly", every = "1d")
		void walk() {
		}

	}

	@NotIdempotent("a test")
	static class Nightly {

		@Job
		@Recurring(name = "nightly", every = "1d")
		void run() {
		}

	}

	@NotIdempotent("a test")
	static class WithArguments {

		@Job
		@Recurring(every = "1d")
		void run(String customer, JobContext context) {
		}

	}

	static class Ordered {

		@Job
		@Sequential(key = "#order")
		@Recurring(every = "1d")
		void run(String order) {
		}

	}

	@NotIdempotent("a test")
	static class Unset {

		@Job
		@Recurring(cron = "${no.such.cron}")
		void run() {
		}

	}

	static class NoJob {

		@Recurring(every = "1d")
		void run() {
		}

	}

	static class NoJobTwice {

		@Recurring(every = "1d")
		@Recurring(name = "weekly", every = "7d")
		void run() {
		}

	}

	@Recurring(every = "1d")
	static class NoJobOnClass {

		public void perform() {
		}

	}

}
