package io.github.steadyjobs.arguments;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.JobContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import org.springframework.core.GenericTypeResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * A bean method that is called because it has an annotation.
 *
 * @param type the class on which the method was found, which may be a subclass of the
 * declaring class
 * @param annotation the merged annotation of the method or, if the method has none, of
 * the class
 */
public record BeanMethod<A extends Annotation>(Class<?> type, Method method, A annotation) {

	/** The type of the last parameter of a Kotlin suspending function. */
	public static final String CONTINUATION = "kotlin.coroutines.Continuation";

	/**
	 * Find the annotated methods of a class, including methods of superclasses and
	 * interfaces.
	 * @param type the class, not a proxy
	 * @return the methods, sorted by name
	 */
	public static <A extends Annotation> List<BeanMethod<A>> find(Class<?> type, Class<A> annotation) {
		if (!AnnotationUtils.isCandidateClass(type, annotation)) {
			return List.of();
		}
		return select(type, (method) -> AnnotatedElementUtils.findMergedAnnotation(method, annotation)).entrySet()
			.stream()
			.map((found) -> new BeanMethod<>(type, found.getKey(), found.getValue()))
			// Reflection returns methods in no particular order, but messages need a
			// fixed order.
			.sorted(Comparator.comparing((found) -> found.method().getName() + found.method()))
			.toList();
	}

	/**
	 * Find those methods of a class for which a lookup returns a value.
	 * @param type the class, not a proxy
	 * @return the methods with their values; empty if the class cannot be examined
	 * because its optional dependencies are absent
	 */
	public static <T> Map<Method, T> select(Class<?> type, MetadataLookup<@Nullable T> lookup) {
		try {
			return MethodIntrospector.selectMethods(type, lookup);
		}
		catch (IllegalStateException | LinkageError ex) {
			LoggerFactory.getLogger(BeanMethod.class).debug("Not looking for jobs in {}", type, ex);
			return Map.of();
		}
	}

	/** Return the annotation as source code, but without attributes, for messages. */
	public String mark() {
		return "@" + this.annotation.annotationType().getSimpleName();
	}

	/** Return whether the last parameter is the context of a run. */
	public boolean takesContext() {
		Class<?>[] types = this.method.getParameterTypes();
		return types.length > 0 && types[types.length - 1] == JobContext.class;
	}

	/**
	 * Return the types of all parameters. The method may belong to a superclass, whose
	 * type variables are set by the class of the bean.
	 */
	public List<Type> parameterTypes() {
		return Arrays.stream(this.method.getGenericParameterTypes())
			.map((declared) -> GenericTypeResolver.resolveType(declared, this.type))
			.toList();
	}

	/**
	 * Return the types of the arguments: all parameters except for the context of a run,
	 * which does not exist when the job is enqueued.
	 */
	public List<Type> argumentTypes() {
		List<Type> types = parameterTypes();
		return takesContext() ? types.subList(0, types.size() - 1) : types;
	}

	@Override
	public String toString() {
		return ClassUtils.getQualifiedMethodName(this.method, this.type);
	}

}
