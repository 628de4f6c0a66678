package io.github.steadyjobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.steadyjobs.support.Repository;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the walks in {@code docs/architecture.md} lead through types that exist, and
 * that each type is connected to the next one. The size of files and packages is judged
 * by reviewers, not here.
 */
class HouseTests {

	private static final List<String> PUBLISHED = List.of("jobs-core", "jobs-recurring", "jobs-admin",
			"jobs-embedded-redis", "jobs-postgres", "jobs-sidekiq", "jobs-spring-boot-autoconfigure", "jobs-test");

	/** A chain of types at the beginning of a line. */
	private static final Pattern CHAIN = Pattern.compile("(?m)^- (`\\w+`(?: → `\\w+`)+):");

	private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");

	private final Map<String, String> sources = sources();

	@ParameterizedTest
	@CsvSource({ "Plain, 76", "Ordered, 20", "Tick, 42" })
	void walkGoesFromEachTypeToTheNext(String title, int most) {
		String walks = Repository.read("docs/architecture.md");
		String walk = section(walks, title);
		Set<String> named = new LinkedHashSet<>();
		CHAIN.matcher(walk).results().forEach((line) -> {
			List<String> chain = List.of(line.group(1).replace("`", "").split(" → "));
			assertThat(this.sources.keySet()).containsAll(chain);
			if (!named.isEmpty()) {
				assertThat(named).as("types that are named before the line %s", line.group(1)).contains(chain.get(0));
			}
			for (int i = 1; i < chain.size(); i++) {
				assertThat(uses(chain.get(i - 1), chain.get(i)) || uses(chain.get(i), chain.get(i - 1)))
					.as("a reference between %s and %s", chain.get(i - 1), chain.get(i))
					.isTrue();
			}
			named.addAll(chain);
		});
		assertThat(named).as("types in the walk '%s'", title).hasSizeBetween(10, most);
	}

	private static String section(String page, String title) {
		String begun = page.split("\n### " + title + "\n", 2)[1];
		return begun.split("\n##", 2)[0];
	}

	private boolean uses(String one, String other) {
		return Pattern.compile("\\b" + other + "\\b").matcher(this.sources.get(one)).find();
	}

	private static Map<String, String> sources() {
		Map<String, String> sources = new HashMap<>();
		for (String module : PUBLISHED) {
			try (Stream<Path> found = Files.walk(Repository.root().resolve(module).resolve("src/main/java"))) {
				for (Path file : found.filter((path) -> path.toString().endsWith(".java")).toList()) {
					sources.put(file.getFileName().toString().replace(".java", ""),
							COMMENT.matcher(Files.readString(file)).replaceAll(""));
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return sources;
	}

}
