package io.github.steadyjobs.arguments;

import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
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
 * An attribute of an annotation that is worked out from the arguments of a job. Thread
 * safe.
 * <p>
 * Sees the arguments and what their properties and methods return: no bean, no type, no
 * constructor. Changes nothing.
 */
public final class ArgumentExpression {

	// Compiled code could not reach classes that are not public.
	private static final SpelExpressionParser PARSER = new SpelExpressionParser(
			new SpelParserConfiguration(SpelCompilerMode.OFF, null));

	// Not shared: they remember the classes they have read, which may be unloaded.
	private final PropertyAccessor[] properties = { DataBindingPropertyAccessor.forReadOnlyAccess(),
			new MapAccessor(false) };

	private final MethodResolver methods = DataBindingMethodResolver.forInstanceMethodInvocation();

	private final Expression expression;

	private final Map<String, Integer> variables;

	private final Attribute attribute;

	private ArgumentExpression(Expression expression, Map<String, Integer> variables, Attribute attribute) {
		this.expression = expression;
		this.variables = Map.copyOf(variables);
		this.attribute = attribute;
	}

	/**
	 * Parse an expression, and check it against the parameters of its method.
	 * @param attribute where the expression stands
	 * @param problems takes what is wrong with it, as the rest of a sentence that begins
	 * with "has the key", and how to fix it
	 * @return the expression, or {@code null} if there is a problem
	 */
	public static @Nullable ArgumentExpression read(Attribute attribute, String text,
			BiConsumer<String, String> problems) {
		SpelExpression expression;
		try {
			expression = PARSER.parseRaw(text);
		}
		catch (ExpressionException ex) {
			problems.accept("'%s', which is not an expression: %s".formatted(text, ex.getSimpleMessage()),
					"Write an expression of the Spring Expression Language, without #{ } around it, as in %s = \"#p0.id\"."
						.formatted(attribute.name()));
			return null;
		}
		ExpressionWalk walk = new ExpressionWalk(attribute,
				(what, action) -> problems.accept("'%s', which %s".formatted(text, what), action));
		walk.walk(expression.getAST(), false);
		return walk.isGood() ? new ArgumentExpression(expression, walk.variables(), attribute) : null;
	}

	/**
	 * Evaluate the expression.
	 * @throws InvalidJobException if it fails or is {@code null}; the message quotes no
	 * argument
	 */
	public Object evaluate(String job, List<? extends @Nullable Object> arguments) {
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
		return value;
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

	/**
	 * Make the exception for a value that cannot be used.
	 * @param what what is wrong with the value, as the rest of a sentence
	 */
	public InvalidJobException invalid(String job, String what) {
		String positions = this.variables.values()
			.stream()
			.distinct()
			.sorted()
			.map((position) -> "args[" + position + "]")
			.collect(Collectors.joining(", "));
		// Without its cause, whose message may quote an argument, which may be a secret.
		return new InvalidJobException(
				"Job '%s' cannot be stored: for these arguments (%s) the %s '%s' of its @%s %s. Pass arguments that have a %s, or let the expression say what counts without one, as in \"#p0?.id ?: 0\"."
					.formatted(job, positions.isEmpty() ? "none of which it uses" : positions, this.attribute.name(),
							this.expression.getExpressionString(), this.attribute.annotation().getSimpleName(), what,
							this.attribute.name()));
	}

	private static String describe(RuntimeException failure) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
		if (cause instanceof SpelEvaluationException spel) {
			return spel.getMessageCode().name().toLowerCase(Locale.ROOT).replace('_', ' ');
		}
		StackTraceElement[] trace = cause.getStackTrace();
		return cause.getClass().getName() + ((trace.length > 0) ? " at " + trace[0] : "");
	}

	/**
	 * Where an expression stands, and what it may refer to.
	 *
	 * @param annotation the annotation that has the attribute
	 * @param name the name of the attribute
	 * @param method the method that takes the arguments
	 * @param payload the type of what {@code #payload} and {@code #p0} stand for; if the
	 * method takes that itself, it has the name of its parameter as well. {@code null} if
	 * the arguments have no other names than those of their parameters
	 */
	public record Attribute(Class<? extends Annotation> annotation, String name, BeanMethod<?> method,
			@Nullable Type payload) {

		List<Type> types() {
			return (this.payload != null) ? List.of(this.payload) : this.method.argumentTypes();
		}

	}

}
