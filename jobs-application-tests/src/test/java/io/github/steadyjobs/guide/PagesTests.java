package io.github.steadyjobs.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.support.Repository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the code in the README and in the documents comes from classes that are
 * compiled, that each page shows the imports of its code, and that links lead somewhere.
 * The classes of a page are in the package {@code io.github.steadyjobs.guide.<page>} of
 * the test sources of any module. A block with the code of another library has its name
 * after the language, as in {@code java jobrunr}.
 */
class PagesTests {

	private static final Pattern BLOCK = Pattern.compile("(?sm)^```(?:java|kotlin)\n(.*?)^```$");

	private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([\\w.]+)\\.(\\w+|\\*);?$\n?");

	private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?<!:)//[^\n]*");

	private static final Pattern MODULE = Pattern
		.compile("<groupId>io.github.steadyjobs</groupId>\\s+<artifactId>([\\w-]+)</artifactId>\\s+(<version>)?");

	private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)\\s]+)\\)");

	@ParameterizedTest
	@MethodSource("pages")
	void codeIsThatOfClasses(String page) {
		List<String> sources = sources(page);
		assertThat(code(page)).allSatisfy((block) -> assertThat(sources).as(block).anyMatch(contains(block)));
	}

	@ParameterizedTest
	@MethodSource("pages")
	void pageShowsTheImportsOfItsCode(String page) {
		Set<String> shown = imports(blocks(page));
		Set<String> needed = code(page).stream()
			.flatMap((block) -> sources(page).stream()
				.filter(contains(block))
				.flatMap((source) -> imports(List.of(source)).stream())
				.filter((name) -> uses(block, name)))
			.collect(Collectors.toSet());
		assertThat(shown).allMatch((name) -> name.endsWith(".*") || imports(sources(page)).contains(name));
		assertThat(needed).allMatch((name) -> shown.contains(name) || shown.contains(name.replaceFirst("\\w+$", "*")));
	}

	@ParameterizedTest
	@MethodSource("pages")
	void linksLeadToPagesAndHeadings(String page) {
		Path folder = Repository.root().resolve(page).getParent();
		List<String> links = LINK.matcher(Repository.read(page)).results().map((link) -> link.group(1)).toList();
		assertThat(links).allSatisfy((link) -> {
			String[] parts = link.split("#", 2);
			Path target = parts[0].isEmpty() ? Repository.root().resolve(page) : folder.resolve(parts[0]).normalize();
			assertThat(target).exists();
			if (parts.length > 1) {
				assertThat(anchors(target)).contains(parts[1]);
			}
		});
	}

	@ParameterizedTest
	@MethodSource("pages")
	void versionsOfModulesComeFromTheBom(String page) {
		assertThat(MODULE.matcher(Repository.read(page)).results()).allSatisfy((module) -> {
			assertThat(Repository.root().resolve(module.group(1))).isDirectory();
			assertThat(module.group(2) != null).isEqualTo(module.group(1).equals("jobs-bom"));
		});
	}

	@Test
	void tableOfContentsHasEveryPage() {
		String contents = Repository.read("docs/README.md");
		assertThat(pages().filter((page) -> page.startsWith("docs/") && !page.endsWith("README.md")))
			.allMatch((page) -> contents.contains("(" + page.substring("docs/".length())));
	}

	static Stream<String> pages() {
		Path root = Repository.root();
		return Stream.concat(Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md"),
				files(root.resolve("docs")).filter((file) -> file.toString().endsWith(".md"))
					.map((file) -> root.relativize(file).toString()));
	}

	/**
	 * Return the blocks without their imports. Blocks that only have imports are left
	 * out.
	 */
	private static List<String> code(String page) {
		return blocks(page).stream()
			.map((block) -> IMPORT.matcher(block).replaceAll(""))
			.filter((block) -> !block.isBlank())
			.toList();
	}

	private static List<String> blocks(String page) {
		return BLOCK.matcher(Repository.read(page)).results().map((block) -> block.group(1)).toList();
	}

	private static List<String> sources(String page) {
		String name = page.replaceFirst("^docs/", "").replaceFirst("\\.md$", "").replace("-", "");
		Path classes = Path.of("io/github/steadyjobs/guide", name.toLowerCase(Locale.ROOT));
		return files(Repository.root()).filter((module) -> module.getFileName().toString().startsWith("jobs-"))
			.flatMap((module) -> Stream.of(module.resolve("src/test/java"), module.resolve("src/test/kotlin")))
			.map((sources) -> sources.resolve(classes))
			.filter(Files::isDirectory)
			.flatMap((sources) -> files(sources))
			.map((file) -> Repository.read(Repository.root().relativize(file).toString()))
			.toList();
	}

	/** A block is compared without comments and white space; '…' stands for any text. */
	private static Predicate<String> contains(String block) {
		String pattern = Stream.of(bare(block).split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*?"));
		return (source) -> Pattern.compile(pattern).matcher(bare(source)).find();
	}

	private static String bare(String code) {
		return COMMENT.matcher(code).replaceAll("").replaceAll("\\s", "");
	}

	private static Set<String> imports(List<String> sources) {
		return sources.stream()
			.flatMap((source) -> IMPORT.matcher(source).results())
			.map((found) -> found.group(1) + "." + found.group(2))
			.collect(Collectors.toSet());
	}

	private static boolean uses(String block, String name) {
		String code = COMMENT.matcher(block).replaceAll("").replaceAll("\"[^\"\n]*\"", "");
		String type = Pattern.quote(name.substring(name.lastIndexOf('.') + 1));
		return Pattern.compile("(?<![.\\w])" + type + "\\b").matcher(code).find();
	}

	/** Return the anchors that GitHub gives to the headings of a page. */
	private static Set<String> anchors(Path page) {
		return Pattern.compile("(?m)^#+ (.+)$")
			.matcher(Repository.read(Repository.root().relativize(page).toString()))
			.results()
			.map((heading) -> heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "").replace(' ', '-'))
			.collect(Collectors.toSet());
	}

	private static Stream<Path> files(Path folder) {
		try (Stream<Path> files = Files.list(folder)) {
			return files.toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
