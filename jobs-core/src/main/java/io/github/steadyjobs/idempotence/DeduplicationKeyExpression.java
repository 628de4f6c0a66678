package io.github.steadyjobs.idempotence;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.JobParameters;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingMethodResolver;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * The key of a job that is compared in place of its arguments. Thread safe.
 * <p>
 * Sees the arguments and what their properties and methods return: no bean, no type, no
 * constructor. Changes nothing.
 */
final class DeduplicationKeyExpression {

	// Compiled code could not reach classes that are not public.
	private static final SpelExpressionParser PARSER = new SpelExpressionParser(
			new SpelParserConfiguration(SpelCompilerMode.OFF, null));

	// Not shared: they remember the classes they have read, which may be unloaded.
	private final PropertyAccessor[] properties = { DataBindingPropertyAccessor.forReadOnlyAccess(),
			new MapAccessor(false) };

	private final MethodResolver methods = DataBindingMethodResolver.forInstanceMethodInvocation();

	private final Expression expression;

	private final Map<String, Integer> variables;

	private final JobParameters keys;

	private DeduplicationKeyExpression(Expression expression, Map<String, Integer> variables, JobParameters keys) {
		this.expression = expression;
		this.variables = Map.copyOf(variables);
		this.keys = keys;
	}

	/**
	 * Parse a key, and check it against the parameters of its method.
	 * @param keys checks whether JSON can hold the value
	 * @param problems takes what is wrong with the key, as the rest of a sentence that
	 * begins with "has the key", and how to mend it
	 * @return the key, or {@code null} if there is a problem
	 */
	static @Nullable DeduplicationKeyExpression read(String text, BeanMethod<?> method, JobParameters keys,
			BiConsumer<String, String> problems) {
		SpelExpression expression;
		try {
			expression = PARSER.parseRaw(text);
		}
		catch (ExpressionException ex) {
			problems.accept("'%s', which is not an expression: %s".formatted(text, ex.getSimpleMessage()),
					"Write an expression of the Spring Expression Language, without #{ } around it, as in key = \"#invoiceId + '/' + #template\".");
			return null;
		}
		DeduplicationKeyWalk walk = new DeduplicationKeyWalk(method,
				(what, action) -> problems.accept("'%s', which %s".formatted(text, what), action));
		walk.walk(expression.getAST(), false);
		return walk.isGood() ? new DeduplicationKeyExpression(expression, walk.variables(), keys) : null;
	}

	/**
	 * Evaluate the key.
	 * @throws InvalidJobException if it fails, is null or cannot be written as JSON
	 */
	Object evaluate(String job, List<? extends @Nullable Object> arguments) {
		Object value;
		try {
			value = this.expression.getValue(context(arguments));
		}
		catch (RuntimeException ex) {
			throw invalid(job, "fails: " + describe(ex));
		}
		if (value == null) {
			throw invalid(job, "is null");
		}
		try {
			this.keys.check(job, List.of(value));
			return value;
		}
		catch (InvalidJobException ex) {
			throw invalid(job, "is a %s that JSON cannot hold".formatted(value.getClass().getName()));
		}
	}

	private EvaluationContext context(List<? extends @Nullable Object> arguments) {
		SimpleEvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(this.properties)
			.withMethodResolvers(this.methods)
			.withAssignmentDisabled()
			.build();
		this.variables.forEach((name, position) -> context.setVariable(name,
				(position < arguments.size()) ? arguments.get(position) : null));
		return context;
	}

	private InvalidJobException invalid(String job, String what) {
		String positions = this.variables.values()
			.stream()
			.distinct()
			.sorted()
			.map((position) -> "args[" + position + "]")
			.collect(Collectors.joining(", "));
		// Without its cause, whose message may quote an argument, which may be a secret.
		return new InvalidJobException(
				"Job '%s' cannot be stored: for these arguments (%s) the key '%s' of its @Idempotent %s. Pass arguments that have a key, or let the expression say what counts without one, as in \"#p0?.id ?: 'none'\"."
					.formatted(job, positions.isEmpty() ? "none of which it uses" : positions,
							this.expression.getExpressionString(), what));
	}

	private static String describe(RuntimeException failure) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
		if (cause instanceof SpelEvaluationException spel) {
			return spel.getMessageCode().name().toLowerCase(Locale.ROOT).replace('_', ' ');
		}
		StackTraceElement[] trace = cause.getStackTrace();
		return cause.getClass().getName() + ((trace.length > 0) ? " at " + trace[0] : "");
	}

}
