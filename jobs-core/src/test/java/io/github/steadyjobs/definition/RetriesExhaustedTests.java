package io.github.steadyjobs.definition;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.RetriesExhausted;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RetriesExhausted} (SK-56).
 */
class RetriesExhaustedTests {

	private static final Throwable FAILURE = new IllegalStateException("broken");

	@ParameterizedTest
	@ValueSource(strings = { "Everything", "NoArguments", "FailureFirst", "OnlyArguments", "Nothing" })
	@DisplayName("SK-56: the method receives the arguments that it declares")
	void callWhenMethodTakesPassesIt(String bean) throws Exception {
		try (JobsContext context = JobsContext.of(Calls.class, Everything.class, NoArguments.class, FailureFirst.class,
				OnlyArguments.class, Nothing.class)) {
			JobDefinition job = context.job(bean + ".run");
			JobPayload payload = payload(job, "[\"a\",[1,2]]");
			assertThat(job.exhaustedCalls(List.of(payload))).containsExactly(List.of(payload));
			job.retriesExhausted(List.of(payload), FAILURE);
			Map<String, List<Object>> expected = Map.of("Everything", List.of("a", List.of(1L, 2L), payload, FAILURE),
					"NoArguments", List.of(payload, FAILURE), "FailureFirst", List.of(FAILURE, payload),
					"OnlyArguments", List.of("a", List.of(1L, 2L)), "Nothing", List.of());
			assertThat(context.bean(Calls.class).all()).containsExactly(expected.get(bean));
		}
	}

	@Test
	void callWhenBeanHasSeveralJobsCallsTheOneNamed() throws Exception {
		try (JobsContext context = JobsContext.withProperties(Map.of("second", "two"), Calls.class, Several.class)) {
			context.job("two").retriesExhausted(List.of(payload(context.job("two"), "[]")), FAILURE);
			assertThat(context.bean(Calls.class).all()).containsExactly("two exhausted");
			assertThat(context.job("one").exhaustedCalls(List.of(payload(context.job("one"), "[]")))).isEmpty();
			context.job("one").retriesExhausted(List.of(payload(context.job("one"), "[]")), FAILURE);
			assertThat(context.bean(Calls.class).all()).hasSize(1);
		}
	}

	@Test
	void callWhenBeanHasProxyCallsThroughIt() throws Exception {
		try (JobsContext context = JobsContext.of(Proxied.class)) {
			JobDefinition job = context.job("Nothing.run");
			job.retriesExhausted(List.of(payload(job, "[\"a\",[]]")), FAILURE);
			assertThat(context.bean(Calls.class).all()).containsExactly("before", List.of());
		}
	}

	@Test
	void callWhenMethodIsInheritedCallsItWithItsTypes() throws Exception {
		try (JobsContext context = JobsContext.of(Calls.class, OfStrings.class)) {
			JobDefinition job = context.job("OfStrings.run");
			job.retriesExhausted(List.of(payload(job, "[\"a\"]")), FAILURE);
			assertThat(context.bean(Calls.class).all()).containsExactly("a");
		}
	}

	@Test
	void callWhenMethodThrowsThrowsTheSame() {
		try (JobsContext context = JobsContext.of(Throwing.class)) {
			JobDefinition job = context.job("Throwing.run");
			assertThatExceptionOfType(IOException.class)
				.isThrownBy(() -> job.retriesExhausted(List.of(payload(job, "[]")), FAILURE))
				.withMessage("from the callback");
		}
	}

	@Test
	void callWhenStoredArgumentsDoNotFitThrowsUnlessTheyAreNotWanted() throws Exception {
		try (JobsContext context = JobsContext.of(Calls.class, OnlyArguments.class, NoArguments.class)) {
			JobDefinition wanting = context.job("OnlyArguments.run");
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> wanting.retriesExhausted(List.of(payload(wanting, "[\"a\",[\"b\"]]")), FAILURE));
			JobDefinition other = context.job("NoArguments.run");
			other.retriesExhausted(List.of(payload(other, "[\"a\",[\"b\"]]")), FAILURE);
			assertThat(context.bean(Calls.class).all()).hasSize(1);
		}
	}

	@Test
	void collectWhenParametersAreWrongSaysWhichAreKnown() {
		Problem problem = onlyProblem(WrongParameters.class);
		assertThat(problem.description()).endsWith("WrongParameters.exhausted is a @RetriesExhausted and takes "
				+ "(java.lang.String, java.lang.CharSequence), not all of which job " + "'WrongParameters.run' has.");
		assertThat(problem.action()).isEqualTo("Let it take the arguments of the job, (java.lang.String, "
				+ "java.util.List<java.lang.Long>), or none of them, optionally followed by a JobPayload "
				+ "and a Throwable.");
	}

	@ParameterizedTest
	@ValueSource(classes = { SomeArguments.class, OtherGenerics.class, TwoFailures.class, SpecialException.class,
			ExtrasFirst.class, WithContext.class })
	void collectWhenParametersAreWrongRefuses(Class<?> bean) {
		assertThat(onlyProblem(bean).action()).startsWith("Let it take the arguments of the job, (java.lang.String");
	}

	@Test
	void collectWhenBeanHasNoSuchJobSaysWhichItHas() {
		Problem problem = onlyProblem(UnknownJob.class);
		assertThat(problem.description())
			.endsWith("UnknownJob.exhausted is a @RetriesExhausted for job 'three', which its bean does not have.");
		assertThat(problem.action()).isEqualTo("Name a job of the same bean: 'one', 'two'.");
	}

	@Test
	void collectWhenBeanHasSeveralJobsAndNoneIsNamedAsksForIt() {
		Problem problem = onlyProblem(WhichJob.class);
		assertThat(problem.description())
			.endsWith("WhichJob.exhausted is a @RetriesExhausted in a bean with several jobs.");
		assertThat(problem.action()).isEqualTo("Name one of them: @RetriesExhausted(\"…\") with one of 'one', 'two'.");
	}

	@Test
	void collectWhenTwoAreForOneJobRefuses() {
		Problem problem = onlyProblem(Two.class);
		assertThat(problem.description()).contains("Two.first and ")
			.endsWith("Two.second are both a @RetriesExhausted for job 'Two.run'.");
		assertThat(problem.action()).isEqualTo("Leave one of them.");
	}

	@Test
	void collectWhenBeanHasNoJobRefuses() {
		Problem problem = onlyProblem(NoJob.class);
		assertThat(problem.description()).endsWith("NoJob.exhausted is a @RetriesExhausted in a bean without a @Job.");
		assertThat(problem.action()).isEqualTo("Move it to the bean of its job.");
	}

	@Test
	void collectWhenMethodIsAJobItselfRefuses() {
		assertThat(onlyProblem(Both.class).description()).endsWith("Both.run is a @RetriesExhausted and a @Job.");
	}

	@Test
	void collectWhenMethodCannotBeCalledRefusesAsWithJobs() {
		assertThat(JobsContext.problemsOf(Uncallable.class)).extracting(Problem::description)
			.satisfiesExactly((async) -> assertThat(async).contains("async is a @RetriesExhausted and @Async"),
					(hidden) -> assertThat(hidden).contains("hidden is a @RetriesExhausted and private"),
					(shared) -> assertThat(shared).contains("shared is a @RetriesExhausted and static"));
	}

	@Test
	void deadWhenNothingIsSaidIsTrueAndConfigurationGoesFirst() {
		Map<String, JobSettings> settings = Map.of("one", JobSettings.NONE.with("dead", "true"), "two",
				JobSettings.NONE.with("dead", "false"));
		try (JobsContext context = JobsContext.of(Discarding.class)) {
			assertThat(context.job("one").retry().dead()).isFalse();
			assertThat(context.job("two").retry().dead()).isTrue();
		}
		try (JobsContext context = JobsContext.withSettings(settings, Discarding.class)) {
			assertThat(context.job("one").retry().dead()).isTrue();
			assertThat(context.job("two").retry().dead()).isFalse();
		}
	}

	private static Problem onlyProblem(Class<?> bean) {
		List<Problem> problems = JobsContext.problemsOf(bean);
		assertThat(problems).hasSize(1);
		return problems.get(0);
	}

	private static JobPayload payload(JobDefinition job, String arguments) {
		return JobPayload.of((ObjectNode) JobsContext.MAPPER
			.readTree("{\"jid\":\"1\",\"class\":\"%s\",\"args\":%s}".formatted(job.name(), arguments)));
	}

	static class Everything {

		private final Calls calls;

		Everything(Calls calls) {
			this.calls = calls;
		}

		@Job
		void run(String text, List<Long> numbers, JobContext context) {
		}

		@RetriesExhausted
		void exhausted(String text, List<Long> numbers, JobPayload job, Throwable failure) {
			this.calls.add(List.of(text, numbers, job, failure));
		}

	}

	static class NoArguments {

		private final Calls calls;

		NoArguments(Calls calls) {
			this.calls = calls;
		}

		@Job
		void run(String text, List<Long> numbers) {
		}

		@RetriesExhausted
		void exhausted(JobPayload job, Throwable failure) {
			this.calls.add(List.of(job, failure));
		}

	}

	static class FailureFirst {

		private final Calls calls;

		FailureFirst(Calls calls) {
			this.calls = calls;
		}

		@Job
		void run(String text, List<Long> numbers) {
		}

		@RetriesExhausted
		void exhausted(Throwable failure, JobPayload job) {
			this.calls.add(List.of(failure, job));
		}

	}

	static class OnlyArguments {

		private final Calls calls;

		OnlyArguments(Calls calls) {
			this.calls = calls;
		}

		@Job
		void run(String text, List<Long> numbers) {
		}

		@RetriesExhausted
		void exhausted(String text, List<Long> numbers) {
			this.calls.add(List.of(text, numbers));
		}

	}

	static class Nothing {

		private final Calls calls;

		Nothing(Calls calls) {
			this.calls = calls;
		}

		@Job
		void run(String text, List<Long> numbers) {
		}

		@RetriesExhausted
		void exhausted() {
			this.calls.add(List.of());
		}

	}

	static class Several {

		private final Calls calls;

		Several(Calls calls) {
			this.calls = calls;
		}

		@Job(name = "one")
		void one() {
		}

		@Job(name = "two")
		void two() {
		}

		@RetriesExhausted("${second}")
		void exhausted() {
			this.calls.add("two exhausted");
		}

	}

	abstract static class OfAnything<T> {

		private final Calls calls;

		OfAnything(Calls calls) {
			this.calls = calls;
		}

		@Job
		void run(T value) {
		}

		@RetriesExhausted
		void exhausted(T value) {
			this.calls.add(value);
		}

	}

	static class OfStrings extends OfAnything<String> {

		OfStrings(Calls calls) {
			super(calls);
		}

	}

	static class Throwing {

		@Job
		void run() {
		}

		@RetriesExhausted
		void exhausted() throws IOException {
			throw new IOException("from the callback");
		}

	}

	static class WrongParameters {

		@Job
		void run(String text, List<Long> numbers) {
		}

		@RetriesExhausted
		void exhausted(String text, CharSequence other) {
		}

	}

	static class SomeArguments {

		@Job
		void run(String text, List<Long> numbers) {
		}

		@RetriesExhausted
		void exhausted(String text, Throwable failure) {
		}

	}

	static class OtherGenerics {

		@Job
		void run(String text, List<Long> numbers) {
		}

		@RetriesExhausted
		void exhausted(String text, List<String> numbers) {
		}

	}

	static class TwoFailures {

		@Job
		void run(String text) {
		}

		@RetriesExhausted
		void exhausted(Throwable failure, Throwable other) {
		}

	}

	static class SpecialException {

		@Job
		void run(String text) {
		}

		@RetriesExhausted
		void exhausted(IOException failure) {
		}

	}

	static class ExtrasFirst {

		@Job
		void run(String text) {
		}

		@RetriesExhausted
		void exhausted(Throwable failure, String text) {
		}

	}

	static class WithContext {

		@Job
		void run(String text, JobContext context) {
		}

		@RetriesExhausted
		void exhausted(String text, JobContext context) {
		}

	}

	static class UnknownJob {

		@Job(name = "one")
		void one() {
		}

		@Job(name = "two")
		void two() {
		}

		@RetriesExhausted("three")
		void exhausted() {
		}

	}

	static class WhichJob {

		@Job(name = "one")
		void one() {
		}

		@Job(name = "two")
		void two() {
		}

		@RetriesExhausted
		void exhausted() {
		}

	}

	static class Two {

		@Job
		void run() {
		}

		@RetriesExhausted
		void first() {
		}

		@RetriesExhausted("Two.run")
		void second() {
		}

	}

	static class NoJob {

		@RetriesExhausted
		void exhausted() {
		}

	}

	static class Both {

		@Job
		@RetriesExhausted
		void run() {
		}

	}

	static class Uncallable {

		@Job(name = "one")
		void one() {
		}

		@Job(name = "two")
		void two() {
		}

		@Job(name = "three")
		void three() {
		}

		@Async
		@RetriesExhausted("one")
		void async() {
		}

		@RetriesExhausted("two")
		private void hidden() {
		}

		@RetriesExhausted("three")
		static void shared() {
		}

	}

	static class Discarding {

		@Job(name = "one", dead = false)
		void one() {
		}

		@Job(name = "two")
		void two() {
		}

	}

	@Configuration
	static class Proxied {

		@Bean
		static Calls calls() {
			return new Calls();
		}

		@Bean
		Nothing nothing(Calls calls) {
			return new Nothing(calls);
		}

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
			creator.setBeanNames("nothing");
			creator.setInterceptorNames("advice");
			creator.setProxyTargetClass(true);
			return creator;
		}

		@Bean
		static MethodInterceptor advice(Calls calls) {
			return (invocation) -> {
				calls.add("before");
				return invocation.proceed();
			};
		}

	}

}
