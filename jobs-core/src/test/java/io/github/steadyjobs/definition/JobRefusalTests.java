package io.github.steadyjobs.definition;

import java.util.List;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DefinitionReader}, {@link JobDefinitions} and {@link JobMethods}:
 * names, queues and annotations that are refused at start-up, and the advice in each
 * message.
 */
class JobRefusalTests {

	@Test
	void collectWhenMethodIsOverloadedRefuses() {
		assertProblem(Overloaded.class, "are two jobs named 'Overloaded.run'", "@Job(name = \"…\")");
	}

	@Test
	void collectWhenOverloadsHaveNamesAcceptsThem() {
		try (JobsContext context = JobsContext.of(NamedOverloads.class)) {
			assertThat(context.registry().names()).containsExactlyInAnyOrder("NamedOverloads.run", "other");
		}
	}

	@Test
	void collectWhenTwoBeansHaveOneNameRefuses() {
		assertThat(JobsContext.problemsOf(First.class, Second.class)).singleElement().satisfies((problem) -> {
			assertThat(problem.description()).contains("First.run", "Second.run", "both take the job name 'same'");
			assertThat(problem.action()).contains("Rename one of them", "Jobs already in Redis keep the name");
		});
	}

	@Test
	void collectWhenAliasIsNameOfAnotherRefuses() {
		assertThat(JobsContext.problemsOf(First.class, Alias.class)).singleElement().satisfies((problem) -> {
			assertThat(problem.description()).contains("both take the job name 'same'");
			assertThat(problem.action()).contains("remove the alias");
		});
	}

	@Test
	void collectWhenOneTypeIsTwoBeansRefuses() {
		assertProblem(Twice.class, "The beans 'one' and 'two' are both of type " + First.class.getName(),
				"Leave one of the beans");
	}

	@Test
	void collectWhenRetriesAreNegativeRefuses() {
		assertProblem(NegativeRetries.class, "has retries = -1", "Set it to a whole number, 0 or more");
	}

	@Test
	void collectWhenRetriesAreSeveralRefuses() {
		assertProblem(SeveralRetries.class, "has retries = [1, 2]", "Use one number, or leave it out");
	}

	@Test
	void collectWhenQueueHasOtherCharactersRefuses() {
		assertProblem(BadQueue.class, "has queue = 'mail/urgent'", "1 to 64 of the characters A-Za-z0-9_.-");
	}

	@Test
	void collectWhenNameHasWhiteSpaceRefuses() {
		assertProblem(BadName.class, "has the job name 'send mail'", "without white space");
	}

	@Test
	void collectWhenPlaceholderIsNotSetRefuses() {
		assertProblem(BadPlaceholder.class, "has the placeholder '${not.set}'", "give the placeholder a default");
	}

	@ParameterizedTest
	@ValueSource(classes = { NoPerform.class, TwoPerforms.class })
	void collectWhenClassLacksItsOnePerformRefuses(Class<?> type) {
		assertProblem(type, "has @Job on the class and " + ((type == NoPerform.class) ? "no" : "2"), "exactly one");
	}

	@Test
	void collectWhenClassAndPerformAreAnnotatedRefuses() {
		assertProblem(BothAnnotated.class, "on the class and on its method 'perform'", "Remove one");
	}

	@Test
	void collectWhenSeveralThingsAreWrongReportsAllAtOnce() {
		assertThat(JobsContext.problemsOf(BadName.class, NegativeRetries.class, BadQueue.class)).hasSize(3);
	}

	@Test
	void collectWhenRefusedHasAllProblemsInMessage() {
		List<Problem> problems = List.of(new Problem("One is wrong.", "Do this."),
				new Problem("Two is wrong.", "Do that."));
		assertThat(new JobDefinitionException(problems)).hasMessageContainingAll("One is wrong. Do this.",
				"Two is wrong. Do that.");
	}

	private static void assertProblem(Class<?> bean, String description, String action) {
		assertThat(JobsContext.problemsOf(bean)).singleElement().satisfies((problem) -> {
			assertThat(problem.description()).contains(description);
			assertThat(problem.action()).contains(action);
		});
	}

	static class Overloaded {

		@Job
		void run(String one) {
		}

		@Job
		void run(int one) {
		}

	}

	static class NamedOverloads {

		@Job
		void run(String one) {
		}

		@Job(name = "other")
		void run(int one) {
		}

	}

	static class First {

		@Job(name = "same")
		void run() {
		}

	}

	static class Second {

		@Job(name = "same")
		void run() {
		}

	}

	static class Alias {

		@Job(aliases = "same")
		void run() {
		}

	}

	@Configuration
	static class Twice {

		@Bean
		First one() {
			return new First();
		}

		@Bean
		First two() {
			return new First();
		}

	}

	static class NegativeRetries {

		@Job(retries = -1)
		void run() {
		}

	}

	static class SeveralRetries {

		@Job(retries = { 1, 2 })
		void run() {
		}

	}

	static class BadQueue {

		@Job(queue = "mail/urgent")
		void run() {
		}

	}

	static class BadName {

		@Job(name = "send mail")
		void run() {
		}

	}

	static class BadPlaceholder {

		@Job(name = "${not.set}")
		void run() {
		}

	}

	@Job
	static class NoPerform {

		void perform() {
		}

	}

	@Job
	static class TwoPerforms {

		public void perform() {
		}

		public void perform(String value) {
		}

	}

	@Job
	static class BothAnnotated {

		@Job
		public void perform() {
		}

	}

}
