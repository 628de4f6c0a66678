package io.github.steadyjobs.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobDetails;
import io.github.steadyjobs.admin.JobLock;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.audit.ViolationKind;
import io.github.steadyjobs.dashboard.PauseAction.Length;
import io.github.steadyjobs.doctor.Check;
import io.github.steadyjobs.recurring.RecurringState;
import io.github.steadyjobs.recurring.RecurringTick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the bundle has all texts that the pages use, and no other texts.
 */
class WordsTests {

	private static final Set<String> KEYS = ResourceBundle
		.getBundle("io.github.steadyjobs.dashboard.words", Locale.ROOT)
		.keySet();

	private static final Pattern LITERAL = Pattern.compile("\"([a-z][a-z0-9.-]*)\"");

	private static final Pattern USE = Pattern
		.compile("(?:Words\\.of|badRequest|forbidden|notFound)\\(\\s*\"([^\"]+)\"");

	private final String sources = sources();

	@Test
	void wordsThatAreUsedExist() {
		assertThat(USE.matcher(this.sources).results().map((use) -> use.group(1))).hasSizeGreaterThan(100)
			.allSatisfy((used) -> assertThat(KEYS)
				.anyMatch((key) -> used.endsWith(".") ? key.startsWith(used) : key.equals(used)));
	}

	@Test
	void wordsThatExistAreUsed() {
		Set<String> literals = LITERAL.matcher(this.sources)
			.results()
			.map((literal) -> literal.group(1))
			.collect(Collectors.toSet());
		Stream.of(ProcessAction.Order.values()).map(Visit::text).forEach(literals::add);
		Stream.of(JobAction.values())
			.flatMap((action) -> Stream.of(Visit.text(action), BulkAction.name(action)))
			.forEach(literals::add);
		Set<String> unused = new TreeSet<>(KEYS);
		unused.removeIf((key) -> literals.contains(key) || parts(key).anyMatch(literals::contains));
		assertThat(unused).isEmpty();
	}

	/** Return the literals in the code from which a key may be composed. */
	private static Stream<String> parts(String key) {
		String question = key.replaceFirst("\\.(title|text|submit|progress)$", "");
		String hint = key.replaceFirst("\\.(hint|advice|text|from|to)$", "");
		return Stream.of(key, question, hint)
			.flatMap((one) -> Stream.of(one, one.substring(0, one.lastIndexOf('.') + 1)));
	}

	@Test
	void wordsOfConstantsExist() {
		for (Area area : Area.values()) {
			assertThat(area.title()).isNotEmpty();
		}
		for (Concern.Level level : Concern.Level.values()) {
			assertThat(level.title()).isNotEmpty();
		}
		for (Notice notice : Notice.values()) {
			assertThat(notice.text(1, 2)).isNotEmpty();
		}
		for (Length length : Length.values()) {
			assertThat(length.title()).isNotEmpty();
		}
		assertThat(keys("period.", Period.values())).isSubsetOf(KEYS);
		assertThat(keys("chart.summary.", Period.values())).isSubsetOf(KEYS);
		assertThat(keys("check.", Check.values())).isSubsetOf(KEYS);
		for (String place : List.of("place.", "purge.", "list.none.", "time.")) {
			assertThat(keys(place, JobPlace.values()).filter((key) -> !key.equals("purge.working"))).isSubsetOf(KEYS);
		}
		assertThat(keys("reason.", JobDetails.Reason.values())).isSubsetOf(KEYS)
			.allSatisfy((key) -> assertThat(KEYS).contains(key + ".advice"));
		assertThat(keys("bulk.", JobAction.values())).isSubsetOf(KEYS);
		assertThat(keys("job.action.", JobAction.values())).isSubsetOf(KEYS);
		assertThat(keys("strategy.", Idempotent.Strategy.values())).containsAnyElementsOf(KEYS)
			.filteredOn((key) -> !key.equals("strategy.default"))
			.isSubsetOf(KEYS);
		assertThat(keys("locks.state.", JobLock.State.values())).isSubsetOf(KEYS);
		assertThat(keys("violation.", ViolationKind.values())).isSubsetOf(KEYS);
		assertThat(keys("outcome.", JobOutcome.values())).isSubsetOf(KEYS);
		assertThat(keys("tick.", RecurringTick.Decision.values())).isSubsetOf(KEYS);
		assertThat(keys("missed.", Recurring.Missed.values())).isSubsetOf(KEYS);
		assertThat(keys("overlap.", Recurring.Overlap.values())).isSubsetOf(KEYS);
		assertThat(keys("recurring.status.", RecurringState.Status.values())).isSubsetOf(KEYS)
			.allSatisfy((key) -> assertThat(KEYS).contains(key + ".text"));
		assertThat(keys("names.sort.", NamesPage.Sort.values())).isSubsetOf(KEYS);
		assertThat(keys("process.state.", JobProcess.State.values())).isSubsetOf(KEYS);
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 403, 404, 405, 409, 500, 503 })
	void wordsOfFailuresExist(int status) {
		assertThat(Words.of("failure." + status)).isNotEmpty();
	}

	@Test
	void wordsAreFormatted() {
		assertThat(Words.of("notice.purged", 1L)).isEqualTo("One job was deleted.");
		assertThat(Words.of("notice.purged", 12345L)).isEqualTo("12,345 jobs were deleted.");
		assertThat(Words.of("notice.jobs-changed", 2L, 1L))
			.isEqualTo("2 jobs were changed. One was not, because it had changed meanwhile.");
		assertThat(Words.of("delete-all.title", 10_000L, 0)).isEqualTo("Delete at least 10,000 jobs");
		assertThat(Words.of("list.some", 50, 700, 1)).isEqualTo("50 jobs on this page, of 700 that were examined");
		assertThat(KEYS).allSatisfy((key) -> assertThat(Words.of(key)).doesNotContain("''"));
	}

	private static Stream<String> keys(String prefix, Enum<?>[] constants) {
		return Stream.of(constants).map((constant) -> prefix + Visit.text(constant));
	}

	private static String sources() {
		return Stream.of("src/main/java", "src/main/jte").flatMap((directory) -> {
			try (Stream<Path> files = Files.walk(Path.of(directory))) {
				return files.filter(Files::isRegularFile).map(WordsTests::read).toList().stream();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}).collect(Collectors.joining("\n"));
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
