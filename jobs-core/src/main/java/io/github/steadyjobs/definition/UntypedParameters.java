package io.github.steadyjobs.definition;

import java.util.List;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a job takes whose method is not known here: anything that JSON can hold.
 *
 * @param value checks each argument
 */
record UntypedParameters(ValueCheck value) implements JobParameters {

	@Override
	public void check(String job, List<? extends @Nullable Object> arguments) {
		for (int index = 0; index < arguments.size(); index++) {
			Unsafe unsafe = this.value.checkNullable(arguments.get(index), null);
			if (unsafe != null) {
				throw refusal(job, unsafe.within("args[" + index + "]"));
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

	static InvalidJobException refusal(String job, Unsafe unsafe) {
		return new InvalidJobException(
				"Job '%s' cannot be stored: %s %s".formatted(job, unsafe.description(), unsafe.advice()));
	}

}
