package io.github.steadyjobs.definition;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.Job;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * Tells which classes may have annotations for jobs, without merging annotations: for
 * each bean that has no jobs, merging would make the start of an application slower.
 */
final class JobCandidates {

	/** Packages of libraries whose beans and annotations cannot declare jobs. */
	private static final List<String> LIBRARIES = List.of("java.", "kotlin.", "org.springframework.beans.",
			"org.springframework.boot.", "org.springframework.context.", "org.springframework.core.",
			"org.springframework.data.", "org.springframework.http.", "org.springframework.web.");

	private static final String PACKAGE = Job.class.getPackageName();

	/**
	 * Whether an annotation type belongs to this library or is composed of such types.
	 */
	private final Map<Class<?>, Boolean> composed = new HashMap<>();

	/** Return whether a class or one of its supertypes may have annotations for jobs. */
	boolean contains(Class<?> type) {
		try {
			return isIn(type);
		}
		catch (RuntimeException | LinkageError ex) {
			// An optional dependency of the class is absent. The code that merges
			// annotations can handle this.
			return true;
		}
	}

	private boolean isIn(@Nullable Class<?> type) {
		if (type == null || isLibrary(type)) {
			return false;
		}
		if (isOn(type) || isIn(type.getSuperclass())) {
			return true;
		}
		for (Class<?> implemented : type.getInterfaces()) {
			if (isIn(implemented)) {
				return true;
			}
		}
		for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
			if (isOn(method)) {
				return true;
			}
		}
		return false;
	}

	private boolean isOn(AnnotatedElement element) {
		for (Annotation annotation : element.getDeclaredAnnotations()) {
			if (isComposed(annotation.annotationType())) {
				return true;
			}
		}
		return false;
	}

	private boolean isComposed(Class<? extends Annotation> type) {
		Boolean known = this.composed.get(type);
		if (known == null) {
			// In case the annotation is, indirectly, an annotation of itself.
			this.composed.put(type, true);
			known = type.getPackageName().equals(PACKAGE) || (!isLibrary(type) && isOn(type));
			this.composed.put(type, known);
		}
		return known;
	}

	private static boolean isLibrary(Class<?> type) {
		return LIBRARIES.stream().anyMatch(type.getName()::startsWith);
	}

}
