package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the records of the jobs of one process.
 */
final class EffectReader {

	private final int slot;

	private final Map<Long, Run> runs = new LinkedHashMap<>();

	private final List<String> notes = new ArrayList<>();

	private int refused;

	private EffectReader(int slot) {
		this.slot = slot;
	}

	/**
	 * Read a log.
	 * @param log the log of a worker
	 * @param slot number of that worker
	 */
	static EffectReader read(Path log, int slot) throws IOException {
		EffectReader reader = new EffectReader(slot);
		if (Files.exists(log)) {
			reader.readAll(Files.readString(log, StandardCharsets.US_ASCII));
		}
		return reader;
	}

	private void readAll(String text) {
		// A line without a line break was cut short when the process ended.
		String whole = text.substring(0, text.lastIndexOf('\n') + 1);
		whole.lines().forEach((line) -> new EffectLine(line).read(this));
	}

	void begin(long run, long time, int job, String id, long token) {
		this.runs.put(run, new Run(this.slot, job, id, token, time, Run.NEVER, Run.Ending.NONE));
	}

	void end(long run, long time, Run.Ending ending) {
		this.runs.computeIfPresent(run, (number, begun) -> begun.ended(time, ending));
	}

	void refused() {
		this.refused++;
	}

	void note(String text) {
		this.notes.add(text);
	}

	List<Run> runs() {
		return new ArrayList<>(this.runs.values());
	}

	List<String> notes() {
		return this.notes;
	}

	/**
	 * Return how many runs ended without effect because the job had been given to another
	 * worker.
	 */
	int refusals() {
		return this.refused;
	}

}
