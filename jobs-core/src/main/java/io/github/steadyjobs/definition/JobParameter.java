package io.github.steadyjobs.definition;

import io.github.steadyjobs.InvalidJobException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.node.NullNode;

import org.springframework.util.ClassUtils;

/**
 * One parameter that is stored as JSON.
 *
 * @param index its position among those
 * @param type its declared type
 * @param boxedType the class of its values
 * @param reader reads it
 * @param check checks its values
 */
record JobParameter(int index, JavaType type, Class<?> boxedType, ObjectReader reader, ValueCheck check) {

	static JobParameter of(int index, JavaType type, ObjectReader reader, ValueCheck check) {
		return new JobParameter(index, type, ClassUtils.resolvePrimitiveIfNecessary(type.getRawClass()), reader, check);
	}

	/**
	 * Check a value that is to be enqueued.
	 * @param value the value
	 * @return what was found, or {@code null} if the value fits
	 */
	@Nullable Unsafe check(@Nullable Object value) {
		Unsafe unsafe = this.boxedType.isInstance(value) ? this.check.check(value, null) : checkOther(value);
		return (unsafe != null) ? unsafe.within(path()) : null;
	}

	private @Nullable Unsafe checkOther(@Nullable Object value) {
		if ((value == null && !this.type.isPrimitive()) || Widening.isLossless(value, this.boxedType)) {
			return null;
		}
		return Unsafe.here("is " + ((value != null) ? "of type " + value.getClass().getName() : "null"),
				"Expected: " + typeName() + ".");
	}

	/**
	 * Read a stored value.
	 * @param job the name of the job
	 * @param node the value
	 * @return the value as the parameter wants it
	 * @throws InvalidJobException if it does not fit
	 */
	@Nullable Object read(String job, JsonNode node) {
		try {
			return this.reader.readValue(node.isMissingNode() ? NullNode.getInstance() : node);
		}
		catch (RuntimeException ex) {
			// Without its cause, whose message quotes the value.
			throw new InvalidJobException(
					"Job '%s' cannot run: %s".formatted(job, new Misfit(path(), this.type, node).describe(ex)));
		}
	}

	String typeName() {
		return Misfit.name(this.type);
	}

	private String path() {
		return "args[" + this.index + "]";
	}

}
