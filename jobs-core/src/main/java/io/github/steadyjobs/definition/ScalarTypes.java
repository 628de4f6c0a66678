package io.github.steadyjobs.definition;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
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
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * The types that are one JSON value and not a structure.
 */
final class ScalarTypes {

	private static final Set<Class<?>> SAFE = Set.of(String.class, BigDecimal.class, BigInteger.class, UUID.class,
			URI.class, Instant.class, LocalDate.class, LocalDateTime.class, LocalTime.class, OffsetDateTime.class,
			OffsetTime.class, ZonedDateTime.class, Year.class, YearMonth.class, MonthDay.class, Duration.class,
			Period.class, OptionalInt.class, OptionalLong.class);

	private static final Set<Class<?>> FLOATING = Set.of(double.class, Double.class, float.class, Float.class,
			OptionalDouble.class);

	private ScalarTypes() {
	}

	/**
	 * Return the check of a type's values.
	 * @param type the type
	 * @return the check, or {@code null} if the type is no scalar
	 */
	static @Nullable ValueCheck find(Class<?> type) {
		if (FLOATING.contains(type)) {
			return ScalarTypes::checkFinite;
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

}
