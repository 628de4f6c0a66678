package io.github.steadyjobs.definition;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The key of a job in place of its arguments. Thread safe.
 */
final class KeyExpression {

	Object evaluate(String job, List<? extends @Nullable Object> arguments) {
		throw new UnsupportedOperationException();
	}

}
