package io.github.steadyjobs.arguments;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Says where a stored argument does not fit, what was expected there, and what was found:
 * paths and types, but no values, which may be secret and would end up in logs.
 *
 * @param path where the argument is
 * @param type its declared type
 * @param argument the argument
 */
record Misfit(String path, JavaType type, JsonNode argument) {

	private static final int MAX_TEXT = 60;

	String describe(RuntimeException failure) {
		return (failure instanceof JacksonException jackson) ? describe(jackson) : "%s: cannot be read as %s, with %s"
			.formatted(this.path, name(this.type), origin(failure, this.type.getRawClass()));
	}

	private String describe(JacksonException failure) {
		List<Reference> steps = failure.getPath();
		StringBuilder where = new StringBuilder(this.path);
		JsonNode found = this.argument;
		for (Reference step : steps) {
			String name = step.getPropertyName();
			found = (name != null) ? found.path(name) : found.path(step.getIndex());
			where.append(text(step));
		}
		if (failure instanceof ValueInstantiationException refused && failure.getCause() != null) {
			return "%s: %s refused %s with %s".formatted(where, name(refused.getType()), kind(found, null),
					origin(failure.getCause(), refused.getType().getRawClass()));
		}
		Class<?> target = target(failure);
		return "%s: expected %s, found %s".formatted(where, expected(target, steps.isEmpty()), kind(found, target));
	}

	private static @Nullable Class<?> target(JacksonException failure) {
		if (failure instanceof InputCoercionException outOfRange) {
			return outOfRange.getTargetType();
		}
		return (failure instanceof MismatchedInputException mismatch) ? mismatch.getTargetType() : null;
	}

	private static String text(Reference step) {
		if (step.getPropertyName() == null) {
			return "[" + step.getIndex() + "]";
		}
		// The key of a map may be as secret as a value.
		boolean key = step.from() instanceof Map
				|| (step.from() instanceof Class<?> from && Map.class.isAssignableFrom(from));
		return key ? "[*]" : "." + step.getPropertyName();
	}

	private String expected(@Nullable Class<?> target, boolean atTop) {
		if (target != null && target.isEnum()) {
			return name(target) + " " + StringUtils.truncate(constants(target), MAX_TEXT);
		}
		if (atTop) {
			// The declared type has type arguments as well.
			return name(this.type);
		}
		return (target != null) ? name(target) : "something else";
	}

	private static String constants(Class<?> type) {
		return Arrays.stream(type.getEnumConstants())
			.map((constant) -> ((Enum<?>) constant).name())
			.collect(Collectors.joining(", ", "(", ")"));
	}

	private static String kind(JsonNode node, @Nullable Class<?> target) {
		return switch (node.getNodeType()) {
			case MISSING -> "nothing";
			case NULL -> "null";
			case ARRAY -> "an array";
			case OBJECT -> "an object";
			case STRING -> "a string";
			case BOOLEAN -> "a boolean";
			case NUMBER -> number(node, target);
			default -> "something else";
		};
	}

	private static String number(JsonNode node, @Nullable Class<?> target) {
		if (!node.isIntegralNumber()) {
			return "a decimal number";
		}
		boolean fitsNot = target != null
				&& Number.class.isAssignableFrom(ClassUtils.resolvePrimitiveIfNecessary(target));
		return fitsNot ? "a number out of its range" : "a whole number";
	}

	/**
	 * Return the type of the exception and the path, without its message, which may quote
	 * the value.
	 */
	private static String origin(Throwable thrown, Class<?> type) {
		String name = thrown.getClass().getName();
		StackTraceElement[] trace = thrown.getStackTrace();
		return Arrays.stream(trace)
			.filter((element) -> element.getClassName().equals(type.getName()))
			.findFirst()
			.or(() -> Arrays.stream(trace).findFirst())
			.map((element) -> name + " at " + element)
			.orElse(name);
	}

	/** Return a type as it stands in source code, without packages. */
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
