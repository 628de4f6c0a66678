package io.github.steadyjobs.arguments;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.arguments.ValueCheck.AnyCheck;
import io.github.steadyjobs.arguments.ValueCheck.Unsafe;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.NullNode;

import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * What a job takes. Made once, so that neither enqueueing nor running a job looks at a
 * type again. Thread safe.
 */
public abstract class JobParameters {

	private JobParameters() {
	}

	/**
	 * Prepare the parameters of a method.
	 * @param method the method
	 * @param mapper writes and reads the arguments
	 * @param problems takes what cannot be stored, and what to do instead
	 * @return the parameters
	 */
	public static JobParameters of(BeanMethod method, JsonMapper mapper, BiConsumer<String, String> problems) {
		List<Parameter> arguments = new ArrayList<>();
		TypeWalk walk = new TypeWalk(mapper, null, (unsafe) -> problems.accept(unsafe.description(), unsafe.advice()));
		method.argumentTypes()
			.forEach((type) -> arguments.add(Parameter.of(arguments.size(), mapper.constructType(type), mapper, walk)));
		return new Typed(List.copyOf(arguments), method.takesContext(), mapper);
	}

	/**
	 * Prepare what a job takes whose method is not known here: anything that JSON can
	 * hold.
	 * @param mapper writes the arguments
	 * @return the parameters, which bind nothing
	 */
	public static JobParameters untyped(JsonMapper mapper) {
		return new Untyped(new AnyCheck(mapper));
	}

	/**
	 * Check arguments that are to be enqueued.
	 * @param job the name of the job
	 * @param arguments the arguments
	 * @throws InvalidJobException if one does not fit
	 */
	public abstract void check(String job, List<? extends @Nullable Object> arguments);

	/**
	 * Bind stored arguments.
	 * @param job the name of the job
	 * @param arguments the stored arguments
	 * @param context the context of the run
	 * @return a value for each parameter of the method
	 * @throws InvalidJobException if one does not fit
	 */
	public abstract @Nullable Object[] bind(String job, JsonNode arguments, JobContext context);

	/**
	 * Return what changes when other arguments can be bound.
	 * @return a short text
	 */
	public abstract String signature();

	/**
	 * Return the type of the only argument.
	 * @return the type, no primitive; {@code null} if there is not exactly one
	 */
	public abstract @Nullable Class<?> onlyType();

	private static InvalidJobException refusal(String job, Unsafe unsafe) {
		return new InvalidJobException(
				"Job '%s' cannot be stored: %s %s".formatted(job, unsafe.description(), unsafe.advice()));
	}

	private static String path(int index) {
		return "args[" + index + "]";
	}

	/**
	 * The parameters of a method.
	 */
	private static final class Typed extends JobParameters {

		private final List<Parameter> arguments;

		private final boolean context;

		// Made when it is first needed, which mostly is never.
		private final SingletonSupplier<String> signature;

		Typed(List<Parameter> arguments, boolean context, JsonMapper mapper) {
			this.arguments = arguments;
			this.context = context;
			List<JavaType> types = arguments.stream().map(Parameter::type).toList();
			this.signature = SingletonSupplier.of(() -> TypeSignature.of(types, mapper));
		}

		@Override
		public void check(String job, List<? extends @Nullable Object> values) {
			if (values.size() != this.arguments.size()) {
				throw new InvalidJobException(
						"Job '%s' takes %s, and got %d".formatted(job, describe(), values.size()));
			}
			for (int index = 0; index < values.size(); index++) {
				Unsafe unsafe = this.arguments.get(index).check(values.get(index));
				if (unsafe != null) {
					throw refusal(job, unsafe.within(path(index)));
				}
			}
		}

		@Override
		public @Nullable Object[] bind(String job, JsonNode stored, JobContext context) {
			int count = this.arguments.size();
			if (stored.size() > count) {
				// A newer release wrote it: dropping what it added would be a guess.
				throw new InvalidJobException("Job '%s' cannot run: it takes %s, and was stored with %d".formatted(job,
						describe(), stored.size()));
			}
			@Nullable Object[] values = new Object[this.context ? count + 1 : count];
			for (int index = 0; index < count; index++) {
				JsonNode node = (index < stored.size()) ? stored.get(index) : MissingNode.getInstance();
				values[index] = this.arguments.get(index).read(job, index, node);
			}
			if (this.context) {
				values[count] = context;
			}
			return values;
		}

		@Override
		public String signature() {
			return this.signature.obtain();
		}

		@Override
		public @Nullable Class<?> onlyType() {
			return (this.arguments.size() == 1) ? this.arguments.get(0).boxedType() : null;
		}

		private String describe() {
			String types = this.arguments.stream()
				.map((argument) -> Misfit.name(argument.type()))
				.collect(Collectors.joining(", ", "(", ")"));
			return "%d argument%s %s".formatted(this.arguments.size(), (this.arguments.size() != 1) ? "s" : "", types);
		}

	}

	/**
	 * One parameter that is stored as JSON.
	 *
	 * @param type its declared type
	 * @param boxedType the class of its values
	 * @param reader reads it
	 * @param check checks its values
	 */
	private record Parameter(JavaType type, Class<?> boxedType, ObjectReader reader, ValueCheck check) {

		static Parameter of(int index, JavaType type, JsonMapper mapper, TypeWalk walk) {
			Class<?> raw = type.getRawClass();
			// Refused as parameters of a job, which is all that there is to say about
			// them.
			boolean refused = raw == JobContext.class || raw.getName().equals(BeanMethod.CONTINUATION);
			return new Parameter(type, ClassUtils.resolvePrimitiveIfNecessary(raw), mapper.readerFor(type),
					refused ? ValueCheck.SAFE : walk.walk(type, path(index)));
		}

		@Nullable Unsafe check(@Nullable Object value) {
			return this.boxedType.isInstance(value) ? this.check.check(value, null) : checkOther(value);
		}

		private @Nullable Unsafe checkOther(@Nullable Object value) {
			if ((value == null && !this.type.isPrimitive()) || ArgumentTypes.isLossless(value, this.boxedType)) {
				return null;
			}
			return Unsafe.here("is " + ((value != null) ? "of type " + value.getClass().getName() : "null"),
					"Expected: " + Misfit.name(this.type) + ".");
		}

		@Nullable Object read(String job, int index, JsonNode node) {
			try {
				return this.reader.readValue(node.isMissingNode() ? NullNode.getInstance() : node);
			}
			catch (RuntimeException ex) {
				// Without its cause, whose message quotes the value.
				throw new InvalidJobException("Job '%s' cannot run: %s".formatted(job,
						new Misfit(path(index), this.type, node).describe(ex)));
			}
		}

	}

	/**
	 * What a job takes whose method is not known here.
	 */
	private static final class Untyped extends JobParameters {

		private final ValueCheck value;

		Untyped(ValueCheck value) {
			this.value = value;
		}

		@Override
		public void check(String job, List<? extends @Nullable Object> arguments) {
			for (int index = 0; index < arguments.size(); index++) {
				Unsafe unsafe = this.value.checkNullable(arguments.get(index), null);
				if (unsafe != null) {
					throw refusal(job, unsafe.within(path(index)));
				}
			}
		}

		@Override
		public @Nullable Object[] bind(String job, JsonNode arguments, JobContext context) {
			throw new IllegalStateException("Job '%s' has no method here".formatted(job));
		}

		@Override
		public String signature() {
			throw new IllegalStateException("Nothing is bound without a method");
		}

		@Override
		public @Nullable Class<?> onlyType() {
			return null;
		}

	}

}
