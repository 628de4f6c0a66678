package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.steadyjobs.support.ScriptFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link JobScript} that only inspect the text of the scripts. They find errors
 * that a single node does not report but a cluster of several nodes would.
 */
class JobScriptTests {

	private static final List<String> PARTS = Arrays.stream(QueuePart.values()).map(QueuePart::text).toList();

	/**
	 * Names that scripts use for keys which are not in {@link QueuePart}.
	 */
	private static final List<String> OTHERS = List.of("damaged", "quarantine", "history", "marks", "report",
			"declared", "activity");

	/**
	 * Names of variables and parameters that hold only keys. {@link #commandsGetKeysOnly}
	 * checks this.
	 */
	private static final List<String> BY_CHOICE = List.of("key", "source", "target");

	@Test
	void keysAreThoseOfTheScriptAndThenThoseOfWhatItIncludesEachOnce() {
		JobScript.Source cancel = source("cancel");
		assertThat(cancel.keys()).startsWith(keys("cancel").toArray(String[]::new)).doesNotHaveDuplicates();
		JobScript.Source trim = source("trim");
		assertThat(trim.keys()).containsExactly("dead", "payloads", "crashes", "stats", "locks", "lockof", "again",
				"mutexes", "ready", "parked", "suspects", "wake", "meta");
	}

	@Test
	void textBeginsWithTheKeysAndHasWhatIsIncluded() {
		String text = new String(source("put-new").text(), StandardCharsets.UTF_8);
		assertThat(text).startsWith("local ready, scheduled, meta, wake = unpack(KEYS)\n")
			.contains("function wakeWorkers(", "function hint(")
			.doesNotContain("#include", "-- keys:");
		assertThat(text.lines().toList().get(1)).isEqualTo(lines("put-new").get(1));
	}

	@Test
	void readWhenFirstLineNamesNoKeysRefuses() {
		assertThatIllegalStateException().isThrownBy(() -> source("keyless"))
			.withMessage("The first line of keyless.lua does not name its keys");
	}

	@ParameterizedTest
	@MethodSource("scripts")
	void keysArePartsOfAQueue(String script) {
		List<String> keys = ScriptFiles.withIncludes(script).stream().flatMap(JobScriptTests::keysOf).toList();
		switch (script) {
			case "quarantine" -> assertThat(keys).contains("damaged");
			case "tally", "mark" -> assertThat(keys).isSubsetOf("history", "marks");
			case "report", "instruct" -> assertThat(keys).containsExactly("report");
			case "declare" -> assertThat(keys).containsExactly("declared");
			case "note" -> assertThat(keys).containsExactly("activity");
			default -> assertThat(keys).isSubsetOf(PARTS);
		}
	}

	@ParameterizedTest
	@MethodSource("files")
	void firstLineNamesTheKeysThatTheCodeUses(String file) {
		List<String> used = matches(code(file), "(?<![.\\w])([a-z]+)\\b(?! = (?:true|function))")
			.filter((word) -> PARTS.contains(word) || OTHERS.contains(word))
			.distinct()
			.toList();
		assertThat(keys(file)).containsExactlyInAnyOrderElementsOf(used);
		assertThat(code(file)).doesNotContain("KEYS");
	}

	@ParameterizedTest
	@MethodSource("files")
	void variablesAreNotNamedLikeKeys(String file) {
		List<String> variables = matches(code(file),
				"(?:\\blocal (?!function)|\\bfor |\\bfunction ?[\\w.]*\\()([\\w, ]*)")
			.flatMap((names) -> Stream.of(names.split(", ")))
			.map(String::strip)
			.toList();
		assertThat(variables).doesNotContainAnyElementsOf(PARTS);
	}

	@ParameterizedTest
	@MethodSource("files")
	void commandsGetKeysOnly(String file) {
		List<String> keys = keys(file);
		assertThat(matches(text(file), "(?:redis\\.p?call|hint)\\(('[^)]*|command, [^)]*)")).allSatisfy((call) -> {
			if (!call.equals("'TIME'")) {
				assertThat(call.replaceAll("^(?:'[A-Z]+'|command), (\\w+)(, .*)?$", "$1"))
					.isIn(append(keys, BY_CHOICE));
			}
		});
		assertThat(matches(text(file), "\\{ '[A-Z]{5,}', (\\w+)(?:, '\\w')? }")).isSubsetOf(keys);
		assertThat(matches(text(file), "\\{ (\\w+), '[A-Z]+' }")).isSubsetOf(keys);
		assertThat(matches(text(file), "later\\('?\\w+'?, (\\w+)")).isSubsetOf(append(keys, List.of("key")));
		String functions = "untilDue|moveDue|setAll|push|readList|readSorted|readHash|readRank|copiesIn|isDue";
		assertThat(matches(text(file), "\\b(?:%s)\\(([^),]*)".formatted(functions)))
			.allSatisfy((argument) -> assertThat(argument).isIn(append(keys, List.of("key"))));
		assertThat(matches(text(file), "\\b(?:source|target)(?:, wanted)? = (?:ARGV\\[7] == '1' and )?([^\n]*)"))
			.allSatisfy((value) -> assertThat(keys).contains(value.split("( or |, math).*")[0]));
	}

	@ParameterizedTest
	@MethodSource("files")
	void errorsAreSwallowedOnlyWhereNoJobIsAtStake(String file) {
		assertThat(text(file).contains("pcall")).isEqualTo(file.equals("hint"));
		assertThat(matches(text(file), "hint\\('(?:HSET|HDEL|HINCRBY|SREM|ZREM|ZADD)', (\\w+)")).isSubsetOf("meta",
				"stats", "since", "cancelled", "crashes", "claims", "locks", "again", "mutexes", "windows");
		assertThat(matches(text(file), "hint\\('([A-Z]+)'")).isSubsetOf("HSET", "HDEL", "HINCRBY", "SREM", "ZREM",
				"ZADD", "HGET", "HMGET", "HLEN", "HVALS", "HSCAN", "HEXISTS", "LLEN", "LPOS", "SCARD", "SISMEMBER",
				"SMISMEMBER", "ZCARD", "ZRANGE", "ZSCORE");
		assertThat(matches(text(file), "\\{ '([A-Z]{5,})', \\w+(?:, '\\w')? }")).isSubsetOf("HMGET", "HSCAN", "LRANGE",
				"SMISMEMBER", "SSCAN", "ZMSCORE", "ZSCAN");
	}

	static List<String> files() {
		return ScriptFiles.names();
	}

	static List<String> scripts() {
		return ScriptFiles.scripts();
	}

	private static JobScript.Source source(String file) {
		return JobScript.Source.read(JobScript.class, file);
	}

	private static List<String> keys(String file) {
		return keysOf(ScriptFiles.text(file)).toList();
	}

	private static Stream<String> keysOf(String text) {
		return matches(text.lines().findFirst().orElseThrow().substring("-- keys:".length()), "(\\w+)");
	}

	private static List<String> lines(String file) {
		return ScriptFiles.text(file).lines().toList();
	}

	private static String text(String file) {
		return String.join("\n", lines(file)) + "\n";
	}

	/**
	 * Return the content of a file without comments and string literals.
	 */
	private static String code(String file) {
		return text(file).replaceAll("(?s)--\\[\\[.*?]]", "").replaceAll("--.*", "").replaceAll("'[^'\n]*'", "''");
	}

	private static List<String> append(List<String> some, List<String> others) {
		return Stream.concat(some.stream(), others.stream()).toList();
	}

	private static Stream<String> matches(String text, String pattern) {
		return Pattern.compile(pattern).matcher(text).results().map((MatchResult match) -> match.group(1));
	}

}
