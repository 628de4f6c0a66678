package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobScript}: what can be told from the text of the scripts alone. A
 * single node executes what a cluster of several would refuse.
 */
class JobScriptTests {

	@ParameterizedTest
	@EnumSource
	void headerNamesEveryKey(JobScript script) {
		assertThat(numbers(header(script), "KEYS\\[(\\d+)\\]"))
			.isEqualTo(IntStream.rangeClosed(1, script.keys()).boxed().toList());
	}

	@ParameterizedTest
	@EnumSource
	void codeUsesEveryKey(JobScript script) {
		assertThat(numbers(code(script), "KEYS\\[(\\d+)\\]").stream().distinct().sorted())
			.isEqualTo(IntStream.rangeClosed(1, script.keys()).boxed().toList());
	}

	@ParameterizedTest
	@EnumSource
	void commandsGetDeclaredKeysOnly(JobScript script) {
		List<String> commands = matches(code(script), "redis\\.p?call\\(([^)]*)").toList();
		assertThat(commands).isNotEmpty()
			.allSatisfy((arguments) -> assertThat(arguments)
				.matches("'[A-Z]+', (KEYS\\[\\d+\\]|key|source|target|at\\.[a-z]+)(,.*)?|'TIME'"));
		// A parameter or variable of these names gets nothing but a key.
		String functions = "untilDue|makeReady|isThere|readList|readPage|scan|markFields|markMembers|markList|leaveTokens";
		assertThat(matches(code(script), "(?:%s)\\(([^),]*)".formatted(functions)))
			.allMatch((argument) -> argument.matches("key|KEYS\\[\\d+\\]|at\\.wake"));
		assertThat(matches(code(script), "(?:source|target)(?:, wanted)? = ([^\n]*)"))
			.allMatch((value) -> value.matches("(suspect and KEYS\\[\\d+\\] or )?KEYS\\[\\d+\\](, .*)?"));
	}

	@ParameterizedTest
	@EnumSource
	void includedCodeGetsEachKeyByItsName(JobScript script) {
		List<String> names = names(script);
		assertThat(matches(code(script), "\\b((?!source|target|wanted)[a-z]+ = KEYS\\[\\d+\\])[ ,]"))
			.allSatisfy((key) -> {
				String name = key.substring(0, key.indexOf(' '));
				assertThat(names.get(numbers(key, "(\\d+)").get(0) - 1)).isEqualTo(name);
			});
	}

	@ParameterizedTest
	@EnumSource
	void errorsAreSwallowedOnlyWhereNoJobIsAtStake(JobScript script) {
		List<String> names = names(script);
		assertThat(matches(code(script), "pcall\\('(?:HSET|HDEL|HINCRBY|SREM)', KEYS\\[(\\d+)\\]"))
			.map((number) -> names.get(Integer.parseInt(number) - 1))
			.isSubsetOf("meta", "stats", "since", "cancelled", "crashes", "claims", "parked");
		assertThat(matches(code(script), "pcall\\('(?:HSET|HDEL|ZREM)', at\\.([a-z]+)")).isSubsetOf("locks", "lockof",
				"again", "mutexes", "windows", "crashes");
		assertThat(matches(code(script), "pcall\\('([A-Z]+)'")).isSubsetOf("HSET", "HDEL", "HINCRBY", "SREM", "ZREM",
				"HGET", "HMGET", "HLEN", "HKEYS", "HVALS", "HSCAN", "HEXISTS", "LLEN", "SCARD", "SISMEMBER", "ZCARD",
				"ZRANGE", "ZSCORE");
	}

	private static List<String> names(JobScript script) {
		return matches(header(script), "KEYS\\[\\d+\\] +(\\w+)").toList();
	}

	private static String header(JobScript script) {
		String source = source(script);
		return source.substring(0, source.indexOf("]]\n"));
	}

	private static String code(JobScript script) {
		String source = source(script);
		return source.substring(source.indexOf("]]\n"));
	}

	private static String source(JobScript script) {
		return new String(script.source(), StandardCharsets.UTF_8);
	}

	private static List<Integer> numbers(String text, String pattern) {
		return matches(text, pattern).map(Integer::valueOf).toList();
	}

	private static Stream<String> matches(String text, String pattern) {
		return Pattern.compile(pattern).matcher(text).results().map((MatchResult match) -> match.group(1));
	}

}
