package io.github.steadyjobs.arguments;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.JobContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.GenericTypeResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;

/**
 * A method of a bean that is called because of its annotation.
 */
public interface BeanMethod {

	/**
	 * The type of the last parameter of a suspending function.
	 */
	String CONTINUATION = "kotlin.coroutines.Continuation";

	/**
	 * Return the class it was found on, which may be below the declaring one.
	 * @return the class
	 */
	Class<?> type();

	/**
	 * Return the method.
	 * @return the method
	 */
	Method method();

	/**
	 * Return the annotation as it is written, for messages.
	 * @return the annotation
	 */
	String mark();

	/**
	 * Return whether the context of a run follows the arguments.
	 * @return whether it is the last parameter
	 */
	default boolean takesContext() {
		Class<?>[] types = method().getParameterTypes();
		return types.length > 0 && types[types.length - 1] == JobContext.class;
	}

	/**
	 * Return the types of all parameters. The method may be a superclass's, whose type
	 * variables the bean has set.
	 * @return the types, in order
	 */
	default List<Type> parameterTypes() {
		return Arrays.stream(method().getGenericParameterTypes())
			.map((type) -> GenericTypeResolver.resolveType(type, type()))
			.toList();
	}

	/**
	 * Return the types of the arguments, which are all parameters but the context of a
	 * run: that is not there when the job is enqueued.
	 * @return the types, in order
	 */
	default List<Type> argumentTypes() {
		List<Type> types = parameterTypes();
		return takesContext() ? types.subList(0, types.size() - 1) : types;
	}

	/**
	 * Find the methods of a class for which a lookup has an answer.
	 * @param <T> the type of the answer
	 * @param type the class
	 * @param lookup has an answer, or {@code null}
	 * @return the methods with their answers; none where the class cannot be looked into,
	 * as its optional dependencies are absent
	 */
	static <T> Map<Method, T> select(Class<?> type, MetadataLookup<@Nullable T> lookup) {
		try {
			return MethodIntrospector.selectMethods(type, lookup);
		}
		catch (IllegalStateException | LinkageError ex) {
			Logger logger = LoggerFactory.getLogger(BeanMethod.class);
			logger.debug("No jobs are looked for in {}", type, ex);
			return Map.of();
		}
	}

}
