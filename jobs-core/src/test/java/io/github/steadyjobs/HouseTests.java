package io.github.steadyjobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.Tree.Kind;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import io.github.steadyjobs.support.Repository;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the house stays one of few large rooms: how much a package, a file, a method
 * and a record may hold. Like {@link ArchitectureTests}, they fail on what nobody decides
 * but everybody adds to.
 */
class HouseTests {

	/**
	 * The budget of each package of this module: Java files, and their lines with
	 * comments and blank ones. A tenth more passes.
	 */
	private static final String BUDGETS = """
			| package     | files | lines |
			| root        |    45 |  4140 |
			| definition  |    22 |  2540 |
			| arguments   |    11 |  1760 |
			| idempotence |     8 |   710 |
			| redis       |    62 | 10000 |
			| client      |    17 |  2900 |
			| server      |    52 |  8820 |
			| recurring   |    22 |  3380 |
			| audit       |    11 |  1090 |
			| admin       |    26 |  2900 |
			| doctor      |     7 |   740 |
			| observation |     9 |   770 |
			| all         |   292 | 39396 |
			""";

	private static final int LINES_OF_FILE = 320;

	private static final int LINES_OF_METHOD = 40;

	private static final int COMPONENTS_OF_RECORD = 8;

	private static final int CODE_LINES_OF_FILE = 15;

	/** Records over the limit from before there was one. None is added. */
	private static final Set<String> LARGE_RECORDS = Set.of("JobRequest.Options");

	/** Files over the limit: users find all settings of a request in one place. */
	private static final Set<String> LARGE_FILES = Set.of("JobRequest.java");

	/** Files below the limit from before there was one. None is added. */
	private static final Set<String> SMALL_FILES = Set.of("Names.java");

	private static final Path CORE = Repository.root().resolve("jobs-core/src/main/java/io/github/steadyjobs");

	private static final List<String> PUBLISHED = List.of("jobs-core", "jobs-embedded-redis", "jobs-postgres",
			"jobs-sidekiq", "jobs-spring-boot-autoconfigure", "jobs-test");

	private static final Pattern ROW = Pattern.compile("\\| (\\w+) +\\| +(\\d+) \\| +(\\d+) \\|");

	/** A class in a page. Scripts begin with a small letter. */
	private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)`");

	/** Text is skipped, as it may look like a comment. */
	private static final Pattern COMMENT = Pattern
		.compile("(?s)\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\])*+\"|'(?:\\\\.|[^'\\\\])++'|(//[^\n]*|/\\*.*?\\*/)");

	private static final List<Source> SOURCES = new ArrayList<>();

	@BeforeAll
	static void readSources() throws IOException {
		List<Path> files = new ArrayList<>();
		for (String module : PUBLISHED) {
			try (Stream<Path> found = Files.walk(Repository.root().resolve(module).resolve("src/main/java"))) {
				found.filter((file) -> file.toString().endsWith(".java")).sorted().forEach(files::add);
			}
		}
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
			JavacTask task = (JavacTask) compiler.getTask(null, manager, null, List.of("-proc:none"), null,
					manager.getJavaFileObjectsFromPaths(files));
			SourcePositions positions = Trees.instance(task).getSourcePositions();
			SOURCES.clear();
			for (CompilationUnitTree unit : task.parse()) {
				Path file = Path.of(unit.getSourceFile().toUri());
				SOURCES.add(new Source(file, Files.readString(file), unit, positions));
			}
		}
	}

	@Test
	void packageHoldsNoMoreThanItsBudget() {
		Map<String, Budget> budgets = new HashMap<>();
		ROW.matcher(BUDGETS)
			.results()
			.forEach((row) -> budgets.put(row.group(1),
					new Budget(Integer.parseInt(row.group(2)), Integer.parseInt(row.group(3)))));
		Map<String, Budget> used = new HashMap<>();
		for (Source source : SOURCES) {
			if (source.isCore()) {
				Budget file = new Budget(1, source.lines());
				used.merge(source.packageName(), file, Budget::plus);
				used.merge("all", file, Budget::plus);
			}
		}
		assertThat(used.keySet())
			.as("packages of jobs-core. A new one needs a row in the table of this test, which says what it may cost")
			.isSubsetOf(budgets.keySet());
		List<String> over = new ArrayList<>();
		used.forEach((name, size) -> {
			Budget budget = budgets.get(name);
			if (!size.isWithin(budget)) {
				over.add("%s: %d files and %d lines, its budget is %d and %d".formatted(name, size.files(),
						size.lines(), budget.files(), budget.lines()));
			}
		});
		assertThat(over).as("packages that are more than a tenth over their budget. Look for what can go: a type that "
				+ "only carries facts from one class to the next, or that its only caller can take. If the budget is "
				+ "wrong, change the table, and say why in the commit")
			.isEmpty();
	}

	@Test
	void walkOfAJobNamesFilesThatExist() {
		String walk = Repository.read("docs/architecture.md").split("\n## ")[3];
		assertThat(walk).startsWith("The walk of a job");
		List<String> named = NAME.matcher(walk).results().map((name) -> name.group(1)).toList();
		List<String> known = SOURCES.stream().map((source) -> source.name().replace(".java", "")).toList();
		assertThat(named).as("classes that the walk in docs/architecture.md names").hasSizeGreaterThan(40);
		assertThat(known).as("classes that there are").containsAll(named);
	}

	@Test
	void fileIsReadInOneSitting() {
		List<String> over = SOURCES.stream()
			.filter((source) -> source.lines() > LINES_OF_FILE && !LARGE_FILES.contains(source.name()))
			.map((source) -> source.name() + ": " + source.lines())
			.toList();
		assertThat(over)
			.as("files of more than %d lines. Such a file does two things: give one of them a class of its own, named "
					+ "by what it does", LINES_OF_FILE)
			.isEmpty();
	}

	@Test
	void fileIsWorthOpening() {
		List<String> small = SOURCES.stream()
			.filter((source) -> source.isCore() && source.codeLines() < CODE_LINES_OF_FILE)
			.filter((source) -> !source.maySmall() && !SMALL_FILES.contains(source.name()))
			.map((source) -> source.name() + ": " + source.codeLines())
			.toList();
		assertThat(small)
			.as("files of fewer than %d lines of code, without imports and comments. Nest such a type in the class that "
					+ "uses it, or let that class do its work. Enums, annotations, exceptions, functional interfaces, "
					+ "public records and what users implement may be small", CODE_LINES_OF_FILE)
			.isEmpty();
	}

	@Test
	void methodFitsOnAScreen() {
		List<String> over = new ArrayList<>();
		SOURCES.forEach((source) -> source.eachMethod((name, lines) -> {
			if (lines > LINES_OF_METHOD) {
				over.add(name + ": " + lines);
			}
		}));
		assertThat(over)
			.as("methods of more than %d lines. Give a part of it a method with a name that says what it does",
					LINES_OF_METHOD)
			.isEmpty();
	}

	@Test
	void recordIsNoBag() {
		List<String> over = new ArrayList<>();
		SOURCES.forEach((source) -> source.eachRecord((name, components) -> {
			if (components > COMPONENTS_OF_RECORD && !LARGE_RECORDS.contains(name)) {
				over.add(name + ": " + components);
			}
		}));
		assertThat(over)
			.as("records with more than %d components. A type is missing: find the components that are always used "
					+ "together, and name what they are. Records that users see, and properties, may have more",
					COMPONENTS_OF_RECORD)
			.isEmpty();
	}

	/**
	 * What a package has, or may have.
	 *
	 * @param files Java files
	 * @param lines lines of them
	 */
	private record Budget(int files, int lines) {

		private Budget plus(Budget other) {
			return new Budget(this.files + other.files, this.lines + other.lines);
		}

		private boolean isWithin(Budget budget) {
			return this.files * 10 <= budget.files * 11 && this.lines * 10 <= budget.lines * 11;
		}

	}

	/**
	 * A file, parsed.
	 *
	 * @param file where it is
	 * @param text what it says
	 * @param unit what the compiler reads
	 * @param positions where the compiler has read it
	 */
	private record Source(Path file, String text, CompilationUnitTree unit, SourcePositions positions) {

		private String name() {
			return this.file.getFileName().toString();
		}

		private boolean isCore() {
			return this.file.startsWith(CORE);
		}

		private String packageName() {
			String name = CORE.relativize(this.file.getParent()).toString();
			return name.isEmpty() ? "root" : name;
		}

		private int lines() {
			return (int) this.text.lines().count();
		}

		private long codeLines() {
			String code = COMMENT.matcher(this.text).replaceAll((found) -> (found.group(1) != null) ? "" : "text");
			return code.lines()
				.filter((line) -> !line.isBlank() && !line.startsWith("import ") && !line.startsWith("package "))
				.count();
		}

		/** Whether this is a kind of file that may be small. */
		private boolean maySmall() {
			if (this.unit.getTypeDecls().isEmpty()) {
				return true;
			}
			ClassTree type = (ClassTree) this.unit.getTypeDecls().get(0);
			boolean open = type.getModifiers().getFlags().contains(Modifier.PUBLIC);
			return switch (type.getKind()) {
				case ENUM, ANNOTATION_TYPE -> true;
				case RECORD -> open;
				case INTERFACE -> (open && packageName().equals("root")) || abstractMethods(type) == 1;
				default -> type.getSimpleName().toString().endsWith("Exception");
			};
		}

		private static long abstractMethods(ClassTree type) {
			return type.getMembers()
				.stream()
				.filter((member) -> member instanceof MethodTree method && method.getBody() == null)
				.count();
		}

		private void eachMethod(BiConsumer<String, Long> consumer) {
			new TreePathScanner<Void, Void>() {

				@Override
				public Void visitMethod(MethodTree method, Void unused) {
					// The compiler gives a class without a constructor one that has no
					// lines.
					if (Source.this.positions.getEndPosition(Source.this.unit, method) >= 0) {
						consumer.accept(name() + "#" + method.getName(), linesOf(method));
					}
					return super.visitMethod(method, unused);
				}

			}.scan(this.unit, null);
		}

		private long linesOf(MethodTree method) {
			// Annotations are left out, as they are no work of the method.
			Tree first = (method.getReturnType() != null) ? method.getReturnType() : method;
			long start = this.positions.getStartPosition(this.unit, first);
			long end = this.positions.getEndPosition(this.unit, method);
			return this.unit.getLineMap().getLineNumber(end) - this.unit.getLineMap().getLineNumber(start) + 1;
		}

		private void eachRecord(BiConsumer<String, Long> consumer) {
			new TreePathScanner<Void, String>() {

				@Override
				public Void visitClass(ClassTree type, String outer) {
					String name = outer.isEmpty() ? type.getSimpleName().toString()
							: outer + "." + type.getSimpleName();
					if (type.getKind() == Kind.RECORD && !isSeenByUsers(type)) {
						consumer.accept(name, components(type));
					}
					return super.visitClass(type, name);
				}

			}.scan(this.unit, "");
		}

		private boolean isSeenByUsers(ClassTree type) {
			return name().endsWith("Properties.java") || (isCore() && packageName().equals("root")
					&& type.getModifiers().getFlags().contains(Modifier.PUBLIC));
		}

		private static long components(ClassTree type) {
			return type.getMembers()
				.stream()
				.filter((member) -> member instanceof VariableTree field
						&& !field.getModifiers().getFlags().contains(Modifier.STATIC))
				.count();
		}

	}

}
