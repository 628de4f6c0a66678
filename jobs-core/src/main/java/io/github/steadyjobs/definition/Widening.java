package io.github.steadyjobs.definition;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Numbers that may stand for one another, since JSON does not tell them apart: a request
 * by name says {@code 5} where the method takes a {@code long}.
 */
final class Widening {

	private static final List<Class<?>> INTEGERS = List.of(Byte.class, Short.class, Integer.class, Long.class,
			BigInteger.class);

	private static final List<Class<?>> FLOATS = List.of(Float.class, Double.class, BigDecimal.class);

	private Widening() {
	}

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

}
