package io.github.steadyjobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.support.Repository;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code docs/checklist.md} is complete, and that the proofs that it names
 * exist.
 */
class ChecklistTests {

	private static final Pattern ROW = Pattern.compile("\\| ([A-Z]{2,3}-X?\\d+) \\|.*");

	private static final Pattern TEST = Pattern.compile("`(\\w+Tests)(?:#(\\w+))?`");

	private static final Pattern METHOD = Pattern.compile("`(\\w+Tests)#\\w+`");

	private static final Pattern ID = Pattern.compile("\\b[A-Z]{2,3}-X?\\d+\\b");

	private static final Pattern PAGE = Pattern.compile("\\]\\([\\w-]+\\.md(#[\\w-]+)?\\)");

	private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");

	private static final String DOCUMENT = Repository.read("docs/checklist.md");

	@Test
	void everyRowIsThereOnceAndInOrder() {
		List<String> ids = new ArrayList<>();
		addRows(ids, "AMB-", 14);
		addRows(ids, "SK-", 85);
		addRows(ids, "GL-", 22);
		addRows(ids, "GL-X", 13);
		addRows(ids, "UL-", 12);
		addRows(ids, "LK-", 54);
		addRows(ids, "JG-", 17);
		assertThat(rows().map((row) -> row.split("\\|")[1].strip())).containsExactlyElementsOf(ids);
	}

	@Test
	void everyRowHasDescriptionStatusAndProof() {
		assertThat(rows()).allSatisfy((row) -> {
			String[] cells = row.split("\\|");
			assertThat(cells).hasSize(5);
			assertThat(cells[2]).isNotBlank();
			assertThat(cells[3].strip()).isIn("met", "met in another way", "does not apply", "not yet");
			assertThat(cells[4]).isNotBlank();
		});
	}

	@Test
	void everyTestNamedExists() throws IOException {
		Map<String, Path> files = testFiles();
		List<MatchResult> named = TEST.matcher(DOCUMENT).results().toList();
		List<String> missing = new ArrayList<>();
		for (MatchResult test : named) {
			Path file = files.get(test.group(1));
			String method = test.group(2);
			if (file == null || (method != null && !Files.readString(file).contains("void " + method + "("))) {
				missing.add(test.group());
			}
		}
		assertThat(named).isNotEmpty();
		assertThat(missing).as("tests that are named in docs/checklist.md but do not exist").isEmpty();
	}

	/**
	 * If a row has nothing to test, its proof is a page, or another row that a test
	 * names.
	 */
	@Test
	void everyMetRowIsNamedByATestOfItsProof() throws IOException {
		Map<String, String> proofs = proofsOfMetRows();
		Set<String> named = new TreeSet<>();
		Map<String, Path> files = testFiles();
		for (String row : proofs.keySet()) {
			for (MatchResult test : METHOD.matcher(proofs.get(row)).results().toList()) {
				Path file = files.get(test.group(1));
				if (file != null
						&& ID.matcher(Files.readString(file)).results().anyMatch((id) -> id.group().equals(row))) {
					named.add(row);
				}
			}
		}
		List<String> unnamed = proofs.keySet()
			.stream()
			.filter((row) -> !named.contains(row))
			.filter((row) -> METHOD.matcher(proofs.get(row)).find()
					|| !(PAGE.matcher(proofs.get(row)).find() || refersTo(named, proofs.get(row))))
			.toList();
		assertThat(unnamed)
			.as("rows that are marked as met but not named by a test of their proof. Name the test in docs/checklist.md as "
					+ "`Class#method`, and the row in the @DisplayName of the test. Otherwise mark the row as not met")
			.isEmpty();
	}

	private static boolean refersTo(Set<String> rows, String proof) {
		return ID.matcher(proof).results().anyMatch((id) -> rows.contains(id.group()));
	}

	private static void addRows(List<String> ids, String prefix, int count) {
		String format = (prefix.equals("AMB-") || prefix.endsWith("X")) ? "%s%d" : "%s%02d";
		IntStream.rangeClosed(1, count).forEach((number) -> ids.add(format.formatted(prefix, number)));
	}

	private static Map<String, String> proofsOfMetRows() {
		Map<String, String> proofs = new TreeMap<>();
		rows().map((row) -> row.split("\\|"))
			.filter((cells) -> cells[3].strip().startsWith("met"))
			.forEach((cells) -> proofs.put(cells[1].strip(), cells[4]));
		return proofs;
	}

	private static Stream<String> rows() {
		return DOCUMENT.lines().filter((line) -> ROW.matcher(line).matches());
	}

	/**
	 * Return the source files of the test classes of all modules, by class name.
	 */
	private static Map<String, Path> testFiles() throws IOException {
		Map<String, Path> files = new TreeMap<>();
		for (MatchResult module : MODULE.matcher(Repository.read("pom.xml")).results().toList()) {
			Path tests = Repository.root().resolve(module.group(1)).resolve("src/test/java");
			if (Files.isDirectory(tests)) {
				try (Stream<Path> found = Files.walk(tests)) {
					found.filter((file) -> file.toString().endsWith("Tests.java"))
						.forEach((file) -> files.put(nameOf(file), file));
				}
			}
		}
		return files;
	}

	private static String nameOf(Path file) {
		String name = file.getFileName().toString();
		return name.substring(0, name.length() - ".java".length());
	}

}
