package io.github.steadyjobs.boot;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a required property is missing or a property has an invalid value.
 */
final class JobsPropertyException extends RuntimeException {

	private final String property;

	private final @Nullable String value;

	private final String action;

	/**
	 * Create an exception.
	 * @param property the full name of the property
	 * @param value the value of the property, or {@code null} if it is not set
	 * @param action what the user should set instead
	 */
	JobsPropertyException(String property, @Nullable Object value, String action) {
		super("'%s' is %s. %s".formatted(property, (value != null) ? "'" + value + "'" : "not set", action));
		this.property = property;
		this.value = (value != null) ? value.toString() : null;
		this.action = action;
	}

	static void throwUnless(boolean valid, String property, @Nullable Object value, String action) {
		if (!valid) {
			throw new JobsPropertyException(property, value, action);
		}
	}

	String property() {
		return this.property;
	}

	@Nullable String value() {
		return this.value;
	}

	String action() {
		return this.action;
	}

}
