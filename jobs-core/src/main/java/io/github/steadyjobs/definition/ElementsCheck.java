package io.github.steadyjobs.definition;

import java.util.Arrays;
import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * Checks the elements of a collection or an array.
 *
 * @param element checks each of them
 */
record ElementsCheck(ValueCheck element) implements ValueCheck {

	static ValueCheck of(ValueCheck element) {
		return (element != SAFE) ? new ElementsCheck(element) : SAFE;
	}

	@Override
	public @Nullable Unsafe check(Object value, @Nullable Ancestors ancestors) {
		Collection<?> elements = (value instanceof Collection<?> collection) ? collection
				: Arrays.asList((Object[]) value);
		int index = 0;
		for (Object candidate : elements) {
			Unsafe unsafe = this.element.checkNullable(candidate, ancestors);
			if (unsafe != null) {
				return unsafe.within("[" + index + "]");
			}
			index++;
		}
		return null;
	}

}
