package io.github.steadyjobs.definition;

import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.JobExpression;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * How a job keeps its payloads in order, as set by its {@link Sequential} annotation and
 * the configuration. Thread safe.
 *
 * @param form the form of the arguments of one call
 * @param batchSize the maximum number of keys in one call, 1 to 1,000; 1 unless the form
 * is {@link Form#MAP}
 * @param shards the number of hash tags over which the keys of the queue are spread, 1 to
 * 1,024
 * @param ofKey computes the key of a payload
 * @param ofScore computes the score of a payload; {@code null} to use the enqueue time
 */
public record Sequence(Form form, int batchSize, int shards, JobExpression ofKey, @Nullable JobExpression ofScore) {

	private static final Set<Class<?>> WHOLE = Set.of(Byte.class, Short.class, Integer.class, Long.class,
			BigInteger.class, AtomicInteger.class, AtomicLong.class);

	/**
	 * Compute the key of a payload, 1 to 256 characters.
	 * @throws InvalidJobException if no valid key results; the message quotes no argument
	 */
	public String key(String job, List<? extends @Nullable Object> arguments) {
		Object value = this.ofKey.evaluate(job, arguments);
		if (!ClassUtils.isSimpleValueType(value.getClass())) {
			// The text of such a value may differ between equal objects, and their keys
			// would then differ too.
			throw this.ofKey.invalid(job,
					"is a %s, not a text, a number or another simple value".formatted(value.getClass().getName()));
		}
		String key = (value instanceof Enum<?> constant) ? constant.name() : value.toString();
		if (!Names.isKey(key)) {
			throw this.ofKey.invalid(job,
					"has %d characters, but a key has %s".formatted(key.length(), Names.KEY_RULE));
		}
		return key;
	}

	/**
	 * Compute the score of a payload, a decimal number.
	 * @return the score; {@code null} if it is the time at which the payload is enqueued
	 * @throws InvalidJobException if no valid score results; the message quotes no
	 * argument
	 */
	public @Nullable String score(String job, List<? extends @Nullable Object> arguments) {
		if (this.ofScore == null) {
			return null;
		}
		if (!(this.ofScore.evaluate(job, arguments) instanceof Number number)) {
			throw this.ofScore.invalid(job, "is not a number");
		}
		if (!Double.isFinite(number.doubleValue())) {
			throw this.ofScore.invalid(job, "is NaN or infinite");
		}
		return WHOLE.contains(number.getClass()) ? number.toString()
				: JobRequest.named(job).score(number.doubleValue()).options().score();
	}

	/** The form of the arguments of one call of the method. */
	public enum Form {

		/** One payload, whose arguments are passed as they are. */
		ONE,

		/** All collected payloads of one key, in ascending order of score. */
		LIST,

		/** The payloads of several keys, by key. */
		MAP;

		static Form of(BeanMethod<?> method) {
			ResolvableType only = onlyArgument(method);
			if (only.resolve() == List.class) {
				return LIST;
			}
			return (only.resolve() == Map.class && only.getGeneric(0).resolve() == String.class
					&& only.getGeneric(1).resolve() == List.class) ? MAP : ONE;
		}

		/** Return the types of the arguments that make up one payload. */
		List<Type> payload(BeanMethod<?> method) {
			ResolvableType only = onlyArgument(method);
			return switch (this) {
				case ONE -> method.argumentTypes();
				case LIST -> List.of(element(only.getGeneric(0)));
				case MAP -> List.of(element(only.getGeneric(1).getGeneric(0)));
			};
		}

		private static ResolvableType onlyArgument(BeanMethod<?> method) {
			List<Type> types = method.argumentTypes();
			return (types.size() == 1) ? ResolvableType.forType(types.get(0)) : ResolvableType.NONE;
		}

		private static Type element(ResolvableType type) {
			if (type == ResolvableType.NONE) {
				return Object.class;
			}
			// The element type of Kotlin's lists is a wildcard.
			return (type.getType() instanceof WildcardType wildcard) ? wildcard.getUpperBounds()[0] : type.getType();
		}

	}

}
