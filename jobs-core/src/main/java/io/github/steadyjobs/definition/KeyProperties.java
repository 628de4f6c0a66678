package io.github.steadyjobs.definition;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Tells which properties an expression can read, as far as a declared class does.
 */
final class KeyProperties {

	private KeyProperties() {
	}

	static boolean mayHave(Class<?> declared, String property) {
		Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(declared);
		// The one has the properties that are put into it, the other those of its value.
		if (Map.class.isAssignableFrom(type) || type == Optional.class || type == Object.class) {
			return true;
		}
		if (type.isArray()) {
			return property.equals("length");
		}
		String capitalized = StringUtils.capitalize(property);
		List<String> getters = List.of(property, "get" + capitalized, "is" + capitalized);
		return methods(type).anyMatch((method) -> getters.contains(method.getName()))
				|| fields(type).anyMatch((field) -> field.getName().equals(property));
	}

	/**
	 * Say which properties a class has.
	 * @param type the class
	 * @return a sentence
	 */
	static String advice(Class<?> type) {
		Stream<String> names = type.isRecord() ? Stream.of(type.getRecordComponents()).map(RecordComponent::getName)
				: Stream.concat(methods(type).map(Method::getName).flatMap(KeyProperties::propertyOf),
						fields(type).map(Field::getName));
		List<String> sorted = names.filter(Predicate.not(String::isEmpty)).distinct().sorted().toList();
		return sorted.isEmpty() ? "Use the argument itself."
				: "Use one that it has: %s.".formatted(String.join(", ", sorted));
	}

	private static Stream<Method> methods(Class<?> type) {
		return Stream.of(type.getMethods())
			.filter((method) -> method.getParameterCount() == 0 && method.getReturnType() != void.class
					&& method.getDeclaringClass() != Object.class && !Modifier.isStatic(method.getModifiers()));
	}

	private static Stream<Field> fields(Class<?> type) {
		return Stream.of(type.getFields()).filter((field) -> !Modifier.isStatic(field.getModifiers()));
	}

	private static Stream<String> propertyOf(String getter) {
		return Stream.of("get", "is")
			.filter((prefix) -> getter.startsWith(prefix) && getter.length() > prefix.length())
			.map((prefix) -> StringUtils.uncapitalizeAsProperty(getter.substring(prefix.length())));
	}

}
