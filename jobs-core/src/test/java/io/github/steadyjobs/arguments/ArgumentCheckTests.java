package io.github.steadyjobs.arguments;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.definition.JobsContext;
import jakarta.persistence.Entity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for the argument checks when a job is enqueued. The checks use the declared type
 * if the application knows the job, and otherwise only the value (SK-62, SK-63).
 */
class ArgumentCheckTests {

	private static final JobsContext context = JobsContext.of(Jobs.class);

	@AfterAll
	static void close() {
		context.close();
	}

	@Test
	void checkWhenValuesAreSafeAcceptsThem() {
		Node leaf = new Node(2.5, List.of());
		assertThatNoException().isThrownBy(() -> {
			check("Jobs.node", new Node(1, List.of(leaf, leaf)));
			check("Jobs.orders", List.of(new Order(List.of(new Line(1), new Line(2)))));
			check("Jobs.numbers", 1L, 2.5, new BigDecimal("3"));
			check("Jobs.numbers", 1, 2, 3L);
			check("Jobs.numbers", (byte) 1, null, null);
			check("Jobs.map", Map.of("a", Optional.of(1.5)));
			check("Jobs.plain", new Plain());
			check("Jobs.node", nested(30));
		});
	}

	@Test
	void checkWhenValueIsAcceptedAtItsDeepestCanBeReadBack() throws Exception {
		String json = JobsContext.MAPPER.writeValueAsString(Map.of("args", List.of(nested(30))));
		assertThat(JobsContext.MAPPER.readTree(json).path("args").size()).isOne();
		assertThatExceptionOfType(JacksonException.class)
			.isThrownBy(() -> JobsContext.MAPPER.writeValueAsString(Map.of("args", List.of(nested(31)))));
	}

	static Stream<Refused> refused() {
		Node cycle = new Node(1, new ArrayList<>());
		cycle.children().add(new Node(2, List.of(cycle)));
		Map<@Nullable String, Optional<Double>> nullKey = new HashMap<>();
		nullKey.put(null, Optional.empty());
		return Stream.of(
				new Refused("Jobs.orders", "args[0][1].lines[2].price is NaN, and JSON has no such number",
						List.of(order(1), order(1, 2, Double.NaN))),
				new Refused("Jobs.numbers", "args[1] is Infinity, and JSON has", 1L, Double.POSITIVE_INFINITY, null),
				new Refused("Jobs.doubles", "args[0][1] is -Infinity", new double[] { 1, Double.NEGATIVE_INFINITY }),
				new Refused("Jobs.map", "args[0].a is NaN", Map.of("a", Optional.of(Double.NaN))),
				new Refused("Jobs.map", "args[0] has a key that is null", nullKey),
				new Refused("Jobs.map", "args[0] has a key of 10001 characters, which cannot be read back",
						Map.of("k".repeat(10_001), Optional.empty())),
				new Refused("Jobs.numbers", "args[2] is a number of 1001 characters, and at most 1000 can be read back",
						1L, null, new BigDecimal("9".repeat(1_001))),
				new Refused("Jobs.node",
						"args[0].children[0].children[0] is a cycle: this " + Node.class.getName() + " contains itself",
						cycle),
				new Refused("Jobs.node", "is nested too deeply to be read back", nested(31)),
				new Refused("Jobs.plain",
						"args[0] is of type " + PlainChild.class.getName() + ", which is below the declared "
								+ Plain.class.getName(),
						new PlainChild()),
				new Refused("Jobs.numbers", "args[0] is null. Expected: long.", null, 1.0, null),
				new Refused("Jobs.numbers", "args[0] is of type java.lang.String. Expected: long.", "1", 1.0, null),
				new Refused("Jobs.numbers", "args[0] is of type java.lang.Double. Expected: long.", 1.0, 1.0, null),
				new Refused("Jobs.orders", "args[0] is of type java.lang.Integer. Expected: List<Order>.", 5));
	}

	@ParameterizedTest
	@MethodSource("refused")
	void checkWhenValueIsNotSafeShowsJobAndPath(Refused refused) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> check(refused.job(), refused.arguments()))
			.withMessageStartingWith("Job '%s' cannot be stored: args[".formatted(refused.job()))
			.withMessageContaining(refused.message());
	}

	@Test
	void checkWhenCountIsWrongSaysWhatIsTaken() {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> check("Jobs.numbers", 1L))
			.withMessage("Job 'Jobs.numbers' takes 3 arguments (long, Double, BigDecimal), but got 1");
	}

	@Test
	void checkWhenJobIsUnknownAcceptsSafeValues() {
		Map<String, @Nullable Object> map = new HashMap<>(
				Map.of("a", List.of(1, "b", new Line(1)), "c", UUID.randomUUID()));
		map.put("nothing", null);
		assertThatNoException().isThrownBy(() -> check("elsewhere", map, null, new Plain(), new int[] { 1 }, 'c'));
	}

	static Stream<Refused> refusedForUnknown() {
		List<Object> cycle = new ArrayList<>();
		cycle.add(Map.of("self", cycle));
		return Stream.of(new Refused("x", "args[1].a[0].price is NaN", 1, Map.of("a", List.of(new Line(Double.NaN)))),
				new Refused("x", "args[0].self[0].self is a cycle: this java.util.ArrayList", Map.of("self", cycle)),
				new Refused("x", "args[0] is of type java.lang.Thread, a part of the running", Thread.currentThread()),
				new Refused("x", "code and not data", (Runnable) () -> {
				}), new Refused("x", "args[0][0] is the JPA entity", List.of(new Customer())),
				new Refused("x", "args[0] has a key of type java.lang.Integer", Map.of(1, 2)),
				new Refused("x", "args[0] is of type java.lang.Object, like raw types", new Object()),
				new Refused("x", "args[0].content is of type java.io.File, a file", new Held(new java.io.File("x"))));
	}

	@ParameterizedTest
	@MethodSource("refusedForUnknown")
	void checkWhenJobIsUnknownRefusesByValue(Refused refused) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> check(refused.job(), refused.arguments()))
			.withMessageContaining(refused.message());
	}

	/**
	 * SK-63: if JSON preserves every value of the declared type, the value is neither
	 * inspected nor converted to JSON and back.
	 */
	@Test
	void checkWhenTypePromisesSafetyDoesNotLookAtValue() {
		assertThatNoException().isThrownBy(() -> check("Jobs.unread", new Unreadable("a", 1)));
	}

	private static void check(String job, @Nullable Object... arguments) {
		context.registry().checkArguments(job, Arrays.asList(arguments));
	}

	private static Order order(double... prices) {
		return new Order(Arrays.stream(prices).mapToObj(Line::new).toList());
	}

	private static Node nested(int depth) {
		Node node = new Node(0, List.of());
		for (int level = 0; level < depth; level++) {
			node = new Node(0, List.of(node));
		}
		return node;
	}

	record Refused(String job, String message, @Nullable Object... arguments) {

	}

	record Order(List<Line> lines) {

	}

	record Line(double price) {

	}

	record Node(double weight, List<Node> children) {

	}

	record Held(Object content) {

	}

	record Unreadable(String name, int count) {

		@Override
		public String name() {
			throw new IllegalStateException("read");
		}

	}

	static class Plain {

		public String name = "";

	}

	static class PlainChild extends Plain {

	}

	@Entity
	static class Customer {

		public String name = "";

	}

	static class Jobs {

		@Job
		void node(Node node) {
		}

		@Job
		void orders(List<Order> orders) {
		}

		@Job
		void numbers(long number, @Nullable Double floating, @Nullable BigDecimal big) {
		}

		@Job
		void doubles(double[] numbers) {
		}

		@Job
		void map(Map<String, Optional<Double>> map) {
		}

		@Job
		void plain(Plain plain) {
		}

		@Job
		void unread(Unreadable unreadable) {
		}

	}

}
