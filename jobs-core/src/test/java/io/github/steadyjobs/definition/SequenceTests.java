package io.github.steadyjobs.definition;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.RetriesExhausted;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.definition.IdempotenceDefaults.Undeclared;
import io.github.steadyjobs.definition.Sequence.Form;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Sequence}: the declarations of ordered jobs, and the parameters of
 * their methods.
 */
class SequenceTests {

	private static final String SECRET = "hunter2";

	@Test
	@DisplayName("LK-08: an ordered job has its own queue, which is named after it")
	void queueWhenNoneIsChosenIsTheNameOfTheJob() {
		try (JobsContext context = JobsContext.of(One.class, Chosen.class)) {
			assertThat(context.job("One.handle").queue()).isEqualTo("One.handle");
			assertThat(context.job("Chosen.handle").queue()).isEqualTo("orders");
		}
		Map<String, JobSettings> settings = Map.of("One.handle", JobSettings.NONE.with("queue", "other"));
		try (JobsContext context = JobsContext.withSettings(settings, One.class)) {
			assertThat(context.job("One.handle").queue()).isEqualTo("other");
		}
	}

	@Test
	@DisplayName("LK-26: 5 shards, a batch of 1, 25 retries, a queue that has the name of the worker")
	void valuesWhenNothingIsSetAreTheDefaults() {
		try (JobsContext context = JobsContext.of(One.class)) {
			JobDefinition job = context.job("One.handle");
			assertThat(sequence(job).shards()).isEqualTo(5);
			assertThat(sequence(job).batchSize()).isEqualTo(1);
			assertThat(sequence(job).form()).isEqualTo(Form.ONE);
			assertThat(job.retry().retries()).isEqualTo(25);
			assertThat(job.queue()).isEqualTo(job.name());
		}
	}

	@Test
	void valuesAreThoseOfAnnotationUnlessConfigurationOverrides() {
		JobSettings settings = JobSettings.NONE.with("retries", "3").with("batch-size", "9").with("shards", "8");
		try (JobsContext context = JobsContext.of(Batch.class)) {
			assertThat(sequence(context.job("Batch.handle")).batchSize()).isEqualTo(10);
			assertThat(sequence(context.job("Batch.handle")).shards()).isEqualTo(24);
			assertThat(context.job("Batch.handle").retry().retries()).isEqualTo(5);
		}
		try (JobsContext context = JobsContext.withSettings(Map.of("Batch.handle", settings), Batch.class)) {
			assertThat(sequence(context.job("Batch.handle")).batchSize()).isEqualTo(9);
			assertThat(sequence(context.job("Batch.handle")).shards()).isEqualTo(8);
			assertThat(context.job("Batch.handle").retry().retries()).isEqualTo(3);
		}
	}

	@Test
	void sequenceIsReadFromMetaAnnotationsAndClasses() {
		try (JobsContext context = JobsContext.withProperties(Map.of("by", "#payload"), OnClass.class, Meta.class)) {
			assertThat(sequence(context.job("OnClass")).key("OnClass", List.of("k"))).isEqualTo("k");
			assertThat(context.job("OnClass.plain").sequence()).isNull();
			assertThat(sequence(context.job("Meta.handle")).key("Meta.handle", List.of("m"))).isEqualTo("m");
		}
	}

	@Test
	void sequenceCountsAsDeclared() {
		IdempotenceDefaults strict = new IdempotenceDefaults(Strategy.UNTIL_EXECUTING, Duration.ofHours(6),
				Undeclared.FAIL);
		JobsContext.withDefaults(strict, One.class, Batch.class).close();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			#payload.id           | o-7
			#p0.id                | o-7
			#order.id             | o-7
			#order.version        | 3
			#order.amount         | 1.5
			#order.kind           | NEW
			#order.version > 2    | true
			#order.id + #order.id | o-7o-7
			'all'                 | all
			""")
	@DisplayName("LK-29: the key is calculated from the payload")
	void keyIsTextOfASimpleValue(String expression, String key) {
		try (JobsContext context = JobsContext.withProperties(Map.of("key", expression), Expressed.class)) {
			assertThat(sequence(context.job("Expressed.handle")).key("Expressed.handle", List.of(order(1.5))))
				.isEqualTo(key);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			#order.nothing              | is null
			#order                      | is a io.github.steadyjobs.definition.SequenceTests$Order, which is no text
			{#order.id}                 | not a text, a number or another simple value
			''                          | has 0 characters, but a key has 1 to 256 characters
			#order.id.repeat(100)       | has 300 characters. A key has 1 to 256 characters
			#order.id.charAt(99)        | fails: java.lang.StringIndexOutOfBoundsException at
			#order.secret.missing()     | fails: method not found
			""")
	void keyWhenItIsNoneIsRefusedWithoutTheArguments(String expression, String why) {
		try (JobsContext context = JobsContext.withProperties(Map.of("key", expression), Expressed.class)) {
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(
						() -> sequence(context.job("Expressed.handle")).key("Expressed.handle", List.of(order(1.5))))
				.withMessageStartingWith("Job 'Expressed.handle' cannot be stored: for these arguments (")
				.withMessageContainingAll("the key '%s' of its @Sequential ".formatted(expression), why)
				.withMessageNotContaining(SECRET);
		}
	}

	static List<List<Object>> scores() {
		return List.of(List.of(7, "7"), List.of(Long.MAX_VALUE, "9223372036854775807"), List.of((short) -1, "-1"),
				List.of(new BigInteger("123456789012345678901234567890"), "123456789012345678901234567890"),
				List.of(new BigDecimal("12.50"), "12.5"), List.of(new BigDecimal("1E3"), "1000"), List.of(0.25, "0.25"),
				List.of(4.0, "4"), List.of(1.5f, "1.5"), List.of(1e20, "1.0E20"));
	}

	@ParameterizedTest
	@MethodSource("scores")
	@DisplayName("LK-29: the score is calculated from the payload")
	void scoreIsDecimalText(List<Object> pair) {
		try (JobsContext context = JobsContext.of(Scored.class)) {
			assertThat(sequence(context.job("Scored.handle")).score("Scored.handle", List.of(order(pair.get(0)))))
				.isEqualTo(pair.get(1));
		}
	}

	@Test
	void scoreWhenItIsNoNumberIsRefusedWithoutTheArguments() {
		try (JobsContext context = JobsContext.of(Scored.class)) {
			Map<Object, String> refused = Map.of("7", "is not a number", Double.NaN, "is NaN or infinite",
					Float.NEGATIVE_INFINITY, "is NaN or infinite", BigInteger.TEN.pow(400), "is NaN or infinite",
					SECRET, "is not a number");
			refused.forEach((value, why) -> assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> sequence(context.job("Scored.handle")).score("Scored.handle", List.of(order(value))))
				.withMessageStartingWith(
						"Job 'Scored.handle' cannot be stored: for these arguments (args[0]) the score '#order.amount' of its @Sequential "
								+ why)
				.withMessageNotContaining(SECRET));
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> sequence(context.job("Scored.handle")).score("Scored.handle", List.of(order(null))))
				.withMessageContaining("is null");
		}
	}

	@Test
	void scoreWhenNoneIsDeclaredIsLeftToRedis() {
		try (JobsContext context = JobsContext.of(One.class)) {
			assertThat(sequence(context.job("One.handle")).score("One.handle", List.of(order(1)))).isNull();
		}
	}

	@Test
	void keyAndScoreOfSeveralArgumentsReferToEach() {
		try (JobsContext context = JobsContext.of(Several.class)) {
			Sequence sequence = sequence(context.job("Several.handle"));
			assertThat(sequence.form()).isEqualTo(Form.ONE);
			assertThat(sequence.key("Several.handle", List.of("a", List.of("b", "c")))).isEqualTo("a");
			assertThat(sequence.score("Several.handle", List.of("a", List.of("b", "c")))).isEqualTo("2");
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { Gathered.class, Batch.class, OfOrders.class, Wild.class })
	void jobWhenItsMethodTakesManyPayloadsSpeaksOfOne(Class<?> type) {
		try (JobsContext context = JobsContext.of(type)) {
			JobDefinition job = context.registry().forArgument(Order.class);
			assertThat(job.name()).isEqualTo(type.getSimpleName() + ".handle");
			job.parameters().check(job.name(), List.of(order(1)));
			assertThat(sequence(job).key(job.name(), List.of(order(1)))).isEqualTo("o-7");
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> job.parameters().check(job.name(), List.of(List.of(order(1)))))
				.withMessageContaining("args[0]");
			assertThat(job.parameters().bind(payload(job, 1), JobContext.none())[0]).isInstanceOf(Order.class);
			assertThat(job.parameters().signature()).isEqualTo(signatureOfOne());
		}
	}

	private static String signatureOfOne() {
		try (JobsContext context = JobsContext.of(One.class)) {
			return context.job("One.handle").parameters().signature();
		}
	}

	@Test
	void bindAllWhenMethodTakesListGivesItAllPayloadsInTheirOrder() throws Exception {
		try (JobsContext context = JobsContext.of(Gathered.class)) {
			JobDefinition job = context.job("Gathered.handle");
			job.call(job.parameters()
				.bindAll(Map.of("o-7", List.of(payload(job, 2), payload(job, 1))), JobContext.none()));
			assertThat(context.bean(Gathered.class).calls).containsExactly("o-7/2 o-7/1 true");
		}
	}

	@Test
	@DisplayName("LK-27: one call may receive the payloads of several ids, by id")
	void bindAllWhenMethodTakesMapGivesItThePayloadsOfEachKey() throws Exception {
		try (JobsContext context = JobsContext.of(Batch.class)) {
			JobDefinition job = context.job("Batch.handle");
			job.call(job.parameters()
				.bindAll(Map.of("a", List.of(payload(job, 2), payload(job, 1)), "b", List.of(payload(job, 3))),
						JobContext.none()));
			assertThat(context.bean(Batch.class).calls).containsExactly("{a=[2, 1], b=[3]}");
		}
	}

	@Test
	void bindAllWhenPayloadDoesNotFitSaysSoWithoutIt() {
		try (JobsContext context = JobsContext.of(Gathered.class)) {
			JobDefinition job = context.job("Gathered.handle");
			JobPayload bad = JobsContext.payload(job.name(), "[{\"version\":\"%s\"}]".formatted(SECRET));
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(
						() -> job.parameters().bindAll(Map.of("k", List.of(payload(job, 1), bad)), JobContext.none()))
				.withMessageStartingWith("Job 'Gathered.handle' cannot run: args[0].version")
				.withMessageNotContaining(SECRET);
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { One.class, Gathered.class, Batch.class })
	@DisplayName("LK-23: the method for exhausted retries receives the failed payload and its error")
	void retriesExhaustedGetsOnePayload(Class<?> type) throws Exception {
		try (JobsContext context = JobsContext.of(type)) {
			JobDefinition job = context.job(type.getSimpleName() + ".handle");
			job.retriesExhausted(List.of(payload(job, 4)), new IllegalStateException("broken"));
			assertThat(((Base) context.bean(type)).exhausted).containsExactly("o-7/4 %s broken".formatted(job.name()));
		}
	}

	private static Sequence sequence(JobDefinition job) {
		return Objects.requireNonNull(job.sequence());
	}

	private static Order order(@Nullable Object amount) {
		return new Order("o-7", 3, Kind.NEW, amount, SECRET);
	}

	private static JobPayload payload(JobDefinition job, int version) {
		return JobsContext.payload(job.name(), "[{\"id\":\"o-7\",\"version\":%d}]".formatted(version));
	}

	enum Kind {

		NEW {

			@Override
			public String toString() {
				return "shown";
			}

		}

	}

	public record Order(String id, int version, @Nullable Kind kind, @JsonIgnore @Nullable Object amount,
			@Nullable String secret) {

		public @Nullable String nothing() {
			return null;
		}

	}

	abstract static class Base {

		final List<String> calls = new ArrayList<>();

		final List<String> exhausted = new ArrayList<>();

		@RetriesExhausted
		void exhausted(Order order, JobPayload job, Throwable failure) {
			this.exhausted.add("%s/%d %s %s".formatted(order.id(), order.version(), job.name(), failure.getMessage()));
		}

	}

	static class One extends Base {

		@Job
		@Sequential(key = "#order.id")
		void handle(Order order) {
		}

	}

	static class Chosen {

		@Job(queue = "orders")
		@Sequential(key = "#p0")
		void handle(String id) {
		}

	}

	static class Expressed {

		@Job
		@Sequential(key = "${key}")
		void handle(Order order, JobContext context) {
		}

	}

	static class Scored {

		@Job
		@Sequential(key = "#order.id", score = "#order.amount")
		void handle(Order order) {
		}

	}

	static class Several {

		@Job
		@Sequential(key = "#id", score = "#p1.size()")
		void handle(String id, List<String> lines, JobContext context) {
		}

	}

	static class Gathered extends Base {

		@Job
		@Sequential(key = "#payload.id")
		void handle(List<Order> orders, JobContext context) {
			StringBuilder call = new StringBuilder();
			orders.forEach((order) -> call.append(order.id()).append('/').append(order.version()).append(' '));
			this.calls.add(call.append(context == JobContext.none()).toString());
		}

	}

	static class Batch extends Base {

		@Job
		@Sequential(key = "#p0.id", shards = 24, batchSize = 10, retries = 5)
		void handle(Map<String, List<Order>> orders) {
			Map<String, List<Integer>> versions = new TreeMap<>();
			orders.forEach((key, list) -> versions.put(key, list.stream().map(Order::version).toList()));
			this.calls.add(versions.toString());
		}

	}

	abstract static class OfThings<T> {

		@Job
		@Sequential(key = "#payload.id")
		void handle(List<T> things) {
		}

	}

	static class OfOrders extends OfThings<Order> {

	}

	static class Wild {

		@Job
		@Sequential(key = "#payload.id")
		void handle(List<? extends Order> orders) {
		}

	}

	@Job
	@Sequential(key = "${by}")
	static class OnClass {

		public void perform(String id) {
		}

		@Job
		void plain(int number) {
		}

	}

	@Job
	@Sequential(key = "#payload")
	@Retention(RetentionPolicy.RUNTIME)
	@interface OrderJob {

	}

	static class Meta {

		@OrderJob
		void handle(String id) {
		}

	}

}
