package io.github.steadyjobs.benchmarks.chaos;

/**
 * A line of an {@link EffectLog}: a word and its values.
 *
 * @param text the line, without its end
 */
record EffectLine(String text) {

	private static final String BEGIN = "BEGIN";

	private static final String FENCED_OFF = "FENCED_OFF";

	static EffectLine begin(long run, long time, int job, String id) {
		return new EffectLine("%s %d %d %d %s".formatted(BEGIN, run, time, job, id));
	}

	static EffectLine end(long run, long time, Run.Ending ending) {
		return new EffectLine("%s %d %d".formatted(ending, run, time));
	}

	static EffectLine fencedOff(long total) {
		return new EffectLine(FENCED_OFF + " " + total);
	}

	void read(EffectReader reader) {
		String[] words = this.text.split(" ");
		switch (words[0]) {
			case BEGIN -> reader.begin(number(words, 1), number(words, 2), (int) number(words, 3), words[4]);
			case FENCED_OFF -> reader.fencedOff(number(words, 1));
			default -> reader.end(number(words, 1), number(words, 2), Run.Ending.valueOf(words[0]));
		}
	}

	private static long number(String[] words, int index) {
		return Long.parseLong(words[index]);
	}

}
