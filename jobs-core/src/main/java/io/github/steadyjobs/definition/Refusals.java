package io.github.steadyjobs.definition;

import java.io.File;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * The types that are refused, each with what to do instead.
 */
final class Refusals {

	private static final List<String> ENTITIES = List.of("jakarta.persistence.Entity",
			"jakarta.persistence.MappedSuperclass", "javax.persistence.Entity");

	private static final Set<Class<?>> PROGRAM = Set.of(Class.class, Thread.class, ThreadGroup.class, ClassLoader.class,
			Module.class);

	private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

	private static final String NAME_THE_CLASS = "Declare a record or a concrete class: JSON does not say which class to create.";

	private Refusals() {
	}

	/**
	 * Return why a type that is neither a scalar nor a collection cannot be stored.
	 * @param type the type
	 * @return the reason, or {@code null} if nothing is known against the type
	 */
	static @Nullable Unsafe find(Class<?> type) {
		Unsafe unsafe = findByKind(type);
		if (unsafe == null && (type == Object.class || Modifier.isAbstract(type.getModifiers()))) {
			return abstractType(type);
		}
		if (unsafe == null && JDK.stream().anyMatch(type.getName()::startsWith)) {
			boolean date = Date.class.isAssignableFrom(type) || Calendar.class.isAssignableFrom(type);
			return refuse("of type", type, "of which JSON has no form",
					date ? "Use a type of java.time, such as " + Instant.class.getName() + "."
							: "Use a string, a number, a type of java.time or a record.");
		}
		return unsafe;
	}

	private static @Nullable Unsafe findByKind(Class<?> type) {
		if (isEntity(type)) {
			return refuse("the JPA entity", type, "which would be stale when the job runs",
					"Pass its id and load it in the job.");
		}
		if (AutoCloseable.class.isAssignableFrom(type)) {
			return refuse("of type", type, "a stream or another open resource",
					"Store the content where every worker can read it, and pass its key.");
		}
		if (Path.class.isAssignableFrom(type) || File.class.isAssignableFrom(type)) {
			return refuse("of type", type, "a file, which other hosts do not have",
					"Pass its name as text, or store the content and pass its key.");
		}
		if (isProgram(type)) {
			return refuse("of type", type, "a part of the running program", "Pass its name as text.");
		}
		if (isCode(type)) {
			return refuse("of type", type, "code and not data", "Pass the data that the code works on.");
		}
		if (type.isAnonymousClass() || ClassUtils.isInnerClass(type)) {
			return refuse("of type", type, "an inner class, which cannot be created again",
					"Make it a record or a static class.");
		}
		return null;
	}

	static Unsafe abstractType(Class<?> type) {
		if (type == Object.class) {
			return Unsafe.here("is of type java.lang.Object, as raw types and wildcards also are", NAME_THE_CLASS);
		}
		return refuse(type.isInterface() ? "the interface" : "the abstract class", type, "of which JSON has no form",
				NAME_THE_CLASS);
	}

	private static Unsafe refuse(String kind, Class<?> type, String reason, String advice) {
		return Unsafe.here("is %s %s, %s".formatted(kind, type.getName(), reason), advice);
	}

	private static boolean isEntity(Class<?> type) {
		MergedAnnotations annotations = MergedAnnotations.from(type, SearchStrategy.SUPERCLASS);
		return ENTITIES.stream().anyMatch(annotations::isPresent);
	}

	private static boolean isProgram(Class<?> type) {
		return PROGRAM.stream().anyMatch((part) -> part.isAssignableFrom(type)) || Type.class.isAssignableFrom(type)
				|| AnnotatedElement.class.isAssignableFrom(type) || Throwable.class.isAssignableFrom(type);
	}

	private static boolean isCode(Class<?> type) {
		return type.isHidden() || type.isSynthetic() || type.isAnnotationPresent(FunctionalInterface.class);
	}

}
