package io.github.steadyjobs.definition;

import java.util.List;
import java.util.Map;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.RetriesExhausted;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SequenceReader}: ordered jobs that are refused at start-up, and the
 * advice in each message.
 */
class SequenceRefusalTests {

	@Test
	void readWhenNumberIsOutOfRangeRefuses() {
		assertThat(JobsContext.problemsOf(NoShards.class, TooManyShards.class)).hasSize(4)
			.extracting((problem) -> problem.description().replaceAll(".*\\) ", "") + " " + problem.action())
			.containsExactly("has batchSize = 0. Set it to 1 to 1000, the number of keys.",
					"has shards = 0. Set it to 1 to 1024.",
					"has batchSize = 1001. Set it to 1 to 1000, the number of keys.",
					"has shards = 1025. Set it to 1 to 1024.");
	}

	@Test
	void readWhenRetriesAreNegativeRefuses() {
		assertProblem(JobsContext.problemsOf(NegativeRetries.class), "has retries = -1.",
				"Set it to a whole number, 0 or more");
	}

	@Test
	void readWhenRetriesDifferRefuses() {
		assertProblem(JobsContext.problemsOf(TwoRetries.class), "has 3 retries by @Job, but 25 by @Sequential.",
				"Set retries at @Sequential alone.");
		JobsContext.of(SameRetries.class).close();
	}

	@Test
	void readWhenKeyIsEmptyRefuses() {
		String action = "as in @Sequential(key = \"#order.id\")";
		assertProblem(JobsContext.problemsOf(NoKey.class), "is @Sequential without a key.", action);
		assertProblem(
				JobsContext
					.problemsOf(() -> JobsContext.withProperties(Map.of("key", " ", "score", "1"), Gathered.class)),
				"is @Sequential without a key.", action);
	}

	@Test
	void readWhenPlaceholderOfKeyIsNotSetRefuses() {
		assertProblem(JobsContext.problemsOf(BadPlaceholder.class), "has the placeholder '${not.set}'",
				"Set the property");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					#order. | 1             | has the key '#order.', which is not an expression: EL10 | as in key = "#p0.id"
					#ordre  | 1             | has the key '#ordre', which refers to '#ordre', an unknown variable. | Refer to #order or #p0 or #payload.
					#p0.idd | 1             | has the key '#p0.idd', which refers to '#p0.idd', but | Use one that it has: id, version.
					#p1     | 1             | has the key '#p1', which refers to '#p1', an unknown variable. | Refer to #
					@clock  | 1             | has the key '@clock', which has '@clock' in it. | types, beans, functions
					#p0.id  | #payload.nr   | has the score '#payload.nr', which refers to '#payload.nr', but | Use one that it has: id, version.
					#p0.id  | T(Math).PI    | has the score 'T(Math).PI', which has 'T(Math)' in it. | types, beans, functions
					""")
	void readWhenExpressionCannotWorkRefuses(String key, String score, String description, String action) {
		for (Class<?> type : List.of(Expressed.class, Gathered.class, Batch.class)) {
			List<Problem> problems = JobsContext
				.problemsOf(() -> JobsContext.withProperties(Map.of("key", key, "score", score), type));
			String arguments = (type == Expressed.class) ? "#order or #p0 or #payload" : "#p0 or #payload";
			assertProblem(problems, description, action.replace("#order or #p0 or #payload", arguments));
		}
	}

	@Test
	void readWhenMethodTakesManyPayloadsKnowsNotTheNameOfItsParameter() {
		assertProblem(
				JobsContext.problemsOf(
						() -> JobsContext.withProperties(Map.of("key", "#orders", "score", "1"), Gathered.class)),
				"refers to '#orders', an unknown variable", "Refer to #p0 or #payload.");
	}

	@ParameterizedTest
	@ValueSource(classes = { BatchOfOne.class, BatchOfList.class, BatchOfOthers.class })
	void readWhenBatchTakesNoMapRefuses(Class<?> type) {
		assertProblem(JobsContext.problemsOf(type), "has batchSize = 2, but its method takes no map of keys.",
				"Let it take a Map<String, List<…>>");
	}

	@Test
	void readWhenMapIsNoBatchRefuses() {
		assertProblem(JobsContext.problemsOf(MapOfOne.class), "takes a map of payloads by key, but its batchSize is 1.",
				"Set batchSize to the number of keys");
	}

	@Test
	void readWhenJobIsIdempotentTooRefuses() {
		assertProblem(JobsContext.problemsOf(AlsoIdempotent.class), "is both @Sequential and @Idempotent.",
				"payloads of a key gather by themselves, and equal ones are kept once");
		JobsContext.of(NotIdempotentEither.class).close();
	}

	@Test
	void readWhenJobIsNotOrderedRefusesItsSettings() {
		assertProblem(problemsOf(JobSettings.NONE.with("batch-size", "2")),
				"is not @Sequential, but configuration sets its batch-size.",
				"Put @Sequential on the method, or remove 'batch-size' from 'steadyjobs.jobs.Unordered.handle'.");
		assertProblem(problemsOf(JobSettings.NONE.with("shards", "2").with("batch-size", "2")),
				"configuration sets its batch-size and shards.", "remove 'batch-size' and 'shards' from");
	}

	@Test
	void checkStrayWhenThereIsNoJobRefuses() {
		assertProblem(JobsContext.problemsOf(Stray.class),
				Stray.class.getName() + ".handle has @Sequential but no @Job.",
				"Put @Job on it as well, or remove @Sequential.");
		assertProblem(JobsContext.problemsOf(StrayOnClass.class),
				StrayOnClass.class.getName() + " has @Sequential but no @Job on the class.",
				"Put @Sequential beside the @Job that it is for.");
	}

	@Test
	@DisplayName("LK-08: another job cannot use the queue of an ordered job")
	void checkQueuesWhenOrderedJobSharesItsQueueRefuses() {
		List<Problem> problems = JobsContext.problemsOf(InItsQueue.class, Shared.class);
		assertProblem(problems, "is @Sequential, and job Shared.handle", "Give one of them another queue");
		assertThat(problems.get(0).description()).contains("InItsQueue.handle", "has the same queue 'shared'");
		assertThat(JobsContext.problemsOf(InItsQueue.class, InItsQueueToo.class)).hasSize(1);
	}

	@Test
	void queueWhenNameOfJobIsNoneAsksForOne() {
		assertProblem(JobsContext.problemsOf(NoQueueName.class),
				"is @Sequential and needs a queue to itself, which cannot have the name of the job.",
				"Set one: @Job(queue = \"…\")");
	}

	@Test
	void retriesExhaustedWhenItTakesManyPayloadsIsRefused() {
		assertProblem(JobsContext.problemsOf(ExhaustedOfList.class),
				"not all of which job 'ExhaustedOfList.handle' has",
				"Let it take the arguments of the job, (%s)".formatted(Order.class.getName()));
	}

	@Test
	void readWhenKeyIsWrongReportsNothingElse() {
		assertProblem(JobsContext.problemsOf(ExhaustedOfBadKey.class), "which refers to '#gone'", "Refer to");
	}

	private static List<Problem> problemsOf(JobSettings settings) {
		return JobsContext
			.problemsOf(() -> JobsContext.withSettings(Map.of("Unordered.handle", settings), Unordered.class));
	}

	private static void assertProblem(List<Problem> problems, String description, String action) {
		assertThat(problems).singleElement().satisfies((problem) -> {
			assertThat(problem.description()).contains(description);
			assertThat(problem.action()).contains(action);
		});
	}

	record Order(String id, int version) {

	}

	static class NoShards {

		@Job
		@Sequential(key = "#p0", batchSize = 0, shards = 0)
		void handle(String id) {
		}

	}

	static class TooManyShards {

		@Job
		@Sequential(key = "#p0", batchSize = 1001, shards = 1025)
		void handle(Map<String, List<String>> ids) {
		}

	}

	static class NegativeRetries {

		@Job
		@Sequential(key = "#p0", retries = -1)
		void handle(String id) {
		}

	}

	static class TwoRetries {

		@Job(retries = 3)
		@Sequential(key = "#p0")
		void handle(String id) {
		}

	}

	static class SameRetries {

		@Job(retries = 3)
		@Sequential(key = "#p0", retries = 3)
		void handle(String id) {
		}

	}

	static class NoKey {

		@Job
		@Sequential(key = " ")
		void handle(String id) {
		}

	}

	static class BadPlaceholder {

		@Job
		@Sequential(key = "${not.set}")
		void handle(String id) {
		}

	}

	static class Expressed {

		@Job
		@Sequential(key = "${key}", score = "${score}")
		void handle(Order order, JobContext context) {
		}

	}

	static class Gathered {

		@Job
		@Sequential(key = "${key}", score = "${score}")
		void handle(List<Order> orders) {
		}

	}

	static class Batch {

		@Job
		@Sequential(key = "${key}", score = "${score}", batchSize = 2)
		void handle(Map<String, List<Order>> orders) {
		}

	}

	static class BatchOfOne {

		@Job
		@Sequential(key = "#p0.id", batchSize = 2)
		void handle(Order order) {
		}

	}

	static class BatchOfList {

		@Job
		@Sequential(key = "#p0.id", batchSize = 2)
		void handle(List<Order> orders) {
		}

	}

	static class BatchOfOthers {

		@Job
		@Sequential(key = "'all'", batchSize = 2)
		void handle(Map<String, Order> orders) {
		}

	}

	static class MapOfOne {

		@Job
		@Sequential(key = "#p0.id")
		void handle(Map<String, List<Order>> orders) {
		}

	}

	static class AlsoIdempotent {

		@Job
		@Idempotent
		@Sequential(key = "#p0")
		void handle(String id) {
		}

	}

	@Idempotent
	static class NotIdempotentEither {

		@Job
		@NotIdempotent("counts")
		@Sequential(key = "#p0")
		void handle(String id) {
		}

	}

	static class Unordered {

		@Job
		void handle(String id) {
		}

	}

	static class Shared {

		@Job(queue = "shared")
		void handle(String id) {
		}

	}

	static class InItsQueue {

		@Job(queue = "${queue:shared}")
		@Sequential(key = "#p0")
		void handle(int id) {
		}

	}

	static class InItsQueueToo {

		@Job(queue = "shared")
		@Sequential(key = "#p0")
		void handle(long id) {
		}

	}

	static class Stray {

		@Sequential(key = "#p0")
		void handle(String id) {
		}

	}

	@Sequential(key = "#p0")
	static class StrayOnClass {

		@Job
		void handle(String id) {
		}

	}

	static class NoQueueName {

		@Job(name = "orders/handle")
		@Sequential(key = "#p0")
		void handle(String id) {
		}

	}

	static class ExhaustedOfList {

		@Job
		@Sequential(key = "#p0.id")
		void handle(List<Order> orders) {
		}

		@RetriesExhausted
		void exhausted(List<Order> orders, JobPayload job) {
		}

	}

	static class ExhaustedOfBadKey {

		@Job
		@Sequential(key = "#gone")
		void handle(List<Order> orders) {
		}

		@RetriesExhausted
		void exhausted(Order order) {
		}

	}

}
