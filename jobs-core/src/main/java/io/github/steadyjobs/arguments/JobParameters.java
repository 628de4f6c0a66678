package io.github.steadyjobs.arguments;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.arguments.ArgumentTypes.Unsafe;
import io.github.steadyjobs.arguments.TypeWalk.AnyCheck;
import io.github.steadyjobs.arguments.ValueCheck.ArgumentValue;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.NullNode;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.Nullness;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The parameters of a job. Created once per job, so that types are not examined again
 * when the job is enqueued or run. Thread safe.
 */
public final class JobParameters {

	private final List<Type> types;

	private final List<Parameter> parameters;

	private final boolean takesContext;

	private final boolean takesMap;

	private final @Nullable ValueCheck untyped;

	private final JsonMapper mapper;

	// Created on first use, because it is rarely needed.
	private final SingletonSupplier<String> signature;

	private JobParameters(@Nullable BeanMethod<?> method, List<Type> types, List<Parameter> parameters,
			@Nullable ValueCheck untyped, JsonMapper mapper) {
		this.types = List.copyOf(types);
		this.parameters = List.copyOf(parameters);
		this.takesContext = method != null && method.takesContext();
		this.takesMap = method != null && List.of(method.method().getParameterTypes()).contains(Map.class);
		this.untyped = untyped;
		this.mapper = mapper;
		this.signature = SingletonSupplier.of(this::newSignature);
	}

	/**
	 * Prepare the parameters of a method.
	 * @param types the types of the arguments of one enqueue call; the method may take
	 * the arguments of several calls together
	 * @param problems receives a description of each thing that cannot be stored, worded
	 * as the rest of a sentence, and advice on what to do instead
	 */
	public static JobParameters of(BeanMethod<?> method, List<Type> types, JsonMapper mapper,
			BiConsumer<String, String> problems) {
		TypeWalk walk = new TypeWalk(mapper, null,
				(unsafe) -> problems.accept("cannot be stored: args" + unsafe.description(), unsafe.advice()));
		List<Parameter> parameters = new ArrayList<>();
		// A method that takes the arguments of several calls has other parameters.
		boolean nullIsKnown = KotlinDetector.isKotlinType(method.method().getDeclaringClass())
				&& types.equals(method.argumentTypes());
		for (int index = 0; index < types.size(); index++) {
			boolean nonNull = nullIsKnown && isNonNull(method.method(), index);
			parameters.add(Parameter.of(index, mapper.constructType(types.get(index)), nonNull, mapper, walk));
		}
		return new JobParameters(method, types, parameters, null, mapper);
	}

	private static boolean isNonNull(Method method, int index) {
		return Nullness.forMethodParameter(new MethodParameter(method, index)) == Nullness.NON_NULL;
	}

	/**
	 * Prepare the parameters of a job whose method is not known in this application.
	 * These parameters accept any number of values that can be stored as JSON. Arguments
	 * can be checked, but not bound.
	 */
	public static JobParameters untyped(JsonMapper mapper) {
		return new JobParameters(null, List.of(), List.of(), ValueCheck.elements(new AnyCheck(mapper)), mapper);
	}

	/**
	 * Check arguments before they are enqueued: their number, their types, and whether
	 * each value that they contain can be stored as JSON. Arguments whose declared types
	 * guarantee this are not examined.
	 * @param job the name of the job
	 * @param values the arguments, without the {@link JobContext}
	 * @throws InvalidJobException if an argument does not fit; the message contains its
	 * path
	 */
	public void check(String job, List<? extends @Nullable Object> values) {
		ArgumentValue all = ArgumentValue.all(job, values);
		if (this.untyped != null) {
			this.untyped.check(all);
			return;
		}
		if (values.size() != this.parameters.size()) {
			throw new InvalidJobException("Job '%s' takes %s, but got %d".formatted(job, describe(), values.size()));
		}
		for (int index = 0; index < values.size(); index++) {
			this.parameters.get(index).check(index, values.get(index), all);
		}
	}

	/**
	 * Bind stored arguments by position. Missing arguments, as in a job of an older
	 * release, are read as {@code null}, which primitive types and Kotlin's non-null
	 * types do not accept.
	 * @param context the context, passed to the method if it takes one
	 * @return a value for each parameter of the method
	 * @throws InvalidJobException if the arguments do not fit; the message quotes no
	 * argument
	 */
	public @Nullable Object[] bind(JobPayload job, JobContext context) {
		int count = this.parameters.size();
		@Nullable Object[] values = new Object[this.takesContext ? count + 1 : count];
		try (JsonParser stored = job.parseArguments(this.mapper)) {
			stored.nextToken();
			JsonToken next = stored.nextToken();
			for (int index = 0; index < count; index++) {
				Parameter parameter = this.parameters.get(index);
				try {
					values[index] = (next != JsonToken.END_ARRAY) ? parameter.read(stored) : parameter.missing();
				}
				catch (RuntimeException ex) {
					// The cause is left out because its message quotes the value.
					throw unfit(job, new Misfit("args[" + index + "]", parameter.type(), job.arguments().path(index))
						.describe(ex));
				}
				next = (next != JsonToken.END_ARRAY) ? stored.nextToken() : next;
			}
			if (next != JsonToken.END_ARRAY) {
				// A newer release wrote the job; ignoring the additional arguments would
				// be guesswork.
				throw unfit(job, "it takes %s, but was stored with %d".formatted(describe(), job.arguments().size()));
			}
		}
		catch (JacksonException ex) {
			// If the arguments are not valid JSON, building a tree throws an exception
			// that says where the error is.
			job.arguments();
			throw unfit(job, "its arguments cannot be read");
		}
		if (this.takesContext) {
			values[count] = context;
		}
		return values;
	}

	private static InvalidJobException unfit(JobPayload job, String why) {
		return new InvalidJobException("Job '%s' cannot run: %s".formatted(job.name(), why));
	}

	/**
	 * Bind the payloads for one call of a method that takes several payloads, either as a
	 * map of lists by key or as a list.
	 * @param byKey the payloads of each key, each as the arguments of a separate job, in
	 * ascending order of score; exactly one key unless the method takes a map
	 * @throws InvalidJobException if an argument does not fit, as for {@link #bind}
	 */
	public @Nullable Object[] bindAll(Map<String, List<JobPayload>> byKey, JobContext context) {
		Map<String, List<@Nullable Object>> bound = new LinkedHashMap<>();
		byKey.forEach((key, jobs) -> {
			List<@Nullable Object> values = new ArrayList<>(jobs.size());
			jobs.forEach((job) -> values.add(bind(job, context)[0]));
			bound.put(key, values);
		});
		Object argument = this.takesMap ? bound : bound.values().iterator().next();
		return this.takesContext ? new Object[] { argument, context } : new Object[] { argument };
	}

	private String newSignature() {
		BitSet required = new BitSet();
		for (int index = 0; index < this.parameters.size(); index++) {
			required.set(index, this.parameters.get(index).nonNull());
		}
		return TypeSignature.of(this.parameters.stream().map(Parameter::type).toList(), required, this.mapper);
	}

	/**
	 * Return 12 hex digits that identify which arguments can be bound. The digits depend
	 * on the declared types, the properties that are read, and the constants of enums.
	 */
	public String signature() {
		return this.signature.obtain();
	}

	/** Return the declared types of the arguments, in order. */
	public List<Type> types() {
		return this.types;
	}

	/**
	 * Return the class of the only argument, boxed; {@code null} unless there is exactly
	 * one.
	 */
	public @Nullable Class<?> onlyType() {
		return (this.parameters.size() == 1) ? this.parameters.get(0).boxedType() : null;
	}

	private String describe() {
		String types = this.parameters.stream()
			.map((parameter) -> Misfit.name(parameter.type()))
			.collect(Collectors.joining(", ", "(", ")"));
		return "%d argument%s %s".formatted(this.parameters.size(), (this.parameters.size() != 1) ? "s" : "", types);
	}

	/**
	 * One parameter that is stored as JSON.
	 *
	 * @param nonNull whether the parameter's type in Kotlin does not allow null
	 */
	private record Parameter(JavaType type, Class<?> boxedType, boolean nonNull, ObjectReader reader,
			ValueCheck check) {

		static Parameter of(int index, JavaType type, boolean nonNull, JsonMapper mapper, TypeWalk walk) {
			Class<?> raw = type.getRawClass();
			// Other rules already refuse these two types as parameters of a job, so no
			// further problem is reported.
			boolean refused = raw == JobContext.class || raw.getName().equals(BeanMethod.CONTINUATION);
			return new Parameter(type, ClassUtils.resolvePrimitiveIfNecessary(raw), nonNull,
					mapper.readerFor(type).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS),
					refused ? ValueCheck.SAFE : walk.walk(type, "[" + index + "]"));
		}

		void check(int index, @Nullable Object value, ArgumentValue all) {
			if (this.boxedType.isInstance(value)) {
				all.check(index, value, this.check);
			}
			else if ((value != null || this.type.isPrimitive() || this.nonNull)
					&& !ArgumentTypes.isLossless(value, this.boxedType)) {
				String found = (value != null) ? "is of type " + value.getClass().getName() : "is null";
				throw all.refuse(new Unsafe("[" + index + "]", found, "Expected: " + Misfit.name(this.type) + "."));
			}
		}

		@Nullable Object read(JsonParser stored) {
			Object value = this.reader.readValue(stored);
			if (!stored.streamReadContext().getParent().inRoot()) {
				throw new IllegalStateException("Its deserializer has not read all of it");
			}
			return allowed(value);
		}

		@Nullable Object missing() {
			return allowed(this.reader.readValue(NullNode.getInstance()));
		}

		private @Nullable Object allowed(@Nullable Object value) {
			if (value == null && this.nonNull) {
				throw MismatchedInputException.from(null, this.type, "null");
			}
			return value;
		}

	}

}
