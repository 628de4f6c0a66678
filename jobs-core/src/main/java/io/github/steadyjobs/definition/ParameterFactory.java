package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.github.steadyjobs.JobContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.GenericTypeResolver;
import org.springframework.util.function.SingletonSupplier;

/**
 * Prepares the parameters of methods, so that neither enqueueing nor running a job looks
 * at a type again.
 */
final class ParameterFactory {

	private final JsonMapper mapper;

	private final JobParameters untyped;

	ParameterFactory(JsonMapper mapper) {
		this.mapper = mapper;
		this.untyped = new UntypedParameters(new AnyCheck(mapper));
	}

	/**
	 * Prepare the parameters of a method.
	 * @param method the method
	 * @param problems takes what cannot be stored
	 * @return the parameters
	 */
	JobParameters create(JobMethod method, Consumer<Unsafe> problems) {
		boolean context = takesContext(method.method());
		Type[] types = method.method().getGenericParameterTypes();
		int count = context ? types.length - 1 : types.length;
		List<JobParameter> arguments = new ArrayList<>(count);
		TypeWalk walk = new TypeWalk(this.mapper, null, problems);
		for (int index = 0; index < count; index++) {
			// The method may be a superclass's, whose type variables the bean has set.
			JavaType type = this.mapper.constructType(GenericTypeResolver.resolveType(types[index], method.type()));
			boolean refused = MethodRules.isRefused(type.getRawClass());
			ValueCheck check = refused ? ValueCheck.SAFE : walk.walk(type, "args[" + index + "]");
			arguments.add(JobParameter.of(index, type, this.mapper.readerFor(type), check));
		}
		List<JavaType> declared = arguments.stream().map(JobParameter::type).toList();
		return new TypedParameters(List.copyOf(arguments), context,
				SingletonSupplier.of(() -> TypeSignature.of(declared, this.mapper)));
	}

	JobParameters untyped() {
		return this.untyped;
	}

	static boolean takesContext(Method method) {
		int count = method.getParameterCount();
		return count > 0 && method.getParameterTypes()[count - 1] == JobContext.class;
	}

}
