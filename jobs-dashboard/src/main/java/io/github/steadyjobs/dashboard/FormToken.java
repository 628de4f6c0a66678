package io.github.steadyjobs.dashboard;

import java.util.function.Supplier;

/**
 * A hidden form field whose value other sites cannot know.
 *
 * @param name the name of the field
 * @param source returns the value, and may start a session in which to store it
 */
record FormToken(String name, Supplier<String> source) {

	String value() {
		return this.source.get();
	}

}
