package io.github.steadyjobs.test.boot.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.support.Repository;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the Java code in {@code docs/testing.md} is the same as the classes of this
 * package, which are compiled and run.
 */
class TestingPageTests {

	private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)\n```");

	@Test
	void everyBlockIsPartOfAClass() throws IOException {
		String classes;
		Path sources = Repository.root()
			.resolve("jobs-test/src/test/java")
			.resolve(getClass().getPackageName().replace('.', '/'));
		try (Stream<Path> files = Files.list(sources)) {
			classes = files.map(TestingPageTests::read).collect(Collectors.joining("\n"));
		}
		List<String> blocks = BLOCK.matcher(Repository.read("docs/testing.md"))
			.results()
			.map((MatchResult block) -> block.group(1))
			.toList();
		assertThat(blocks).hasSize(4)
			.allSatisfy((block) -> assertThat(unindented(classes)).contains(unindented(block)));
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String unindented(String code) {
		return code.lines().map(String::strip).collect(Collectors.joining("\n"));
	}

}
