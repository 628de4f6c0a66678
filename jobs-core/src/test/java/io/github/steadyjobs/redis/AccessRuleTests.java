package io.github.steadyjobs.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.steadyjobs.support.RedisUser;
import io.github.steadyjobs.support.Repository;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AccessRule}: that it has what the sources use and no more, and that
 * {@code docs/operations.md} says the same.
 */
class AccessRuleTests {

	private static final Pattern SENT = Pattern.compile("CommandType\\.([A-Z]+)");

	private static final Pattern CALLED = Pattern.compile("(?:redis\\.p?call|hint)\\(['\"](\\w+)['\"]");

	private static final Set<String> IN_CLUSTER = Set.of("asking", "cluster");

	@Test
	void ruleOfWorkerHasEveryCommandOfTheSources() throws IOException {
		SortedSet<String> used = new TreeSet<>();
		addMatches(used, SENT, "java", ".java");
		addMatches(used, CALLED, "resources", ".lua");
		used.removeAll(IN_CLUSTER);
		assertThat(AccessRule.ofWorker("steadyjobs").commands())
			.as("commands in scripts are found; others stand in AccessRule.SENT_BY_WORKERS or SENT_BY_PRODUCERS")
			.containsExactlyElementsOf(used);
	}

	@Test
	void commandsThatOnlyAClusterNeedsAreInTheDocument() throws IOException {
		assertThat(Files.readString(Repository.root().resolve("docs/operations.md")))
			.contains("`+asking +cluster|nodes");
	}

	@Test
	void ruleOfWorkerIsInTheDocument() {
		assertThat(RedisUser.documented("jobs")).as("docs/operations.md, The Redis user")
			.endsWith(" " + AccessRule.ofWorker("steadyjobs"));
	}

	@Test
	void ruleOfProducerIsInTheDocument() {
		assertThat(RedisUser.documented("shop")).as("docs/operations.md, The Redis user")
			.endsWith(" " + AccessRule.ofProducer("steadyjobs"));
	}

	@Test
	void ruleOfProducerIsPartOfThatOfTheWorker() {
		assertThat(AccessRule.ofWorker("p").commands()).containsAll(AccessRule.ofProducer("p").commands());
	}

	private static void addMatches(SortedSet<String> names, Pattern pattern, String kind, String ending)
			throws IOException {
		Path folder = Repository.root().resolve("jobs-core/src/main/" + kind + "/io/github/steadyjobs/redis");
		try (Stream<Path> files = Files.walk(folder)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(ending)).toList()) {
				pattern.matcher(Files.readString(file))
					.results()
					.forEach((match) -> names.add(match.group(1).toLowerCase(Locale.ROOT)));
			}
		}
	}

}
