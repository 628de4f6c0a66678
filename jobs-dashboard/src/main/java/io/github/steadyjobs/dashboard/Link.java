package io.github.steadyjobs.dashboard;

/**
 * A link with a few words around it.
 *
 * @param before the words before the link
 * @param name the text of the link
 * @param after the words after the link
 * @param address the address that the link leads to
 */
record Link(String before, String name, String after, String address) {

	/** Marks the place of the link in the words. No name contains this character. */
	private static final String MARK = "\0";

	/**
	 * Create a link.
	 * @param key the key of the words; their first argument is the link
	 */
	static Link of(String key, String name, String address, Object... arguments) {
		Object[] all = new Object[arguments.length + 1];
		all[0] = MARK;
		System.arraycopy(arguments, 0, all, 1, arguments.length);
		String words = Words.of(key, all);
		int at = words.indexOf(MARK);
		return new Link(words.substring(0, at), Plain.line(name), words.substring(at + MARK.length()), address);
	}

}
