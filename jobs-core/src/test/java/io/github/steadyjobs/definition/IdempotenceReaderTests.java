package io.github.steadyjobs.definition;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobType;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.definition.IdempotenceDefaults.Undeclared;
import io.github.steadyjobs.definition.JobDefinition.Declaration;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link IdempotenceReader}: the treatment of equal jobs that results from
 * annotations, configuration and defaults, and the combinations that are refused.
 */
@ExtendWith(OutputCaptureExtension.class)
class IdempotenceReaderTests {

	@Test
	@DisplayName("GL-10, GL-18: the default is 'until executing', for 6 hours at most")
	void readWhenNothingIsSaidUsesDefaults() {
		try (JobsContext context = JobsContext.of(Plain.class)) {
			assertThat(context.job("Plain.run").idempotence())
				.isEqualTo(Idempotence.untilExecuting().ttl(Duration.ofHours(6)));
			assertThat(context.job("Plain.run").deduplicationKey(List.of())).isNull();
			assertThat(context.job("Plain.run").customStrategy()).isNull();
		}
	}

	@Test
	@DisplayName("GL-10, GL-18: the defaults can be set")
	void readWhenDefaultsAreSetUsesThem() {
		IdempotenceDefaults defaults = new IdempotenceDefaults(Strategy.WITHIN, Duration.ofMinutes(2), Undeclared.WARN);
		try (JobsContext context = JobsContext.withDefaults(defaults, Plain.class, Full.class)) {
			assertThat(context.job("Plain.run").idempotence()).isEqualTo(Idempotence.within(Duration.ofMinutes(2)));
			assertThat(context.job("Full.run").idempotence()).isEqualTo(FULL);
		}
	}

	@Test
	@DisplayName("GL-20: each job may set the lifetime of its lock")
	void readWhenAnnotationSaysEverythingUsesThat() {
		try (JobsContext context = JobsContext.of(Full.class)) {
			assertThat(context.job("Full.run").idempotence()).isEqualTo(FULL);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "5400s", "90m", "5400000ms", "1h30m", "PT1H30M", " 90m ", "90M" })
	void readWhenTtlIsWrittenInAnotherWayReadsIt(String ttl) {
		try (JobsContext context = JobsContext.withProperties(Map.of("ttl", ttl), TtlFromProperty.class)) {
			assertThat(context.job("TtlFromProperty.run").idempotence())
				.isEqualTo(Idempotence.untilExecuting().ttl(Duration.ofMinutes(90)));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "0s", "-6h", "90", "abc", "6 h", "1w", "10us", "99999999d", "999999999999999999999d" })
	void readWhenTtlIsBadRefuses(String ttl) {
		List<Problem> problems = JobsContext
			.problemsOf(() -> JobsContext.withProperties(Map.of("ttl", ttl), TtlFromProperty.class));
		assertThat(problems).singleElement().satisfies((problem) -> {
			assertThat(problem.description()).isEqualTo("Job 'TtlFromProperty.run' (%s.run) has ttl = '%s'."
				.formatted(TtlFromProperty.class.getName(), ttl));
			assertThat(problem.action()).isEqualTo("Set it to a time of 1 ms or more and less than 100,000 years, "
					+ "with its unit, as in 90s, 10m, 6h, 7d or PT6H.");
		});
	}

	@Test
	void readWhenPlaceholderIsEmptyUsesTheDefault() {
		try (JobsContext context = JobsContext.withProperties(Map.of("ttl", ""), TtlFromProperty.class)) {
			assertThat(context.job("TtlFromProperty.run").idempotence())
				.isEqualTo(Idempotence.untilExecuting().ttl(Duration.ofHours(6)));
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { TtlFromProperty.class, KeyFromProperty.class, TwoBeans.class })
	void readWhenPlaceholderIsNotSetSaysSoOnce(Class<?> bean) {
		assertThat(JobsContext.problemsOf(bean))
			.filteredOn((problem) -> !problem.description().contains("both of type"))
			.singleElement()
			.satisfies((problem) -> assertThat(problem.description()).endsWith("which nothing sets."));
	}

	@Test
	@DisplayName("GL-20: configuration takes precedence over the annotation")
	void readWhenConfigurationOverridesUsesIt() {
		JobSettings all = JobSettings.NONE.with("idempotence-strategy", "while-executing")
			.with("idempotence-ttl", "9s")
			.with("if-duplicate", "drop")
			.with("include-scheduled", "false")
			.with("keep-consistency", "false");
		try (JobsContext context = withOverride("Full.run", all, Full.class)) {
			assertThat(context.job("Full.run").idempotence())
				.isEqualTo(Idempotence.whileExecuting().ttl(Duration.ofSeconds(9)));
		}
	}

	@Test
	void readWhenConfigurationOverridesPartKeepsTheRest() {
		JobSettings part = JobSettings.NONE.with("idempotence-ttl", "9s");
		try (JobsContext context = withOverride("Full.run", part, Full.class)) {
			assertThat(context.job("Full.run").idempotence()).isEqualTo(FULL.ttl(Duration.ofSeconds(9)));
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { NotAtAll.class, NotDeclared.class })
	void readWhenConfigurationOverridesAJobThatIsNotIdempotentRefuses(Class<?> bean) {
		JobSettings part = JobSettings.NONE.with("include-scheduled", "true");
		String name = bean.getSimpleName() + ".run";
		assertThat(JobsContext.problemsOf(() -> withOverride(name, part, bean))).singleElement()
			.satisfies((problem) -> {
				assertThat(problem.description())
					.endsWith("is not @Idempotent, but configuration sets its include-scheduled.");
				assertThat(problem.action())
					.contains("remove 'include-scheduled' from 'steadyjobs.jobs.%s'".formatted(name));
			});
	}

	@Test
	void readWhenConfigurationOverridesAJobThatIsElsewhereWarns(CapturedOutput output) {
		JobSettings part = JobSettings.NONE.with("include-scheduled", "true");
		try (JobsContext context = withOverride("else.where", part, Plain.class)) {
			assertThat(output).doesNotContain("which is not @Idempotent here");
			assertThat(context.registry().forArgument(Elsewhere.class).declaration()).isEqualTo(Declaration.UNDECLARED);
			assertThat(output).contains("'else.where', which is not @Idempotent here", "JobRequest.idempotent");
		}
	}

	@ParameterizedTest
	@MethodSource
	void readWhenStrategyNeverDropsWhileTheJobRunsRefusesRunOnceMore(Strategy strategy) {
		JobSettings override = JobSettings.NONE.with("idempotence-strategy", strategy.name());
		assertThat(JobsContext.problemsOf(() -> withOverride("Full.run", override, Full.class))).singleElement()
			.isEqualTo(new Problem(
					"Job 'Full.run' (%s.run) is to RUN_ONCE_MORE after a duplicate, but its strategy is %s, which drops none while the job runs."
						.formatted(Full.class.getName(), strategy),
					"Set the strategy to UNTIL_EXECUTED, or ifDuplicate to DROP."));
	}

	static Stream<Strategy> readWhenStrategyNeverDropsWhileTheJobRunsRefusesRunOnceMore() {
		return Stream.of(Strategy.UNTIL_EXECUTING, Strategy.WHILE_EXECUTING, Strategy.WITHIN);
	}

	@Test
	void readWhenDefaultStrategyDoesNotFitRunOnceMoreRefuses() {
		assertThat(JobsContext.problemsOf(OnceMore.class)).singleElement()
			.satisfies((problem) -> assertThat(problem.description()).contains("its strategy is UNTIL_EXECUTING"));
		IdempotenceDefaults fitting = new IdempotenceDefaults(Strategy.UNTIL_EXECUTED, Duration.ofHours(6),
				Undeclared.WARN);
		try (JobsContext context = JobsContext.withDefaults(fitting, OnceMore.class)) {
			assertThat(context.job("OnceMore.run").idempotence())
				.isEqualTo(Idempotence.untilExecuted().ttl(Duration.ofHours(6)).runOnceMore());
		}
	}

	@Test
	void readWhenBothAnnotationsAreOnOneElementRefuses() {
		assertProblem(BothOnMethod.class, BothOnMethod.class.getName() + ".run is both @Idempotent and @NotIdempotent.",
				"Keep @Idempotent if");
		assertProblem(BothOnClass.class, BothOnClass.class.getName() + " is both @Idempotent and @NotIdempotent.",
				"Keep @Idempotent if");
	}

	@ParameterizedTest
	@ValueSource(classes = { NoReason.class, NoReasonOnClass.class })
	void readWhenThereIsNoReasonRefuses(Class<?> bean) {
		assertProblem(bean, " is @NotIdempotent without a reason.", "Say why, and what guards against a second run");
	}

	@Test
	void collectWhenDeclarationIsOnNoJobRefuses() {
		assertProblem(StrayMethod.class, StrayMethod.class.getName() + ".run has @Idempotent but no @Job.",
				"Put @Job on it as well, or remove @Idempotent.");
		assertProblem(StrayBesideJob.class, StrayBesideJob.class.getName() + ".other has @NotIdempotent but no @Job.",
				"Put @Job on it as well, or remove @NotIdempotent.");
		assertProblem(StrayClass.class, StrayClass.class.getName() + " has @NotIdempotent but no @Job.",
				"Put @Job on the methods that are jobs, or remove @NotIdempotent.");
		assertProblem(StrayMeta.class, StrayMeta.class.getName() + ".run has @Idempotent but no @Job.",
				"Put @Job on it as well");
		assertProblem(StrayImplementing.class, StrayImplementing.class.getName() + ".run has @Idempotent but no @Job.",
				"Put @Job on it as well");
		assertProblem(StrayInherited.class, StrayInherited.class.getName() + ".run has @Idempotent but no @Job.",
				"Put @Job on it as well");
	}

	@Test
	void collectWhenOnlyTheInstanceShowsTheJobWaitsForIt() {
		try (JobsContext context = JobsContext.of(JobInInstance.class)) {
			assertThat(context.job("Instance.run").declaration()).isEqualTo(Declaration.IDEMPOTENT);
		}
	}

	@Test
	void collectWhenSeveralThingsAreWrongReportsAllAtOnce() {
		assertThat(JobsContext.problemsOf(OnceMore.class, BothOnMethod.class, StrayMethod.class, NoReason.class))
			.hasSize(4);
	}

	@Test
	void collectWhenJobsAreUndeclaredWarnsOnceOfAll(CapturedOutput output) {
		JobsContext.of(NotDeclared.class, Plain.class, NotAtAll.class).close();
		assertThat(output.getOut().lines().filter((line) -> line.contains("say whether"))).singleElement()
			.asString()
			.contains("WARN", "1 of 3 jobs do not say whether they are idempotent", "fault: NotDeclared.run. ",
					"Put @Idempotent on the method", "@NotIdempotent(\"why that is accepted\")",
					"'steadyjobs.idempotence.undeclared'");
	}

	@Test
	void collectWhenManyJobsAreUndeclaredNamesTwenty(CapturedOutput output) {
		JobsContext.of(Many.class, NotDeclared.class).close();
		assertThat(output).contains("22 of 22 jobs", "Many.a, Many.b, ", "Many.t and 2 more.").doesNotContain("Many.u");
	}

	@Test
	void collectWhenUndeclaredJobsAreIgnoredSaysNothing(CapturedOutput output) {
		IdempotenceDefaults ignoring = new IdempotenceDefaults(Strategy.UNTIL_EXECUTING, Duration.ofHours(6),
				Undeclared.IGNORE);
		JobsContext.withDefaults(ignoring, NotDeclared.class).close();
		assertThat(output).doesNotContain("say whether");
	}

	@Test
	void collectWhenEveryJobIsDeclaredSaysNothing(CapturedOutput output) {
		JobsContext.of(Plain.class, NotAtAll.class).close();
		assertThat(output).doesNotContain("say whether");
	}

	@Test
	void collectWhenThereMustBeNoUndeclaredJobRefusesEach() {
		IdempotenceDefaults failing = new IdempotenceDefaults(Strategy.UNTIL_EXECUTING, Duration.ofHours(6),
				Undeclared.FAIL);
		assertThat(JobsContext
			.problemsOf(() -> JobsContext.withDefaults(failing, NotDeclared.class, Plain.class, JobInClass.class)))
			.extracting(Problem::description)
			.containsExactly(
					"Job 'NotDeclared.run' (%s.run) does not say whether it is idempotent."
						.formatted(NotDeclared.class.getName()),
					"Job 'JobInClass' (%s.perform) does not say whether it is idempotent."
						.formatted(JobInClass.class.getName()));
		JobsContext.withDefaults(failing, Plain.class, NotAtAll.class).close();
	}

	@Test
	void defaultsWhenTheyMakeNoSenseAreRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new IdempotenceDefaults(Strategy.DEFAULT, Duration.ofHours(6), Undeclared.WARN));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new IdempotenceDefaults(Strategy.WITHIN, Duration.ZERO, Undeclared.WARN));
	}

	private static final Idempotence FULL = Idempotence.untilExecuted()
		.ttl(Duration.ofMinutes(5))
		.runOnceMore()
		.withScheduled()
		.withConsistency();

	private static JobsContext withOverride(String job, JobSettings override, Class<?>... beans) {
		return JobsContext.withSettings(Map.of(job, override), beans);
	}

	private static void assertProblem(Class<?> bean, String description, String action) {
		assertThat(JobsContext.problemsOf(bean)).singleElement().satisfies((problem) -> {
			assertThat(problem.description()).endsWith(description);
			assertThat(problem.action()).contains(action);
		});
	}

	@JobType("else.where")
	record Elsewhere(int id) {

	}

	static class Plain {

		@Job
		@Idempotent
		void run() {
		}

	}

	static class Full {

		@Job
		@Idempotent(strategy = Strategy.UNTIL_EXECUTED, ttl = "5m", ifDuplicate = IfDuplicate.RUN_ONCE_MORE,
				includeScheduled = true, keepConsistency = true)
		void run() {
		}

	}

	static class TtlFromProperty {

		@Job
		@Idempotent(ttl = "${ttl}")
		void run() {
		}

	}

	static class KeyFromProperty {

		@Job
		@Idempotent(key = "${key}")
		void run(int number) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoBeans {

		@Bean
		TtlFromProperty one() {
			return new TtlFromProperty();
		}

		@Bean
		TtlFromProperty two() {
			return new TtlFromProperty();
		}

	}

	static class NotAtAll {

		@Job
		@NotIdempotent("counts")
		void run() {
		}

	}

	static class NotDeclared {

		@Job
		void run() {
		}

	}

	static class OnceMore {

		@Job
		@Idempotent(ifDuplicate = IfDuplicate.RUN_ONCE_MORE)
		void run() {
		}

	}

	static class BothOnMethod {

		@Job
		@Idempotent
		@NotIdempotent("counts")
		void run() {
		}

	}

	@Idempotent
	@NotIdempotent("counts")
	static class BothOnClass {

		@Job
		@Idempotent
		void run() {
		}

		@Job
		void other() {
		}

	}

	static class NoReason {

		@Job
		@NotIdempotent(" ")
		void run() {
		}

	}

	@NotIdempotent("")
	static class NoReasonOnClass {

		@Job
		void run() {
		}

	}

	static class StrayMethod {

		@Idempotent
		void run() {
		}

	}

	static class StrayBesideJob {

		@Job
		@Idempotent
		void run() {
		}

		@NotIdempotent("counts")
		void other() {
		}

	}

	@NotIdempotent("counts")
	static class StrayClass {

		void run() {
		}

	}

	static class StrayInherited extends StrayMethod {

	}

	interface Declaring {

		@Idempotent
		void run();

	}

	static class StrayImplementing implements Declaring {

		@Override
		public void run() {
		}

	}

	@Idempotent
	@Retention(RetentionPolicy.RUNTIME)
	@interface Meta {

	}

	static class StrayMeta {

		@Meta
		void run() {
		}

	}

	static class Instance implements Declaring {

		@Job
		@Override
		public void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class JobInInstance {

		@Bean
		Declaring declaring(JobRegistry registry) {
			// At this point, the registry knows only the interface of this bean.
			assertThat(registry.definitions()).isEmpty();
			return new Instance();
		}

	}

	@Job
	static class JobInClass {

		public void perform() {
		}

	}

	static class Many {

		@Job
		void a() {
		}

		@Job
		void b() {
		}

		@Job
		void c() {
		}

		@Job
		void d() {
		}

		@Job
		void e() {
		}

		@Job
		void f() {
		}

		@Job
		void g() {
		}

		@Job
		void h() {
		}

		@Job
		void i() {
		}

		@Job
		void j() {
		}

		@Job
		void k() {
		}

		@Job
		void l() {
		}

		@Job
		void m() {
		}

		@Job
		void n() {
		}

		@Job
		void o() {
		}

		@Job
		void p() {
		}

		@Job
		void q() {
		}

		@Job
		void r() {
		}

		@Job
		void s() {
		}

		@Job
		void t() {
		}

		@Job
		void u() {
		}

	}

}
