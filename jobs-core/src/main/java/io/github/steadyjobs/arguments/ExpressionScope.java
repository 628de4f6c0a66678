package io.github.steadyjobs.arguments;

import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ResolvableType;

/**
 * An attribute whose value is an expression, and the variables that the expression may
 * refer to.
 *
 * @param example an example of a valid expression
 * @param named whether parameters can be referred to by name
 */
public record ExpressionScope(Class<? extends Annotation> annotation, String attribute, String example,
		List<Variable> variables, boolean named) {

	/**
	 * Return the scope of an expression that refers to the arguments of a job.
	 * @param types the types of the arguments of one enqueue call
	 * @param payload whether the only argument is also called {@code #payload}
	 */
	public static ExpressionScope ofArguments(Class<? extends Annotation> annotation, String attribute,
			BeanMethod<?> method, List<Type> types, boolean payload) {
		@Nullable String @Nullable [] names = DefaultParameterNameDiscoverer.getSharedInstance()
			.getParameterNames(method.method());
		// A method that takes several payloads has no parameter for a single payload.
		boolean same = types.equals(method.argumentTypes());
		List<Variable> variables = new ArrayList<>();
		for (Type type : types) {
			int index = variables.size();
			List<String> all = new ArrayList<>();
			if (names != null && same) {
				all.add(names[index]);
			}
			all.add("p" + index);
			if (payload) {
				all.add("payload");
			}
			variables.add(new Variable(all, ResolvableType.forType(type).toClass()));
		}
		return new ExpressionScope(annotation, attribute, "#p0.id", variables, names != null);
	}

	String describe() {
		return this.variables.stream()
			.map((variable) -> "#" + String.join(" or #", variable.names()))
			.collect(Collectors.joining(", "));
	}

	/** A variable with all its names. If its type is Object, it may have any property. */
	public record Variable(List<String> names, Class<?> type) {

	}

}
