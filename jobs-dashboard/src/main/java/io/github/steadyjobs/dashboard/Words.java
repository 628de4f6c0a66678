package io.github.steadyjobs.dashboard;

import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/**
 * The texts of the pages, by key. Callers must format numbers and times before passing
 * them as arguments.
 */
final class Words {

	private static final ResourceBundle BUNDLE = ResourceBundle.getBundle("io.github.steadyjobs.dashboard.words",
			Locale.ROOT);

	private Words() {
	}

	static String of(String key, Object... arguments) {
		// Format texts without arguments too, so that all apostrophes are escaped.
		return new MessageFormat(BUNDLE.getString(key), Locale.ENGLISH).format(arguments);
	}

}
