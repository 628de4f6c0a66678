package io.github.steadyjobs.arguments;

import java.io.File;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Judges types without looking at their properties: which types are stored as a single
 * JSON value, which number types may replace one another, and which types are refused,
 * with advice on what to use instead.
 */
final class ArgumentTypes {

	private static final Set<Class<?>> FLOATING = Set.of(double.class, Double.class, float.class, Float.class,
			OptionalDouble.class);

	private static final Set<Class<?>> OTHER_SCALARS = Set.of(String.class, BigDecimal.class, BigInteger.class,
			UUID.class, URI.class, OptionalInt.class, OptionalLong.class);

	private static final List<Class<?>> INTEGERS = List.of(Byte.class, Short.class, Integer.class, Long.class,
			BigInteger.class);

	private static final List<Class<?>> FLOATS = List.of(Float.class, Double.class, BigDecimal.class);

	private static final List<String> ENTITIES = List.of("jakarta.persistence.Entity",
			"jakarta.persistence.MappedSuperclass", "javax.persistence.Entity");

	private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

	private static final String NAME_THE_CLASS = "Declare a record or a concrete class: JSON does not say which class to create.";

	// The order matters: a stream may also be abstract, but the rule for streams gives
	// the more helpful reason.
	private static final List<Rule> RULES = List.of(
			new Rule(ArgumentTypes::isEntity, "the JPA entity", "which would be stale when the job runs",
					"Pass its id and load it in the job."),
			new Rule((type) -> isAny(type, AutoCloseable.class), "of type", "a stream or another open resource",
					"Store the content where every worker can read it, and pass its key."),
			new Rule((type) -> isAny(type, Path.class, File.class), "of type", "a file, which other hosts do not have",
					"Pass its name as text, or store the content and pass its key."),
			new Rule(
					(type) -> isAny(type, Class.class, Thread.class, ThreadGroup.class, ClassLoader.class, Module.class,
							Type.class, AnnotatedElement.class, Throwable.class),
					"of type", "a part of the running program", "Pass its name as text."),
			new Rule(ArgumentTypes::isCode, "of type", "code and not data", "Pass the data that the code works on."),
			new Rule((type) -> type.isAnonymousClass() || ClassUtils.isInnerClass(type), "of type",
					"an inner class, which cannot be created again", "Make it a record or a static class."),
			new Rule((type) -> type == Object.class, "of type", "like raw types and wildcards", NAME_THE_CLASS),
			new Rule(Class::isInterface, "the interface", "which JSON cannot express", NAME_THE_CLASS),
			new Rule((type) -> Modifier.isAbstract(type.getModifiers()), "the abstract class",
					"which JSON cannot express", NAME_THE_CLASS),
			new Rule((type) -> isAny(type, Date.class, Calendar.class) && isOfJdk(type), "of type",
					"which JSON cannot express", "Use a type of java.time, such as " + Instant.class.getName() + "."),
			new Rule(ArgumentTypes::isOfJdk, "of type", "which JSON cannot express",
					"Use a string, a number, a type of java.time or a record."));

	private ArgumentTypes() {
	}

	/** Return whether values of a type are stored as a single JSON value. */
	static boolean isScalar(Class<?> type) {
		return OTHER_SCALARS.contains(type) || isFloating(type) || ClassUtils.isPrimitiveOrWrapper(type) || isEnum(type)
				|| isTime(type);
	}

	/** Return whether values of a type can be infinite or NaN. */
	static boolean isFloating(Class<?> type) {
		return FLOATING.contains(type);
	}

	static boolean isKey(Class<?> type) {
		return type == String.class || type == UUID.class || isEnum(type);
	}

	/** Return why the keys of a map cannot be stored. */
	static Unsafe refuseKey(String found) {
		return new Unsafe("", found, "Use strings, enum constants or UUIDs as keys.");
	}

	// An enum constant with a body has a subclass of the enum as its class, for which
	// isEnum() is false.
	static boolean isEnum(Class<?> type) {
		return Enum.class.isAssignableFrom(type) && type != Enum.class;
	}

	private static boolean isOfJdk(Class<?> type) {
		return JDK.stream().anyMatch(type.getName()::startsWith);
	}

	private static boolean isTime(Class<?> type) {
		boolean time = type.getPackageName().equals("java.time")
				&& isAny(type, TemporalAccessor.class, TemporalAmount.class);
		return time || ZoneId.class.isAssignableFrom(type);
	}

	/**
	 * Return whether a number may be passed for a parameter of another number type
	 * without loss of precision. JSON does not distinguish number types, so a request
	 * that names its job can pass the {@code int} value {@code 5} to a method that takes
	 * a {@code long}.
	 */
	static boolean isLossless(@Nullable Object value, Class<?> type) {
		if (value == null) {
			return false;
		}
		int from = INTEGERS.indexOf(value.getClass());
		if (from >= 0) {
			// An integer is written without a fraction, and can also be read as a
			// decimal.
			return INTEGERS.indexOf(type) > from || type == BigDecimal.class
					|| (type == Double.class && from <= INTEGERS.indexOf(Integer.class));
		}
		boolean finite = value instanceof Number number && Double.isFinite(number.doubleValue());
		return finite && FLOATS.contains(value.getClass()) && FLOATS.indexOf(type) > FLOATS.indexOf(value.getClass());
	}

	/**
	 * Return why a type that is neither a scalar nor a collection cannot be stored, or
	 * {@code null} if there is no known objection.
	 */
	static @Nullable Unsafe refuse(Class<?> type) {
		return RULES.stream()
			.filter((rule) -> rule.refused().test(type))
			.findFirst()
			.map((rule) -> new Unsafe("", "is %s %s, %s".formatted(rule.kind(), type.getName(), rule.reason()),
					rule.advice()))
			.orElse(null);
	}

	private static boolean isAny(Class<?> type, Class<?>... kinds) {
		return Stream.of(kinds).anyMatch((kind) -> kind.isAssignableFrom(type));
	}

	private static boolean isEntity(Class<?> type) {
		MergedAnnotations annotations = MergedAnnotations.from(type, SearchStrategy.SUPERCLASS);
		return ENTITIES.stream().anyMatch(annotations::isPresent);
	}

	private static boolean isCode(Class<?> type) {
		return type.isHidden() || type.isSynthetic() || type.isAnnotationPresent(FunctionalInterface.class);
	}

	/** The reason why types of one kind are refused. */
	private record Rule(Predicate<Class<?>> refused, String kind, String reason, String advice) {

	}

	/**
	 * Something that cannot be stored as JSON and read back.
	 *
	 * @param path the place where it was found, relative to the examined value or type
	 * @param found a description of it, worded as the rest of a sentence
	 * @param advice advice on what to do instead, as a sentence
	 */
	record Unsafe(String path, String found, String advice) {

		Unsafe at(String path) {
			return new Unsafe(path, this.found, this.advice);
		}

		String description() {
			return this.path + " " + this.found;
		}

	}

}
