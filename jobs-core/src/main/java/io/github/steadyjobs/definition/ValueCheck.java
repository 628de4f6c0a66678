package io.github.steadyjobs.definition;

import org.jspecify.annotations.Nullable;

/**
 * Looks for values that JSON cannot hold, as far as the declared type left that open.
 * Thread safe.
 */
@FunctionalInterface
interface ValueCheck {

	/**
	 * Every value of the declared type can be stored, so that none is looked at.
	 */
	ValueCheck SAFE = (value, ancestors) -> null;

	/**
	 * Check a value.
	 * @param value the value
	 * @param ancestors what it lies in, as far as a cycle may go through it
	 * @return what was found, or {@code null} if the value can be stored
	 */
	@Nullable Unsafe check(Object value, @Nullable Ancestors ancestors);

	default @Nullable Unsafe checkNullable(@Nullable Object value, @Nullable Ancestors ancestors) {
		return (value != null) ? check(value, ancestors) : null;
	}

}
