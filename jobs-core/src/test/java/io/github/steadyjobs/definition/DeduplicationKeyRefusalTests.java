package io.github.steadyjobs.definition;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import javax.tools.ToolProvider;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.arguments.JobExpression;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobExpression} as the key of an {@link Idempotent}: keys that cannot
 * work are refused at start-up.
 */
class DeduplicationKeyRefusalTests {

	private static final String ADVICE = "Refer to #cmd or #p0, #count or #p1, #labels or #p2, #maybe or #p3.";

	private static final String RESTRICTION = "Use only variables (#cmd or #p0, #count or #p1, #labels or #p2, #maybe or #p3), their properties and their methods: types, beans, functions, constructors and assignments are not available.";

	@ParameterizedTest
	@ValueSource(strings = { "#cmd.", "#{#cmd.id}", "#", "1 +", "#cmd id", "'open" })
	void readWhenKeyDoesNotParseRefuses(String key) {
		Problem problem = problemOf(key);
		assertThat(problem.description())
			.startsWith("Job 'Jobs.run' (%s.run) has the key '%s', which is not an expression: EL10"
				.formatted(Jobs.class.getName(), key));
		assertThat(problem.action()).startsWith("Write an expression of the Spring Expression Language, without #{ }");
	}

	@ParameterizedTest
	@ValueSource(strings = { "cdm", "p4", "p00", "p9999999999", "a0", "root", "this", "context" })
	void readWhenVariableIsNoArgumentRefuses(String name) {
		assertProblem("#%s.id".formatted(name), "refers to '#%s', an unknown variable".formatted(name), ADVICE);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			cmd         | cmd.id
			id          | id
			toString()  | toString()
			[0]         | [0]
			![id]       | ![id]
			?[(id > 1)] | ?[id > 1]
			id          | #count + id
			id          | #cmd.id.equals(id)
			id          | {id}
			id          | {a: id}
			""")
	void readWhenNameStandsForNothingRefuses(String part, String key) {
		assertProblem(key, "refers to '%s' of nothing".formatted(part), ADVICE);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			T(java.lang.Math)    | T(java.lang.Math).random()
			T(java.lang.Runtime) | T(java.lang.Runtime)
			T(String)            | #cmd instanceof T(String)
			@clock               | @clock.millis()
			&clock               | &clock
			new String('a')      | new String('a')
			new int[]            | new int[] {1}
			`#cmd.id=1`          | #cmd.id = 1
			`#count++`           | #count++
			`#count--`           | #count--
			`#count(1)`          | #count(1)
			T(String)            | #cmd.lines.![T(String)]
			new Integer('0')     | #cmd.lines[new Integer('0')]
			@clock               | #cmd.id.compareTo(@clock)
			""")
	void readWhenKeyReachesBeyondTheArgumentsRefuses(String part, String key) {
		Problem problem = problemOf(key);
		assertThat(problem.description()).contains("which has '%s".formatted(part));
		assertThat(problem.action()).isEqualTo(RESTRICTION);
	}

	@ParameterizedTest
	@CsvSource({ "#cmd.iD, cmd, iD", "#p0.idd, p0, idd", "#cmd?.class, cmd, class", "#cmd.notify, cmd, notify",
			"1 + #cmd.gone.more, cmd, gone" })
	void readWhenTypeHasNoSuchPropertyRefuses(String key, String variable, String property) {
		assertProblem(key, "refers to '#%s.%s', but %s has no such property".formatted(variable, property,
				Command.class.getName()), "Use one that it has: id, lines.");
	}

	@Test
	void readWhenClassSetsTheTypeOfAParameterKnowsItsProperties() {
		assertThat(JobsContext.problemsOf(OfCommands.class)).singleElement()
			.satisfies((problem) -> assertThat(problem.description())
				.endsWith("but %s has no such property.".formatted(Command.class.getName())));
	}

	@Test
	void readWhenTypeHasNoPropertiesSaysSo() {
		assertProblem("#count.id", "refers to '#count.id', but int has no such property", "Use the argument itself.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#labels.any", "#maybe.id", "#maybe?.id", "#cmd.lines.![id]", "#cmd.lines.?[#this > 1]",
			"#labels[key]", "{cmd: #cmd.id}", "#cmd.id.gone", "#p3", "'constant'" })
	void readWhenOnlyTheValueTellsAccepts(String key) {
		JobsContext.withProperties(Map.of("key", key), Jobs.class).close();
	}

	@Test
	void readWhenSeveralThingsAreWrongReportsAll() {
		assertThat(JobsContext
			.problemsOf(() -> JobsContext.withProperties(Map.of("key", "#a + #b + T(C).d() + id"), Jobs.class)))
			.hasSize(4);
	}

	@Test
	void readWhenJobHasNoArgumentsSaysToRemoveTheKey() {
		assertThat(JobsContext.problemsOf(NoArguments.class)).singleElement()
			.satisfies((problem) -> assertThat(problem.action())
				.isEqualTo("Remove the key, or make it a constant: the job has no arguments that could differ."));
	}

	@Test
	void readWhenNameOfOneIsThePositionOfAnotherRefuses() {
		assertThat(JobsContext.problemsOf(Confusing.class)).singleElement().satisfies((problem) -> {
			assertThat(problem.description()).endsWith(
					"has the key '#p1', which refers to '#p1', the name of one argument and the position of another.");
			assertThat(problem.action()).isEqualTo("Rename the parameter 'p1'.");
		});
	}

	@Test
	void readWhenNamesAreNotCompiledInTakesPositionsOnly(@TempDir Path directory) throws Exception {
		try (URLClassLoader classes = compileWithoutNames(directory)) {
			Class<?> named = classes.loadClass("Named");
			assertThat(JobsContext.problemsOf(named)).singleElement().satisfies((problem) -> {
				assertThat(problem.description()).isEqualTo(
						"Job 'Named.run' (Named.run) has the key '#name', which refers to '#name', but the names of the "
								+ "parameters were not compiled in.");
				assertThat(problem.action()).isEqualTo(
						"Compile with -parameters, or write #p0 for the first argument, #p1 for the second one.");
			});
			try (JobsContext context = JobsContext.of(classes.loadClass("Positional"))) {
				assertThat(context.job("Positional.run").deduplicationKey(List.of("a"))).isEqualTo("a");
			}
		}
	}

	private static URLClassLoader compileWithoutNames(Path directory) throws IOException {
		Path source = directory.resolve("Jobs.java");
		Files.writeString(source, """
				import io.github.steadyjobs.*;

				class Named {
					@Job
					@Idempotent(key = "#name")
					void run(String name) {
					}
				}

				class Positional {
					@Job
					@Idempotent(key = "#p0")
					void run(String name) {
					}
				}
				""");
		Path classes = Path.of(URI.create(Job.class.getProtectionDomain().getCodeSource().getLocation().toString()));
		int result = ToolProvider.getSystemJavaCompiler()
			.run(null, null, null, "-proc:none", "-cp", classes.toString(), "-d", directory.toString(),
					source.toString());
		assertThat(result).isZero();
		return new URLClassLoader(new URL[] { directory.toUri().toURL() },
				DeduplicationKeyRefusalTests.class.getClassLoader());
	}

	private static void assertProblem(String key, String what, String action) {
		Problem problem = problemOf(key);
		assertThat(problem.description()).isEqualTo(
				"Job 'Jobs.run' (%s.run) has the key '%s', which %s.".formatted(Jobs.class.getName(), key, what));
		assertThat(problem.action()).isEqualTo(action);
	}

	private static Problem problemOf(String key) {
		List<Problem> problems = JobsContext
			.problemsOf(() -> JobsContext.withProperties(Map.of("key", key), Jobs.class));
		assertThat(problems).hasSize(1);
		return problems.get(0);
	}

	record Command(Integer id, List<Integer> lines) {

	}

	static class Jobs {

		@Job
		@Idempotent(key = "${key}")
		void run(Command cmd, int count, Map<String, String> labels, Optional<Command> maybe, JobContext context) {
		}

	}

	abstract static class Of<T> {

		@Job
		@Idempotent(key = "#value.gone")
		void handle(T value) {
		}

	}

	static class OfCommands extends Of<Command> {

	}

	static class NoArguments {

		@Job
		@Idempotent(key = "#any")
		void run(JobContext context) {
		}

	}

	static class Confusing {

		@Job
		@Idempotent(key = "#p1")
		void run(String p1, String p0) {
		}

	}

}
