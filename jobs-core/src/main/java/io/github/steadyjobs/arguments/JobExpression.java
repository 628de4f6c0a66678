package io.github.steadyjobs.arguments;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

import io.github.steadyjobs.InvalidJobException;
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
 * The expression of an attribute of a job. Thread safe.
 * <p>
 * An expression has access only to its variables and to the values that the properties
 * and methods of its variables return. It cannot refer to beans, types or constructors,
 * and it cannot assign values.
 */
public final class JobExpression {

	// Not compiled, because compiled code could not access non-public classes.
	private static final SpelExpressionParser PARSER = new SpelExpressionParser(
			new SpelParserConfiguration(SpelCompilerMode.OFF, null));

	// Not shared between expressions, because an accessor caches classes and so keeps
	// them from being unloaded.
	private final PropertyAccessor[] properties = { DataBindingPropertyAccessor.forReadOnlyAccess(),
			new MapAccessor(false) };

	private final MethodResolver methods = DataBindingMethodResolver.forInstanceMethodInvocation();

	private final Expression expression;

	private final Map<String, Integer> variables;

	private final ExpressionScope scope;

	private JobExpression(Expression expression, Map<String, Integer> variables, ExpressionScope scope) {
		this.expression = expression;
		this.variables = Map.copyOf(variables);
		this.scope = scope;
	}

	/**
	 * Parse an expression, and check its references.
	 * @param problems receives each problem, worded as the rest of a sentence about the
	 * expression, and how to fix it
	 * @return the expression, or {@code null} if there is a problem
	 */
	public static @Nullable JobExpression read(ExpressionScope scope, String text,
			BiConsumer<String, String> problems) {
		try {
			SpelExpression expression = PARSER.parseRaw(text);
			ExpressionWalk walk = new ExpressionWalk(scope, problems);
			walk.walk(expression.getAST(), null, false);
			return walk.isGood() ? new JobExpression(expression, walk.variables(), scope) : null;
		}
		catch (ExpressionException ex) {
			problems.accept("which is not an expression: " + ex.getSimpleMessage(),
					"Write an expression of the Spring Expression Language, without #{ } around it, as in %s = \"%s\"."
						.formatted(scope.attribute(), scope.example()));
			return null;
		}
	}

	/**
	 * Evaluate the expression.
	 * @param values a value for each variable of the scope
	 */
	public @Nullable Object evaluate(List<? extends @Nullable Object> values) {
		SimpleEvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(this.properties)
			.withMethodResolvers(this.methods)
			.withAssignmentDisabled()
			.build();
		this.variables.forEach((name, position) -> context.setVariable(name,
				(position < values.size()) ? values.get(position) : null));
		return this.expression.getValue((EvaluationContext) context);
	}

	/**
	 * Evaluate the expression for the arguments of a job.
	 * @throws InvalidJobException if the evaluation fails or its result is {@code null};
	 * the message quotes no argument
	 */
	public Object evaluate(String job, List<? extends @Nullable Object> arguments) {
		Object value;
		try {
			value = evaluate(arguments);
		}
		catch (RuntimeException ex) {
			throw invalid(job, "fails: " + describe(ex));
		}
		if (value == null) {
			throw invalid(job, "is null");
		}
		return value;
	}

	/**
	 * Create the exception for arguments that do not result in a usable value.
	 * @param what the problem with the value, worded as the rest of a sentence
	 */
	public InvalidJobException invalid(String job, String what) {
		String positions = this.variables.values()
			.stream()
			.distinct()
			.sorted()
			.map((position) -> "args[" + position + "]")
			.collect(Collectors.joining(", "));
		// The cause is left out because its message may quote an argument, which may be a
		// secret.
		return new InvalidJobException(
				"Job '%s' cannot be stored: for these arguments (%s) the %s '%s' of its @%s %s. Pass arguments that have a %s, or let the expression say what counts without one, as in \"#p0?.id ?: 0\"."
					.formatted(job, positions.isEmpty() ? "none of which it uses" : positions, this.scope.attribute(),
							this, this.scope.annotation().getSimpleName(), what, this.scope.attribute()));
	}

	private static String describe(RuntimeException failure) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
		if (cause instanceof SpelEvaluationException spel) {
			return spel.getMessageCode().name().toLowerCase(Locale.ROOT).replace('_', ' ');
		}
		StackTraceElement[] trace = cause.getStackTrace();
		return cause.getClass().getName() + ((trace.length > 0) ? " at " + trace[0] : "");
	}

	@Override
	public String toString() {
		return this.expression.getExpressionString();
	}

}
