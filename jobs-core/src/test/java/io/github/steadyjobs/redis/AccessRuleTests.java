package io.github.steadyjobs.redis;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;

import io.github.steadyjobs.support.RedisUser;
import io.github.steadyjobs.support.Repository;
import io.github.steadyjobs.support.ScriptFiles;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@link AccessRule} contains exactly the permissions that the sources need,
 * and that {@code docs/redis.md} documents the same permissions.
 */
class AccessRuleTests {

	private static final Pattern SENT = Pattern.compile("CommandType\\.([A-Z]+)");

	/** Finds commands in calls, and in tables of commands and keys. */
	private static final Pattern CALLED = Pattern
		.compile("(?:(?:redis\\.p?call|hint|later)\\(|\\{ (?='[A-Z]{5,}', \\w+(?:, '\\w')? }))['\"](\\w+)['\"]");

	private static final List<String> IN_CLUSTER = List.of("ASKING", "CLUSTER");

	/**
	 * The scripts of producers, including {@code ticks}, because the health check of each
	 * process reads recurring jobs.
	 */
	private static final List<String> OF_PRODUCERS = List.of("enqueue", "gather", "cancel", "sample", "declare",
			"ticks");

	private static final List<String> SENT_BY_PRODUCERS = List.of("EVAL", "EVALSHA", "HGET", "HLEN", "INFO", "SADD",
			"SMEMBERS", "TIME", "TYPE", "WAIT");

	@Test
	void ruleOfWorkerHasEveryCommandOfTheSources() {
		Collection<String> used = new TreeSet<>(matches(ScriptFiles.sources(".java"), SENT));
		used.addAll(matches(ScriptFiles.sources(".lua"), CALLED));
		used.removeAll(IN_CLUSTER);
		assertThat(AccessRule.ofWorker("steadyjobs")).isEqualTo("~steadyjobs:* " + allow(used));
	}

	@Test
	void commandsThatOnlyAClusterNeedsAreInTheDocument() {
		assertThat(Repository.read("docs/redis.md")).contains("`+asking +cluster|nodes");
	}

	@Test
	void ruleOfWorkerIsInTheDocument() {
		assertThat(RedisUser.documented("jobs")).as("docs/redis.md, The Redis user")
			.endsWith(" " + AccessRule.ofWorker("steadyjobs"));
	}

	@Test
	void ruleOfProducerInTheDocumentHasTheCommandsThatItSends() {
		Collection<String> used = new TreeSet<>(SENT_BY_PRODUCERS);
		OF_PRODUCERS.forEach((script) -> used.addAll(matches(ScriptFiles.withIncludes(script), CALLED)));
		assertThat(RedisUser.documented("shop")).as("docs/redis.md, The Redis user")
			.endsWith(" ~steadyjobs:* " + allow(used));
	}

	private static List<String> matches(Collection<String> texts, Pattern pattern) {
		return texts.stream()
			.flatMap((text) -> pattern.matcher(text).results().map((match) -> match.group(1)))
			.toList();
	}

	private static String allow(Collection<String> commands) {
		return String.join(" ", commands.stream().map((command) -> "+" + command.toLowerCase(Locale.ROOT)).toList());
	}

}
