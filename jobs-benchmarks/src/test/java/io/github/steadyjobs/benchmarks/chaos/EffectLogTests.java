package io.github.steadyjobs.benchmarks.chaos;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EffectLog} and {@link EffectReader}.
 */
class EffectLogTests {

	@TempDir
	private Path directory;

	@Test
	void readWhenRunsEndedTellsHow() throws Exception {
		Path log = log();
		try (EffectLog effects = new EffectLog(log)) {
			EffectLog.Effect first = effects.begin(1, "a", 7);
			effects.begin(2, "b", 7).failed();
			effects.begin(3, "c", 7);
			first.done();
			effects.refused("a");
		}
		EffectReader reader = EffectReader.read(log, 2);
		assertThat(reader.runs()).extracting(Run::slot, Run::job, Run::id, Run::token, Run::ending)
			.containsExactly(tuple(1, "a", Run.Ending.DONE), tuple(2, "b", Run.Ending.FAILED),
					tuple(3, "c", Run.Ending.NONE));
		assertThat(reader.refusals()).isOne();
	}

	@Test
	void readWhenLastLineIsCutShortIgnoresIt() throws Exception {
		Path log = log();
		try (EffectLog effects = new EffectLog(log)) {
			effects.begin(1, "a", 7);
		}
		Files.writeString(log, "DONE 1 17", StandardOpenOption.APPEND);
		assertThat(EffectReader.read(log, 2).runs()).extracting(Run::ending).containsExactly(Run.Ending.NONE);
	}

	@Test
	void readWhenProcessNeverWroteIsEmpty() throws Exception {
		assertThat(EffectReader.read(log(), 2).runs()).isEmpty();
	}

	@Test
	void endWhenThreadIsInterruptedIsWrittenAndStaysInterrupted() throws Exception {
		Path log = log();
		try (EffectLog effects = new EffectLog(log)) {
			EffectLog.Effect effect = effects.begin(1, "a", 7);
			Thread.currentThread().interrupt();
			effect.interrupted();
			assertThat(Thread.interrupted()).isTrue();
			effects.begin(2, "b", 7);
		}
		assertThat(EffectReader.read(log, 2).runs()).extracting(Run::ending)
			.containsExactly(Run.Ending.INTERRUPTED, Run.Ending.NONE);
	}

	private Path log() {
		return this.directory.resolve("worker.log");
	}

	private static org.assertj.core.groups.Tuple tuple(int job, String id, Run.Ending ending) {
		return org.assertj.core.groups.Tuple.tuple(2, job, id, 7L, ending);
	}

}
