package io.github.steadyjobs.definition;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

import org.springframework.util.StringUtils;

/**
 * Says where a stored argument does not fit, what was expected there, and what was found.
 *
 * @param path where the argument is
 * @param type its declared type
 * @param argument the argument
 */
record Misfit(String path, JavaType type, JsonNode argument) {

	private static final int MAX_TEXT = 60;

	String describe(JacksonException failure) {
		List<Reference> steps = failure.getPath();
		StringBuilder where = new StringBuilder(this.path);
		JsonNode found = this.argument;
		for (Reference step : steps) {
			String name = step.getPropertyName();
			where.append((name != null) ? "." + name : "[" + step.getIndex() + "]");
			found = (name != null) ? found.path(name) : found.path(step.getIndex());
		}
		if (failure instanceof ValueInstantiationException && failure.getCause() != null) {
			// The constructor of the application's own class refused the value.
			return "%s: %s (found %s)".formatted(where, shorten(String.valueOf(failure.getCause().getMessage())),
					text(found));
		}
		return "%s: expected %s, found %s".formatted(where, expected(failure, steps.isEmpty()), text(found));
	}

	private String expected(JacksonException failure, boolean atTop) {
		Class<?> target = (failure instanceof MismatchedInputException mismatch) ? mismatch.getTargetType() : null;
		if (target == null || (atTop && !target.isEnum())) {
			return atTop ? name(this.type) : shorten(failure.getOriginalMessage());
		}
		return target.isEnum() ? name(target) + " " + shorten(constants(target)) : name(target);
	}

	private static String constants(Class<?> type) {
		return Arrays.stream(type.getEnumConstants())
			.map((constant) -> ((Enum<?>) constant).name())
			.collect(Collectors.joining(", ", "(", ")"));
	}

	private static String text(JsonNode node) {
		if (node.isMissingNode()) {
			return "nothing";
		}
		if (node.isContainer()) {
			return node.isArray() ? "an array" : "an object";
		}
		if (node.isString()) {
			return "string \"" + shorten(node.stringValue()) + "\"";
		}
		String kind = node.isNumber() ? "number " : node.isBoolean() ? "boolean " : "";
		return kind + shorten(node.toString());
	}

	private static String shorten(String text) {
		return StringUtils.truncate(text, MAX_TEXT);
	}

	/**
	 * Return a type as source code has it, without packages.
	 * @param type the type
	 * @return the name
	 */
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
