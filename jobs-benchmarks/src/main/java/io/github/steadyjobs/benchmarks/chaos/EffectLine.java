package io.github.steadyjobs.benchmarks.chaos;

/**
 * A line of an {@link EffectLog}: a word, followed by its values.
 *
 * @param text the line, without the line break
 */
record EffectLine(String text) {

	private static final String STARTED = "STARTED";

	private static final String BEGIN = "BEGIN";

	private static final String REFUSED = "REFUSED";

	private static final String NOTE = "NOTE";

	static EffectLine started(long time) {
		return new EffectLine(STARTED + " " + time);
	}

	static EffectLine begin(long run, long time, int job, String id, long token) {
		return new EffectLine("%s %d %d %d %s %d".formatted(BEGIN, run, time, job, id, token));
	}

	static EffectLine end(long run, long time, Run.Ending ending) {
		return new EffectLine("%s %d %d".formatted(ending, run, time));
	}

	static EffectLine refused(long time, String id) {
		return new EffectLine("%s %d %s".formatted(REFUSED, time, id));
	}

	/**
	 * Create a line with a text whose meaning only the caller knows.
	 */
	static EffectLine note(String text) {
		return new EffectLine(NOTE + " " + text);
	}

	void read(EffectReader reader) {
		String[] words = this.text.split(" ");
		switch (words[0]) {
			case BEGIN ->
				reader.begin(number(words, 1), number(words, 2), (int) number(words, 3), words[4], number(words, 5));
			case STARTED -> {
			}
			case REFUSED -> reader.refused();
			case NOTE -> reader.note(this.text.substring(NOTE.length() + 1));
			default -> reader.end(number(words, 1), number(words, 2), Run.Ending.valueOf(words[0]));
		}
	}

	private static long number(String[] words, int index) {
		return Long.parseLong(words[index]);
	}

}
