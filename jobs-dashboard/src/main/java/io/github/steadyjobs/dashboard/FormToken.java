package io.github.steadyjobs.dashboard;

import java.util.function.Supplier;

/**
 * A hidden field of a form, whose value another site cannot know.
 *
 * @param name its name
 * @param source provides the value, and may start a session to store it
 */
record FormToken(String name, Supplier<String> source) {

	String value() {
		return this.source.get();
	}

}
