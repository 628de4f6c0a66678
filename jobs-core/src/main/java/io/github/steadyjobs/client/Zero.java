package io.github.steadyjobs.client;

import java.lang.reflect.Array;

import org.jspecify.annotations.Nullable;

/**
 * What a recorded method returns.
 */
final class Zero {

	private Zero() {
	}

	static @Nullable Object of(Class<?> type) {
		// A new array has the zero of its type in it.
		return (type.isPrimitive() && type != void.class) ? Array.get(Array.newInstance(type, 1), 0) : null;
	}

}
