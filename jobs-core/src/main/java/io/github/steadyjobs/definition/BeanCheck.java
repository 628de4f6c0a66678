package io.github.steadyjobs.definition;

import java.lang.reflect.InvocationTargetException;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ser.BeanPropertyWriter;

/**
 * Checks those properties of a record or a class whose types promise nothing.
 *
 * @param type the declared class
 * @param properties the properties to look at
 */
record BeanCheck(Class<?> type, List<Property> properties) implements ValueCheck {

	@Override
	public @Nullable Unsafe check(Object value, @Nullable Ancestors ancestors) {
		if (value.getClass() != this.type) {
			return Unsafe.here(
					"is of type %s, which is below the declared %s".formatted(value.getClass().getName(),
							this.type.getName()),
					"Pass the declared class itself: what the other one adds would be lost.");
		}
		for (Property property : this.properties) {
			Unsafe unsafe = property.check(value, ancestors);
			if (unsafe != null) {
				return unsafe.within("." + property.name());
			}
		}
		return null;
	}

	/**
	 * A property to look at.
	 *
	 * @param writer reads the property as it is when it is written
	 * @param check checks its value
	 */
	record Property(BeanPropertyWriter writer, ValueCheck check) {

		String name() {
			return this.writer.getName();
		}

		@Nullable Unsafe check(Object bean, @Nullable Ancestors ancestors) {
			try {
				return this.check.checkNullable(this.writer.get(bean), ancestors);
			}
			catch (InvocationTargetException ex) {
				return Unsafe.here("cannot be read: " + ex.getTargetException(), "Mend the method that returns it.");
			}
			// BeanPropertyWriter.get declares no less.
			catch (Exception ex) {
				return Unsafe.here("cannot be read: " + ex, "Make it readable for Jackson.");
			}
		}

	}

}
