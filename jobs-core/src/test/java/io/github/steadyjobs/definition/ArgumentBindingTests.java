package io.github.steadyjobs.definition;

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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TypedParameters}, {@link Misfit} and the call that follows: from
 * stored arguments to a method.
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
					Jobs.line    | [{"cents": "abc"}]                | args[0].cents: expected long, found string "abc"
					Jobs.line    | [{"cents": "12"}]                 | args[0].cents: expected long, found string "12"
					Jobs.line    | [{"cents": 1.5}]                  | args[0].cents: expected long, found number 1.5
					Jobs.line    | [{"cents": null}]                 | args[0].cents: expected long, found null
					Jobs.line    | [{}]                              | args[0].cents: expected long, found nothing
					Jobs.line    | [{"cents": [1]}]                  | args[0].cents: expected long, found an array
					Jobs.line    | [{"cents": 1, "at": "noon"}]      | args[0].at: expected Instant, found string "noon"
					Jobs.line    | [{"cents": 1, "state": "LOST"}]   | args[0].state: expected State (NEW, PAID), found string "LOST"
					Jobs.line    | [true]                            | args[0]: expected Line, found boolean true
					Jobs.lines   | [[{"cents": 1}, {"cents": {}}]]   | args[0][1].cents: expected long, found an object
					Jobs.lines   | [{"cents": 1}]                    | args[0]: expected List<Line>, found an object
					Jobs.byState | [{"PAID": [{"cents": "x"}]}]      | args[0].PAID[0].cents: expected long, found string "x"
					Jobs.several | ["6f1f9f0e"]                      | args[0]: expected UUID, found string "6f1f9f0e"
					Jobs.count   | []                                | args[0]: expected int, found nothing
					Jobs.count   | [null]                            | args[0]: expected int, found null
					Jobs.count   | [3000000000]                      | args[0]: expected int, found number 3000000000
					Jobs.count   | [1, 2]                            | it takes 1 argument (int), and was stored with 2
					Jobs.strict  | [{"cents": -1}]                   | args[0]: cents must not be negative (found an object)
					""")
	void invokeWhenArgumentDoesNotFitShowsPathAndExpectedAndFound(String job, String json, String message) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> context.run(job, json))
			.withMessage("Job '%s' cannot run: %s".formatted(job, message));
		assertThat(this.calls.all()).isEmpty();
	}

	@Test
	void invokeWhenFoundTextIsLongCutsIt() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> context.run("Jobs.line", "[{\"cents\": \"%s\"}]".formatted("x".repeat(10_000))))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(200));
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
		assertThatIllegalStateException()
			.isThrownBy(() -> job.invoke(JobsContext.MAPPER.readTree("[\"a\"]"), JobContext.none()))
			.withMessageContaining("Job 'NoBean.run' has no bean here");
	}

	enum State {

		NEW, PAID

	}

	record Line(long cents, @Nullable Instant at, @Nullable State state) {

	}

	record Strict(long cents) {

		Strict {
			if (cents < 0) {
				throw new IllegalArgumentException("cents must not be negative");
			}
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
