package io.github.steadyjobs.dashboard;

import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/**
 * The texts of the pages, by key. Callers format numbers and times before they pass them
 * as arguments.
 */
final class Words {

	private static final ResourceBundle BUNDLE = ResourceBundle.getBundle("io.github.steadyjobs.dashboard.words",
			Locale.ROOT);

	private Words() {
	}

	static String of(String key, Object... arguments) {
		// Always through the format, so that an apostrophe is written in one way.
		return new MessageFormat(BUNDLE.getString(key), Locale.ENGLISH).format(arguments);
	}

}
