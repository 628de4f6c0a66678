package io.github.steadyjobs.arguments;

import java.lang.reflect.InvocationTargetException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.arguments.ArgumentTypes.Unsafe;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ser.BeanPropertyWriter;

import org.springframework.util.ObjectUtils;

/**
 * Refuses values that cannot be stored as JSON, if the declared type does not rule them
 * out already. Thread safe.
 */
@FunctionalInterface
interface ValueCheck {

	/** Every value of the declared type can be stored, so values are not examined. */
	ValueCheck SAFE = (value) -> {
	};

	/**
	 * Check a value.
	 * @throws InvalidJobException if the value cannot be stored
	 */
	void check(ArgumentValue value);

	/** Return the check for a scalar type. */
	static ValueCheck scalar(Class<?> type) {
		if (type == BigInteger.class || type == BigDecimal.class) {
			return (value) -> {
				int length = value.value().toString().length();
				if (length > JobJson.MAX_NUMBER) {
					throw value.refuse("is a number of %d characters, and at most %d can be read back".formatted(length,
							JobJson.MAX_NUMBER), "Pass it as text.");
				}
			};
		}
		return !ArgumentTypes.isFloating(type) ? SAFE : (value) -> {
			double number = (value.value() instanceof OptionalDouble optional) ? optional.orElse(0)
					: ((Number) value.value()).doubleValue();
			if (!Double.isFinite(number)) {
				throw value.refuse("is " + number + ", and JSON has no such number", "Pass null or text instead.");
			}
		};
	}

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
	 * Check the values of a map. Its keys are always checked, because their type does not
	 * rule out null.
	 */
	static ValueCheck entries(ValueCheck element) {
		return (map) -> ((Map<?, ?>) map.value()).forEach((key, value) -> {
			if (key == null || !ArgumentTypes.isKey(key.getClass())) {
				throw map.refuse(ArgumentTypes.refuseKey(
						"has a key " + ((key != null) ? "of type " + key.getClass().getName() : "that is null")));
			}
			if (key instanceof String text && isTooLong(text)) {
				throw map.refuse("has a key of %d characters, which cannot be read back".formatted(text.length()),
						"Use shorter keys.");
			}
			map.check(key, value, element);
		});
	}

	private static boolean isTooLong(String key) {
		// A character takes at most three bytes.
		return key.length() > JobJson.MAX_NAME / 3 && key.getBytes(StandardCharsets.UTF_8).length > JobJson.MAX_NAME;
	}

	/**
	 * Check the properties of a record or a class whose types do not guarantee that every
	 * value can be stored.
	 */
	static ValueCheck properties(Class<?> type, Map<BeanPropertyWriter, ValueCheck> properties) {
		return (bean) -> {
			if (bean.value().getClass() != type) {
				throw bean.refuse(
						"is of type %s, which is below the declared %s".formatted(bean.value().getClass().getName(),
								type.getName()),
						"Pass the declared class itself: anything that a subclass adds would be lost.");
			}
			properties.forEach((property, check) -> bean.check(property.getName(), read(property, bean), check));
		};
	}

	private static @Nullable Object read(BeanPropertyWriter property, ArgumentValue bean) {
		try {
			return property.get(bean.value());
		}
		// BeanPropertyWriter.get is declared to throw Exception.
		catch (Exception ex) {
			boolean thrown = ex instanceof InvocationTargetException;
			throw bean.refuse(new Unsafe("." + property.getName(), "cannot be read: " + (thrown ? ex.getCause() : ex),
					thrown ? "Mend the method that returns it." : "Make it readable for Jackson."));
		}
	}

	/**
	 * A value inside the arguments of a job, and its path. The path is built only when a
	 * value is refused.
	 *
	 * @param around the value that contains this value; {@code null} for the list of all
	 * arguments
	 * @param step the index or name of the value in its container; for the list of all
	 * arguments, the name of the job
	 */
	record ArgumentValue(@Nullable ArgumentValue around, Object step, Object value, int depth) {

		// JobJson reads 64 levels, of which two enclose the arguments.
		private static final int MAX_DEPTH = 62;

		static ArgumentValue all(String job, List<? extends @Nullable Object> arguments) {
			return new ArgumentValue(null, job, arguments, 0);
		}

		void check(Object step, @Nullable Object inner, ValueCheck check) {
			if (inner != null && check != ValueCheck.SAFE) {
				check.check(new ArgumentValue(this, step, inner, this.depth + 1));
			}
		}

		/** Return another value at the same path, such as the content of an Optional. */
		ArgumentValue with(Object other) {
			return new ArgumentValue(this.around, this.step, other, this.depth);
		}

		void refuseCycle() {
			if (this.depth > MAX_DEPTH) {
				throw refuse("is nested too deeply to be read back", "Pass ids instead of the whole structure.");
			}
			for (ArgumentValue outer = this.around; outer != null; outer = outer.around()) {
				if (outer.value() == this.value) {
					throw refuse("is a cycle: this %s contains itself".formatted(this.value.getClass().getName()),
							"Pass ids instead of references.");
				}
			}
		}

		InvalidJobException refuse(String found, String advice) {
			return refuse(new Unsafe("", found, advice));
		}

		InvalidJobException refuse(Unsafe unsafe) {
			return new InvalidJobException("%s%s. %s".formatted(path(), unsafe.description(), unsafe.advice()));
		}

		private String path() {
			if (this.around == null) {
				return "Job '%s' cannot be stored: args".formatted(this.step);
			}
			return this.around.path() + ((this.step instanceof Integer) ? "[" + this.step + "]" : "." + this.step);
		}

	}

}
