package io.github.steadyjobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.steadyjobs.support.Repository;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the walk of a job in {@code docs/architecture.md} leads through classes that
 * exist. How large a file or a package may be is judged by reading, not here.
 */
class HouseTests {

	private static final List<String> PUBLISHED = List.of("jobs-core", "jobs-embedded-redis", "jobs-postgres",
			"jobs-sidekiq", "jobs-spring-boot-autoconfigure", "jobs-test");

	/** A class in a page. Scripts begin with a small letter. */
	private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)`");

	@Test
	void walkOfAJobNamesFilesThatExist() throws IOException {
		String walk = Repository.read("docs/architecture.md").split("\n## ")[3];
		assertThat(walk).startsWith("The walk of a job");
		List<String> named = NAME.matcher(walk).results().map((name) -> name.group(1)).toList();
		assertThat(named).as("classes that the walk in docs/architecture.md names").hasSizeGreaterThan(40);
		assertThat(files()).as("classes that there are").containsAll(named);
	}

	private static List<String> files() throws IOException {
		List<String> names = new ArrayList<>();
		for (String module : PUBLISHED) {
			try (Stream<Path> found = Files.walk(Repository.root().resolve(module).resolve("src/main/java"))) {
				found.map((file) -> file.getFileName().toString())
					.filter((name) -> name.endsWith(".java"))
					.forEach((name) -> names.add(name.replace(".java", "")));
			}
		}
		return names;
	}

}
