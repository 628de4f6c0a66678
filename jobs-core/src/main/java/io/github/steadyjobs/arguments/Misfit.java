package io.github.steadyjobs.arguments;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Describes where a stored argument does not fit, what was expected and what was found.
 * The description has paths and types but no values, because values may be secret and
 * descriptions are logged.
 */
record Misfit(String path, JavaType type, JsonNode argument) {

	private static final int MAX_TEXT = 60;

	String describe(RuntimeException failure) {
		if (!(failure instanceof JacksonException jackson)) {
			return "%s: cannot be read as %s, with %s".formatted(this.path, name(this.type),
					origin(failure, this.type.getRawClass()));
		}
		StringBuilder where = new StringBuilder(this.path);
		JsonNode found = this.argument;
		for (Reference step : jackson.getPath()) {
			String name = step.getPropertyName();
			found = (name != null) ? found.path(name) : found.path(step.getIndex());
			where.append(text(step));
		}
		if (failure instanceof ValueInstantiationException refused && failure.getCause() != null) {
			return "%s: %s refused %s with %s".formatted(where, name(refused.getType()), kind(found, null),
					origin(failure.getCause(), refused.getType().getRawClass()));
		}
		Class<?> target = (failure instanceof MismatchedInputException mismatch) ? mismatch.getTargetType() : null;
		if (failure instanceof InputCoercionException outOfRange) {
			target = outOfRange.getTargetType();
		}
		if (failure instanceof InvalidNullException && !jackson.getPath().isEmpty()) {
			target = propertyType(jackson.getPath().get(jackson.getPath().size() - 1), target);
		}
		return "%s: expected %s, found %s".formatted(where, expected(target, jackson.getPath().isEmpty()),
				kind(found, target));
	}

	/**
	 * Return the type of the property that is null. Jackson's module for Kotlin reports
	 * the class that has the property instead.
	 */
	private static @Nullable Class<?> propertyType(Reference step, @Nullable Class<?> target) {
		if (target == null || step.from() != target || step.getPropertyName() == null) {
			return target;
		}
		Field field = ReflectionUtils.findField(target, step.getPropertyName());
		return (field != null) ? field.getType() : null;
	}

	private static String text(Reference step) {
		if (step.getPropertyName() == null) {
			return "[" + step.getIndex() + "]";
		}
		// The key of a map may be just as secret as a value.
		boolean key = step.from() instanceof Map
				|| (step.from() instanceof Class<?> from && Map.class.isAssignableFrom(from));
		return key ? "[*]" : "." + step.getPropertyName();
	}

	private String expected(@Nullable Class<?> target, boolean atTop) {
		if (target != null && target.isEnum()) {
			List<String> constants = Stream.of(target.getEnumConstants())
				.map((constant) -> ((Enum<?>) constant).name())
				.toList();
			return name(target) + " " + StringUtils.truncate(constants.toString(), MAX_TEXT);
		}
		if (atTop) {
			// Unlike the class, the declared type has type arguments.
			return name(this.type);
		}
		return (target != null) ? name(target) : "something else";
	}

	private static String kind(JsonNode node, @Nullable Class<?> target) {
		return switch (node.getNodeType()) {
			case MISSING -> "nothing";
			case NULL -> "null";
			case ARRAY -> "an array";
			case OBJECT -> "an object";
			case STRING -> "a string";
			case BOOLEAN -> "a boolean";
			case NUMBER -> !node.isIntegralNumber() ? "a decimal number"
					: isNumber(target) ? "a number out of its range" : "a whole number";
			default -> "something else";
		};
	}

	private static boolean isNumber(@Nullable Class<?> type) {
		return type != null && Number.class.isAssignableFrom(ClassUtils.resolvePrimitiveIfNecessary(type));
	}

	/**
	 * Return the type and origin of an exception, without its message, which may quote
	 * the value.
	 */
	private static String origin(Throwable thrown, Class<?> type) {
		StackTraceElement[] trace = thrown.getStackTrace();
		return Stream.of(trace)
			.filter((element) -> element.getClassName().equals(type.getName()))
			.findFirst()
			.or(() -> Stream.of(trace).findFirst())
			.map((element) -> thrown.getClass().getName() + " at " + element)
			.orElse(thrown.getClass().getName());
	}

	/** Return a type as it appears in source code, without packages. */
	static String name(JavaType type) {
		return name(type.toCanonical());
	}

	static String name(Class<?> type) {
		return name(type.getTypeName());
	}

	private static String name(String type) {
		return type.replaceAll("(\\w+[.$])+", "");
	}

}
