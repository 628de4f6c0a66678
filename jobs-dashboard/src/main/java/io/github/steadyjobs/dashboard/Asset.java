package io.github.steadyjobs.dashboard;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A static file that pages load.
 *
 * @param name the name of the file, such as {@code style.css}
 * @param type the media type of the file
 * @param content the content of the file
 * @param address the name with a hash of the content, such as {@code
 * style-0f3a9c2b5d6e7f80.css}
 */
record Asset(String name, String type, byte[] content, String address) {

	private static final Pattern ADDRESS = Pattern.compile("([a-z]+)-[0-9a-f]{16}(\\.[a-z]+)");

	static Asset of(String name, String type, byte[] content) {
		return new Asset(name, type, content, name.replace(".", "-" + ContentHash.of(content) + "."));
	}

	/** Return the file name that an address contains, otherwise the whole address. */
	static String nameOf(String address) {
		Matcher matcher = ADDRESS.matcher(address);
		return matcher.matches() ? matcher.group(1) + matcher.group(2) : address;
	}

}
