package io.github.steadyjobs.definition;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Checks the keys and values of a map. Keys always: a type does not say that none is
 * null.
 *
 * @param value checks each of the values
 */
record MapCheck(ValueCheck value) implements ValueCheck {

	@Override
	public @Nullable Unsafe check(Object map, @Nullable Ancestors ancestors) {
		for (Map.Entry<?, ?> entry : ((Map<?, ?>) map).entrySet()) {
			Object key = entry.getKey();
			if (key == null || !ScalarTypes.isKey(key.getClass())) {
				return Unsafe.here(
						"has a key " + ((key != null) ? "of type " + key.getClass().getName() : "that is null"),
						"Use strings, enum constants or UUIDs as keys.");
			}
			Unsafe unsafe = this.value.checkNullable(entry.getValue(), ancestors);
			if (unsafe != null) {
				return unsafe.within("." + key);
			}
		}
		return null;
	}

}
