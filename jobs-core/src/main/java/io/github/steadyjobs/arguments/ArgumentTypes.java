package io.github.steadyjobs.arguments;

import java.io.File;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

import io.github.steadyjobs.arguments.ValueCheck.Ancestors;
import io.github.steadyjobs.arguments.ValueCheck.Unsafe;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * What is known of types without looking at their properties: which are one JSON value
 * and not a structure, which numbers may stand for one another, and which types are
 * refused, each with what to do instead.
 */
final class ArgumentTypes {

	private static final Set<Class<?>> SAFE = Set.of(String.class, BigDecimal.class, BigInteger.class, UUID.class,
			URI.class, Instant.class, LocalDate.class, LocalDateTime.class, LocalTime.class, OffsetDateTime.class,
			OffsetTime.class, ZonedDateTime.class, Year.class, YearMonth.class, MonthDay.class, Duration.class,
			Period.class, OptionalInt.class, OptionalLong.class);

	private static final Set<Class<?>> FLOATING = Set.of(double.class, Double.class, float.class, Float.class,
			OptionalDouble.class);

	private static final List<Class<?>> INTEGERS = List.of(Byte.class, Short.class, Integer.class, Long.class,
			BigInteger.class);

	private static final List<Class<?>> FLOATS = List.of(Float.class, Double.class, BigDecimal.class);

	private static final List<String> ENTITIES = List.of("jakarta.persistence.Entity",
			"jakarta.persistence.MappedSuperclass", "javax.persistence.Entity");

	private static final Set<Class<?>> PROGRAM = Set.of(Class.class, Thread.class, ThreadGroup.class, ClassLoader.class,
			Module.class);

	private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

	private static final String NAME_THE_CLASS = "Declare a record or a concrete class: JSON does not say which class to create.";

	private ArgumentTypes() {
	}

	/**
	 * Return the check of a type's values.
	 * @param type the type
	 * @return the check, or {@code null} if the type is no scalar
	 */
	static @Nullable ValueCheck scalar(Class<?> type) {
		if (FLOATING.contains(type)) {
			return ArgumentTypes::checkFinite;
		}
		boolean safe = SAFE.contains(type) || ClassUtils.isPrimitiveOrWrapper(type) || isEnum(type)
				|| ZoneId.class.isAssignableFrom(type);
		return safe ? ValueCheck.SAFE : null;
	}

	static boolean isKey(Class<?> type) {
		return type == String.class || type == UUID.class || isEnum(type);
	}

	/**
	 * Check the elements of an array of a primitive type.
	 * @param type the type of the elements
	 * @return the check of the array
	 */
	static ValueCheck primitives(Class<?> type) {
		if (type == double.class) {
			return (array, ancestors) -> checkAll((double[]) array);
		}
		return (type == float.class) ? (array, ancestors) -> checkAll((float[]) array) : ValueCheck.SAFE;
	}

	// A constant with a body is of a class below the enum, for which isEnum() is false.
	static boolean isEnum(Class<?> type) {
		return Enum.class.isAssignableFrom(type) && type != Enum.class;
	}

	private static @Nullable Unsafe checkFinite(Object value, @Nullable Ancestors ancestors) {
		if (value instanceof OptionalDouble optional) {
			return checkFinite(optional.orElse(0));
		}
		return checkFinite(((Number) value).doubleValue());
	}

	private static @Nullable Unsafe checkFinite(double value) {
		return Double.isFinite(value) ? null
				: Unsafe.here("is " + value + ", and JSON has no such number", "Pass null or text instead.");
	}

	private static @Nullable Unsafe checkAll(double[] values) {
		for (int index = 0; index < values.length; index++) {
			if (!Double.isFinite(values[index])) {
				return at(checkFinite(values[index]), index);
			}
		}
		return null;
	}

	private static @Nullable Unsafe checkAll(float[] values) {
		for (int index = 0; index < values.length; index++) {
			if (!Float.isFinite(values[index])) {
				return at(checkFinite(values[index]), index);
			}
		}
		return null;
	}

	private static @Nullable Unsafe at(@Nullable Unsafe unsafe, int index) {
		return (unsafe != null) ? unsafe.within("[" + index + "]") : null;
	}

	/**
	 * Return whether a number may stand for one of another type, since JSON does not tell
	 * them apart: a request by name says {@code 5} where the method takes a {@code long}.
	 * @param value the value, which may be no number
	 * @param type the type
	 * @return whether nothing is lost
	 */
	static boolean isLossless(@Nullable Object value, Class<?> type) {
		if (value == null) {
			return false;
		}
		int from = INTEGERS.indexOf(value.getClass());
		if (from >= 0) {
			// Each integer is written without a fraction, and read as one where there may
			// be one.
			return INTEGERS.indexOf(type) > from || type == BigDecimal.class
					|| (type == Double.class && from <= INTEGERS.indexOf(Integer.class));
		}
		boolean finite = value instanceof Number number && Double.isFinite(number.doubleValue());
		return finite && FLOATS.contains(value.getClass()) && FLOATS.indexOf(type) > FLOATS.indexOf(value.getClass());
	}

	/**
	 * Return why a type that is neither a scalar nor a collection cannot be stored.
	 * @param type the type
	 * @return the reason, or {@code null} if nothing is known against the type
	 */
	static @Nullable Unsafe refuse(Class<?> type) {
		Unsafe unsafe = refuseKind(type);
		if (unsafe == null && (type == Object.class || Modifier.isAbstract(type.getModifiers()))) {
			return abstractType(type);
		}
		if (unsafe == null && JDK.stream().anyMatch(type.getName()::startsWith)) {
			boolean date = Date.class.isAssignableFrom(type) || Calendar.class.isAssignableFrom(type);
			return refusal("of type", type, "of which JSON has no form",
					date ? "Use a type of java.time, such as " + Instant.class.getName() + "."
							: "Use a string, a number, a type of java.time or a record.");
		}
		return unsafe;
	}

	private static @Nullable Unsafe refuseKind(Class<?> type) {
		if (isEntity(type)) {
			return refusal("the JPA entity", type, "which would be stale when the job runs",
					"Pass its id and load it in the job.");
		}
		if (AutoCloseable.class.isAssignableFrom(type)) {
			return refusal("of type", type, "a stream or another open resource",
					"Store the content where every worker can read it, and pass its key.");
		}
		if (Path.class.isAssignableFrom(type) || File.class.isAssignableFrom(type)) {
			return refusal("of type", type, "a file, which other hosts do not have",
					"Pass its name as text, or store the content and pass its key.");
		}
		if (isProgram(type)) {
			return refusal("of type", type, "a part of the running program", "Pass its name as text.");
		}
		if (isCode(type)) {
			return refusal("of type", type, "code and not data", "Pass the data that the code works on.");
		}
		if (type.isAnonymousClass() || ClassUtils.isInnerClass(type)) {
			return refusal("of type", type, "an inner class, which cannot be created again",
					"Make it a record or a static class.");
		}
		return null;
	}

	static Unsafe abstractType(Class<?> type) {
		if (type == Object.class) {
			return Unsafe.here("is of type java.lang.Object, as raw types and wildcards also are", NAME_THE_CLASS);
		}
		return refusal(type.isInterface() ? "the interface" : "the abstract class", type, "of which JSON has no form",
				NAME_THE_CLASS);
	}

	private static Unsafe refusal(String kind, Class<?> type, String reason, String advice) {
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
