package io.github.steadyjobs.definition;

import java.util.List;
import java.util.stream.Collectors;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import org.springframework.util.function.SingletonSupplier;

/**
 * The parameters of a method.
 *
 * @param arguments those that are stored as JSON
 * @param context whether the context of the run follows them
 * @param signatures makes the signature when it is first needed, which mostly is never
 */
record TypedParameters(List<JobParameter> arguments, boolean context,
		SingletonSupplier<String> signatures) implements JobParameters {

	@Override
	public void check(String job, List<? extends @Nullable Object> values) {
		if (values.size() != this.arguments.size()) {
			throw new InvalidJobException("Job '%s' takes %s, and got %d".formatted(job, describe(), values.size()));
		}
		for (int index = 0; index < values.size(); index++) {
			Unsafe unsafe = this.arguments.get(index).check(values.get(index));
			if (unsafe != null) {
				throw UntypedParameters.refusal(job, unsafe);
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
			values[index] = this.arguments.get(index).read(job, node);
		}
		if (this.context) {
			values[count] = context;
		}
		return values;
	}

	@Override
	public String signature() {
		return this.signatures.obtain();
	}

	@Override
	public @Nullable Class<?> onlyType() {
		return (this.arguments.size() == 1) ? this.arguments.get(0).boxedType() : null;
	}

	private String describe() {
		String types = this.arguments.stream().map(JobParameter::typeName).collect(Collectors.joining(", ", "(", ")"));
		return "%d argument%s %s".formatted(this.arguments.size(), (this.arguments.size() != 1) ? "s" : "", types);
	}

}
