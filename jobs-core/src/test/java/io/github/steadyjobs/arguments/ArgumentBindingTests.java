package io.github.steadyjobs.arguments;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.definition.Calls;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobsContext;
import org.assertj.core.util.Throwables;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ArrayNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link JobParameters} and {@link Misfit}, and for calls of job methods with
 * stored arguments.
 */
class ArgumentBindingTests {

	private static final JobsContext context = JobsContext.of(Calls.class, Jobs.class, Concrete.class);

	private final Calls calls = context.bean(Calls.class);

	@BeforeEach
	void clear() {
		this.calls.all().clear();
	}

	@AfterAll
	static void close() {
		context.close();
	}

	@Test
	void invokeWhenArgumentsFitBindsByPosition() throws Exception {
		String id = "6f1f9f0e-6d1c-4b53-a9a4-1a2b3c4d5e6f";
		context.run("Jobs.several", """
				["%s", 5, [{"cents": 100, "at": "2026-01-01T00:00:00Z", "state": "PAID"}]]""".formatted(id));
		Line line = new Line(100, Instant.parse("2026-01-01T00:00:00Z"), State.PAID);
		assertThat(this.calls.all()).containsExactly(UUID.fromString(id), 5L, List.of(line), JobContext.none());
	}

	@Test
	void invokeWhenTypeVariableIsSetBySubclassBindsItsType() throws Exception {
		context.run("Concrete.handle", "[{\"cents\": 1}]");
		assertThat(this.calls.all()).containsExactly(new Line(1, null, null));
	}

	@Test
	void invokeWhenPropertyIsUnknownIgnoresIt() throws Exception {
		context.run("Jobs.line", "[{\"cents\": 1, \"added\": {\"later\": true}}]");
		assertThat(this.calls.all()).containsExactly(new Line(1, null, null));
	}

	@Test
	void invokeWhenTrailingArgumentIsMissingPassesNull() throws Exception {
		context.run("Jobs.grown", "[\"a\"]");
		assertThat(this.calls.all()).containsExactly("a", "null", Optional.empty());
	}

	@Test
	void invokeWhenNumberIsBigKeepsIt() throws Exception {
		BigDecimal amount = new BigDecimal("12345678901234567890.1234567890");
		context.run("Jobs.amount", "[" + amount + "]");
		assertThat(this.calls.all()).containsExactly(amount);
	}

	@Test
	void invokeWhenTimeHasZoneKeepsIt() throws Exception {
		ZonedDateTime time = ZonedDateTime.parse("2026-07-01T10:00:00+02:00[Europe/Paris]");
		context.run("Jobs.time", JobsContext.MAPPER.writeValueAsString(List.of(time)));
		assertThat(this.calls.all()).containsExactly(time);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					Jobs.line    | [{"cents": "abc"}]                | args[0].cents: expected long, found a string
					Jobs.line    | [{"cents": "12"}]                 | args[0].cents: expected long, found a string
					Jobs.line    | [{"cents": 1.5}]                  | args[0].cents: expected long, found a decimal number
					Jobs.line    | [{"cents": 99999999999999999999}] | args[0].cents: expected long, found a number out of its range
					Jobs.line    | [{"cents": null}]                 | args[0].cents: expected long, found null
					Jobs.line    | [{}]                              | args[0].cents: expected long, found nothing
					Jobs.line    | [{"cents": [1]}]                  | args[0].cents: expected long, found an array
					Jobs.line    | [{"cents": 1, "at": "noon"}]      | args[0].at: expected Instant, found a string
					Jobs.line    | [{"cents": 1, "state": "LOST"}]   | args[0].state: expected State [NEW, PAID], found a string
					Jobs.line    | [{"cents": 1, "state": 7}]        | args[0].state: expected State [NEW, PAID], found a whole number
					Jobs.line    | [true]                            | args[0]: expected Line, found a boolean
					Jobs.lines   | [[{"cents": 1}, {"cents": {}}]]   | args[0][1].cents: expected long, found an object
					Jobs.lines   | [{"cents": 1}]                    | args[0]: expected List<Line>, found an object
					Jobs.byState | [{"PAID": [{"cents": "x"}]}]      | args[0][*][0].cents: expected long, found a string
					Jobs.byState | [{"LOST": []}]                    | args[0]: expected State [NEW, PAID], found an object
					Jobs.byName  | [{"Ada": {"cents": "x"}}]         | args[0][*].cents: expected long, found a string
					Jobs.several | ["6f1f9f0e"]                      | args[0]: expected UUID, found a string
					Jobs.count   | []                                | args[0]: expected int, found nothing
					Jobs.count   | [null]                            | args[0]: expected int, found null
					Jobs.count   | [3000000000]                      | args[0]: expected int, found a number out of its range
					Jobs.count   | [1, 2]                            | it takes 1 argument (int), but was stored with 2
					""")
	void invokeWhenArgumentDoesNotFitShowsPathAndExpectedAndFound(String job, String json, String message) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> context.run(job, json))
			.withMessage("Job '%s' cannot run: %s".formatted(job, message));
		assertThat(this.calls.all()).isEmpty();
	}

	@Test
	void invokeWhenConstructorRefusesSaysWhere() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> context.run("Jobs.strict", "[{\"iban\": \"DE00secret\"}]"))
			.withMessageMatching("Job 'Jobs\\.strict' cannot run: args\\[0\\]: Strict refused an object with "
					+ "java\\.lang\\.IllegalArgumentException at .*Strict\\.<init>\\(ArgumentBindingTests\\.java:\\d+\\)");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			Jobs.line    | [{"cents": "secret"}]
			Jobs.line    | [{"cents": 1, "at": "secret"}]
			Jobs.line    | [{"cents": 1, "state": "secret"}]
			Jobs.line    | ["secret"]
			Jobs.byState | [{"secret": []}]
			Jobs.byName  | [{"secret": {"cents": "secret"}}]
			Jobs.several | ["secret"]
			Jobs.strict  | [{"iban": "secret"}]
			""")
	void invokeWhenArgumentDoesNotFitShowsNoValue(String job, String json) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> context.run(job, json))
			.satisfies((ex) -> assertThat(Throwables.getStackTrace(ex)).doesNotContain("secret"));
	}

	@Test
	void readArgumentsWhenTheyDoNotFitShowsPathAndNoValue() throws Exception {
		ArrayNode one = (ArrayNode) JobsContext.MAPPER.readTree("[{\"cents\": \"secret\"}]");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> JobJson.readArguments(JobsContext.MAPPER, one, Line.class))
			.withMessage("The arguments do not fit %s: args[0].cents: expected long, found a string",
					Line.class.getName())
			.withNoCause();
		ArrayNode two = (ArrayNode) JobsContext.MAPPER.readTree("[null, \"secret\"]");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> JobJson.readArguments(JobsContext.MAPPER, two, UUID[].class))
			.withMessage("The arguments do not fit java.util.UUID[]: args[1]: expected UUID, found a string");
	}

	@Test
	void invokeWhenMethodThrowsThrowsTheSame() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> context.run("Jobs.failing", "[]"))
			.withMessage("boom");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> context.run("Jobs.erring", "[]"))
			.withMessage("bang");
	}

	@Test
	void invokeWhenThereIsNoBeanSaysSo() throws Exception {
		JobDefinition job = context.registry()
			.forCall(NoBean.class, NoBean.class.getDeclaredMethod("run", String.class));
		assertThat(job.hasBean()).isFalse();
		assertThat(job.name()).isEqualTo("NoBean.run");
		assertThatIllegalStateException().isThrownBy(
				() -> job.call(job.parameters().bind(JobsContext.payload("NoBean.run", "[\"a\"]"), JobContext.none())))
			.withMessageContaining("Job 'NoBean.run' has no bean here");
	}

	enum State {

		NEW, PAID

	}

	record Line(long cents, @Nullable Instant at, @Nullable State state) {

	}

	record Strict(String iban) {

		Strict {
			throw new IllegalArgumentException(iban + " is no IBAN");
		}

	}

	abstract static class Generic<T> {

		private final Calls calls;

		Generic(Calls calls) {
			this.calls = calls;
		}

		@Job
		void handle(T value) {
			this.calls.add(value);
		}

	}

	static class Concrete extends Generic<Line> {

		Concrete(Calls calls) {
			super(calls);
		}

	}

	static class NoBean {

		@Job
		void run(String value) {
		}

	}

	record Jobs(Calls calls) {

		@Job
		void several(UUID id, long count, List<Line> lines, JobContext job) {
			List.of(id, count, lines, job).forEach(this.calls::add);
		}

		@Job
		void line(Line line) {
			this.calls.add(line);
		}

		@Job
		void lines(List<Line> lines) {
			this.calls.add(lines);
		}

		@Job
		void byState(Map<State, List<Line>> lines) {
			this.calls.add(lines);
		}

		@Job
		void byName(Map<String, Line> lines) {
			this.calls.add(lines);
		}

		@Job
		void grown(String first, @Nullable String second, Optional<String> third) {
			List.of(first, String.valueOf(second), third).forEach(this.calls::add);
		}

		@Job
		void amount(BigDecimal amount) {
			this.calls.add(amount);
		}

		@Job
		void time(ZonedDateTime time) {
			this.calls.add(time);
		}

		@Job
		void count(int count) {
			this.calls.add(count);
		}

		@Job
		void strict(Strict strict) {
			this.calls.add(strict);
		}

		@Job
		void failing() throws IOException {
			throw new IOException("boom");
		}

		@Job
		void erring() {
			throw new AssertionError("bang");
		}

	}

}
