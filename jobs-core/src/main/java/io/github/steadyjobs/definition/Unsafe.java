package io.github.steadyjobs.definition;

/**
 * Something that cannot be stored as JSON and read back.
 *
 * @param path where it is, as in {@code args[0].lines[3].price}
 * @param found what it is, as the rest of a sentence
 * @param advice what to do instead, as a sentence
 */
record Unsafe(String path, String found, String advice) {

	/**
	 * Create a finding at the place that is being looked at. Who called adds the way
	 * there, so that a path is made only when it is needed.
	 * @param found what was found
	 * @param advice what to do instead
	 * @return the finding
	 */
	static Unsafe here(String found, String advice) {
		return new Unsafe("", found, advice);
	}

	Unsafe within(String step) {
		return new Unsafe(step + this.path, this.found, this.advice);
	}

	String description() {
		return this.path + " " + this.found + ".";
	}

}
