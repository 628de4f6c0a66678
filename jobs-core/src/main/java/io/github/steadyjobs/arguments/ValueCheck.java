package io.github.steadyjobs.arguments;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.InvalidJobException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ser.BeanPropertyWriter;

import org.springframework.util.ObjectUtils;

/**
 * Refuses values that JSON cannot hold, as far as the declared type left that open.
 * Thread safe.
 */
@FunctionalInterface
interface ValueCheck {

	/** Every value of the declared type can be stored, so none is looked at. */
	ValueCheck SAFE = (value) -> {
	};

	/**
	 * Check a value.
	 * @throws InvalidJobException if it cannot be stored
	 */
	void check(ArgumentValue value);

	/** Check the elements of a collection or an array. */
	static ValueCheck elements(ValueCheck element) {
		return (element == SAFE) ? SAFE : (value) -> {
			Collection<?> elements = (value.value() instanceof Collection<?> collection) ? collection
					: Arrays.asList(ObjectUtils.toObjectArray(value.value()));
			int index = 0;
			for (Object each : elements) {
				value.check(index++, each, element);
			}
		};
	}

	/**
	 * Check the values of a map. Its keys always: a type does not say that none is null.
	 */
	static ValueCheck entries(ValueCheck element) {
		return (map) -> ((Map<?, ?>) map.value()).forEach((key, value) -> {
			if (key == null || !ArgumentTypes.isKey(key.getClass())) {
				throw map.refuse(Unsafe.here(
						"has a key " + ((key != null) ? "of type " + key.getClass().getName() : "that is null"),
						ArgumentTypes.KEYS));
			}
			map.check(key, value, element);
		});
	}

	/** Check those properties of a record or a class whose types promise nothing. */
	static ValueCheck properties(Class<?> type, Map<BeanPropertyWriter, ValueCheck> properties) {
		return (bean) -> {
			if (bean.value().getClass() != type) {
				throw bean.refuse(Unsafe.here(
						"is of type %s, which is below the declared %s".formatted(bean.value().getClass().getName(),
								type.getName()),
						"Pass the declared class itself: what the other one adds would be lost."));
			}
			properties.forEach((property, check) -> bean.check(property.getName(), read(property, bean), check));
		};
	}

	private static @Nullable Object read(BeanPropertyWriter property, ArgumentValue bean) {
		try {
			return property.get(bean.value());
		}
		// BeanPropertyWriter.get declares no less.
		catch (Exception ex) {
			boolean thrown = ex instanceof InvocationTargetException;
			throw bean.refuse(new Unsafe("." + property.getName(), "cannot be read: " + (thrown ? ex.getCause() : ex),
					thrown ? "Mend the method that returns it." : "Make it readable for Jackson."));
		}
	}

	/**
	 * A value inside of the arguments of a job, with the way there. The path is put
	 * together only when something is refused.
	 *
	 * @param around what the value lies in; {@code null} for the list of all arguments
	 * @param step the index or the name under which it lies there; the name of the job
	 * for the list of all arguments
	 * @param value the value
	 * @param depth how deep it lies
	 */
	record ArgumentValue(@Nullable ArgumentValue around, Object step, Object value, int depth) {

		// JobJson reads 64 levels, two of which are around the arguments.
		private static final int MAX_DEPTH = 62;

		static ArgumentValue all(String job, List<? extends @Nullable Object> arguments) {
			return new ArgumentValue(null, job, arguments, 0);
		}

		void check(Object step, @Nullable Object inner, ValueCheck check) {
			if (inner != null && check != ValueCheck.SAFE) {
				check.check(new ArgumentValue(this, step, inner, this.depth + 1));
			}
		}

		/** Return another value in the place of this one, as of an {@code Optional}. */
		ArgumentValue with(Object other) {
			return new ArgumentValue(this.around, this.step, other, this.depth);
		}

		void refuseCycle() {
			if (this.depth > MAX_DEPTH) {
				throw refuse(Unsafe.here("is nested deeper than JSON is read back",
						"Pass ids instead of the whole structure."));
			}
			for (ArgumentValue outer = this.around; outer != null; outer = outer.around()) {
				if (outer.value() == this.value) {
					throw refuse(Unsafe.here(
							"is a cycle: this %s contains itself".formatted(this.value.getClass().getName()),
							"Pass ids instead of references."));
				}
			}
		}

		InvalidJobException refuse(Unsafe unsafe) {
			return new InvalidJobException(path() + unsafe.description() + " " + unsafe.advice());
		}

		private String path() {
			if (this.around == null) {
				return "Job '" + this.step + "' cannot be stored: args";
			}
			return this.around.path() + ((this.step instanceof Integer) ? "[" + this.step + "]" : "." + this.step);
		}

	}

	/**
	 * Something that cannot be stored as JSON and read back.
	 *
	 * @param path where it is, from the value or the type that is being looked at
	 * @param found what it is, as the rest of a sentence
	 * @param advice what to do instead, as a sentence
	 */
	record Unsafe(String path, String found, String advice) {

		static Unsafe here(String found, String advice) {
			return new Unsafe("", found, advice);
		}

		Unsafe at(String path) {
			return new Unsafe(path, this.found, this.advice);
		}

		String description() {
			return this.path + " " + this.found + ".";
		}

	}

}
