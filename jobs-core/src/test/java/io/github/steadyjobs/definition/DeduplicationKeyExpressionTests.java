package io.github.steadyjobs.definition;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.arguments.JobExpression;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link JobExpression} as the key of an {@link Idempotent}: the value that is
 * compared in place of all arguments.
 */
class DeduplicationKeyExpressionTests {

	private static final UUID ID = UUID.fromString("6d1c2f0e-8a64-4a4e-9d0e-0f1a2b3c4d5e");

	private static final String SECRET = "hunter2";

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					"6d1c2f0e-8a64-4a4e-9d0e-0f1a2b3c4d5e" | #send.id
					"6d1c2f0e-8a64-4a4e-9d0e-0f1a2b3c4d5e" | #p0.id
					"6d1c2f0e-8a64-4a4e-9d0e-0f1a2b3c4d5e" | #send.id()
					7                                      | #number
					8                                      | #p1 + 1
					"final/7"                              | #send.template + '/' + #number
					"FINAL"                                | #send.template.toUpperCase()
					"LETTER"                               | #send.kind
					2                                      | #send.lines.size()
					[5,6]                                  | #send.lines.![price]
					[{"price":6}]                          | #send.lines.?[#this.price > 5]
					{"price":5}                            | #send.lines[0]
					"ada"                                  | #send.labels['to']
					"ada"                                  | #send.labels.to
					["final",7]                            | {#send.template, #number}
					{"id":7}                               | {id: #number}
					{"id":"6d1c2f0e-8a64-4a4e-9d0e-0f1a2b3c4d5e","template":"final","kind":"LETTER","lines":[{"price":5},{"price":6}],"labels":{"to":"ada"}} | #send
					"getter"                               | #plain.name
					true                                   | #plain.ready
					"field"                                | #plain.open
					"getter"                               | #plain?.name
					"thing"                                | #labels.any
					2                                      | #names.length
					"there"                                | #maybe?.toString()
					"all"                                  | 'all'
					"large"                                | #number > 5 ? 'large' : 'small'
					""")
	@DisplayName("GL-X1: a job may choose which arguments are compared")
	void evaluateWhenExpressionIsGoodReturnsItsValue(String json, String key) {
		Map<String, Object> properties = Map.of("key", key);
		try (JobsContext context = JobsContext.withProperties(properties, Invoices.class)) {
			JobDefinition job = context.job("Invoices.send");
			job.parameters().check(job.name(), arguments());
			Object value = job.deduplicationKey(arguments());
			assertThat(JobsContext.MAPPER.writeValueAsString(value)).isEqualTo(json);
		}
	}

	@Test
	void evaluateWhenClassSetsTheTypeOfAParameterKnowsItsProperties() {
		try (JobsContext context = JobsContext.of(OfInvoices.class)) {
			assertThat(context.job("OfInvoices.handle").deduplicationKey(List.of(invoice()))).isEqualTo(ID);
		}
	}

	@Test
	void evaluateWhenNumbersCameByNameTakesThem() {
		try (JobsContext context = JobsContext.withProperties(Map.of("key", "#number"), Invoices.class)) {
			List<@Nullable Object> arguments = arguments();
			arguments.set(1, (short) 7);
			assertThat(context.job("Invoices.send").deduplicationKey(arguments)).isEqualTo((short) 7);
		}
	}

	@Test
	void evaluateWhenManyThreadsDoGivesEachItsOwn() throws Exception {
		try (JobsContext context = JobsContext.withProperties(Map.of("key", "#send.template + #number"),
				Invoices.class)) {
			JobDefinition job = context.job("Invoices.send");
			int threads = 8;
			CountDownLatch together = new CountDownLatch(threads);
			ExecutorService executor = Executors.newFixedThreadPool(threads);
			try {
				List<Callable<Boolean>> tasks = new ArrayList<>();
				for (int thread = 0; thread < threads; thread++) {
					int first = thread * 1_000;
					tasks.add(() -> {
						together.countDown();
						together.await();
						return IntStream.range(first, first + 1_000).allMatch((number) -> {
							List<@Nullable Object> arguments = arguments();
							arguments.set(1, (long) number);
							return ("final" + number).equals(job.deduplicationKey(arguments));
						});
					});
				}
				for (Future<Boolean> result : executor.invokeAll(tasks)) {
					assertThat(result.get()).isTrue();
				}
			}
			finally {
				executor.shutdownNow();
			}
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			args[0]          | is null                                             | #send.template
			args[0]          | is null                                             | #send?.labels['gone']
			args[0]          | fails: property or field not readable               | #send.labels.gone
			args[0]          | fails: collection index out of bounds               | #send.lines[7]
			args[0]          | fails: method call on null object not allowed       | #send.template.length()
			args[0]          | fails: method not found                             | #send.missing()
			args[2]          | fails: java.lang.IllegalStateException at           | #plain.failing
			args[2]          | fails: java.lang.IllegalStateException at           | #plain.failing()
			args[1], args[2] | fails: operator not supported between types         | #plain.secret - #number
			args[2]          | fails: java.lang.StringIndexOutOfBoundsException at | #plain.secret.charAt(99)
			args[2]          | is a java.lang.Double that JSON cannot hold         | #plain.nan
			args[3]          | fails: method not found                             | #names.iterator()
			args[2]          | is a java.util.stream.                              | #plain.stream()
			none of which    | is null                                             | null
			""")
	void evaluateWhenItComesToNothingSaysWhyWithoutTheArguments(String positions, String why, String key) {
		try (JobsContext context = JobsContext.withProperties(Map.of("key", key), Invoices.class)) {
			List<@Nullable Object> arguments = arguments();
			arguments.set(0, new Invoice(ID, null, Kind.LETTER, List.of(new Line(5)), Map.of("to", SECRET)));
			InvalidJobException thrown = catchThrowableOfType(InvalidJobException.class,
					() -> context.job("Invoices.send").deduplicationKey(arguments));
			assertThat(thrown)
				.hasMessageStartingWith(
						"Job 'Invoices.send' cannot be stored: for these arguments (%s".formatted(positions))
				.hasMessageContaining(") the key '%s' of its @Idempotent %s".formatted(key, why))
				.hasMessageEndingWith(
						". Pass arguments that have a key, or let the expression say what counts without one, as in "
								+ "\"#p0?.id ?: 0\".");
			StringWriter trace = new StringWriter();
			thrown.printStackTrace(new PrintWriter(trace));
			assertThat(trace.toString()).doesNotContain(SECRET, ID.toString());
		}
	}

	@Test
	void evaluateWhenArgumentIsNullRefusesUnlessTheKeyDoesNotMind() {
		List<@Nullable Object> arguments = arguments();
		arguments.set(0, null);
		try (JobsContext context = JobsContext.withProperties(Map.of("key", "#send.id"), Invoices.class)) {
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> context.job("Invoices.send").deduplicationKey(arguments))
				.withMessageContaining("(args[0])")
				.withMessageContaining("property or field not readable on null");
		}
		try (JobsContext context = JobsContext.withProperties(Map.of("key", "#p0?.id ?: 0"), Invoices.class)) {
			assertThat(context.job("Invoices.send").deduplicationKey(arguments)).isEqualTo(0);
		}
	}

	private static Invoice invoice() {
		return new Invoice(ID, "final", Kind.LETTER, List.of(new Line(5), new Line(6)), Map.of("to", "ada"));
	}

	private static List<@Nullable Object> arguments() {
		return new ArrayList<>(Arrays.asList(invoice(), 7L, new Plain(), new String[] { "a", "b" },
				Collections.singletonMap("any", "thing"), Optional.of("there")));
	}

	enum Kind {

		LETTER {

			@Override
			int pages() {
				return 1;
			}

		};

		abstract int pages();

	}

	record Line(int price) {

	}

	record Invoice(UUID id, @Nullable String template, Kind kind, List<Line> lines, Map<String, String> labels) {

	}

	public static class Plain {

		public String open = "field";

		public String getName() {
			return "getter";
		}

		public boolean isReady() {
			return true;
		}

		@com.fasterxml.jackson.annotation.JsonIgnore
		public String getFailing() {
			throw new IllegalStateException(SECRET);
		}

		public String failing() {
			throw new IllegalStateException(SECRET);
		}

		public String secret() {
			return SECRET;
		}

		public double nan() {
			return Double.NaN;
		}

		public Object stream() {
			return List.of(SECRET).stream();
		}

	}

	static class Invoices {

		@Job
		@Idempotent(key = "${key}")
		void send(Invoice send, long number, Plain plain, String[] names, Map<String, String> labels,
				Optional<String> maybe, JobContext context) {
		}

	}

	abstract static class Of<T> {

		@Job
		@Idempotent(key = "#value.id")
		void handle(T value) {
		}

	}

	static class OfInvoices extends Of<Invoice> {

	}

}
