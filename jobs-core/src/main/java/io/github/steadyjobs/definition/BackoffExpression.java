package io.github.steadyjobs.definition;

import java.time.Duration;
import java.util.Set;
import java.util.function.BiConsumer;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.idempotence.IdempotenceDefaults;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * A back-off that is worked out from the failure. Thread safe.
 * <p>
 * Sees the failure and what its properties and methods return: no bean, no type, no
 * constructor. Changes nothing.
 */
final class BackoffExpression implements RetryDelay {

	private static final Set<String> VARIABLES = Set.of("#count", "#job", "#failure");

	private static final Set<Class<?>> REFUSED = Set.of(TypeReference.class, BeanReference.class,
			ConstructorReference.class);

	private static final double MILLIS = 1000;

	private final Expression expression;

	private BackoffExpression(Expression expression) {
		this.expression = expression;
	}

	/**
	 * Parse an expression.
	 * @param problems takes what is wrong with it, as the rest of a sentence, and how to
	 * fix it
	 * @return the expression, or {@code null} if there is a problem
	 */
	static @Nullable BackoffExpression read(String text, BiConsumer<String, String> problems) {
		try {
			SpelExpression expression = new SpelExpressionParser().parseRaw(text);
			String foreign = foreign(expression.getAST());
			if (foreign == null) {
				return new BackoffExpression(expression);
			}
			problems.accept("which refers to %s".formatted(foreign),
					"Use #count, #job and #failure, and what they have. For anything else name a RetryDelay bean.");
		}
		catch (ExpressionException ex) {
			problems.accept("which is not an expression: %s".formatted(ex.getSimpleMessage()),
					"Write an expression of the Spring Expression Language, without #{ } around it, as in backoff = \"#count < 5 ? '30s' : 'KILL'\".");
		}
		return null;
	}

	private static @Nullable String foreign(SpelNode node) {
		String text = node.toStringAST();
		if (REFUSED.contains(node.getClass()) || (node instanceof VariableReference && !VARIABLES.contains(text))) {
			return text;
		}
		String found = null;
		for (int index = 0; index < node.getChildCount() && found == null; index++) {
			found = foreign(node.getChild(index));
		}
		return found;
	}

	@Override
	public Duration delay(int count, JobPayload job, Throwable failure) {
		EvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding().withInstanceMethods().build();
		context.setVariable("count", count);
		context.setVariable("job", job);
		context.setVariable("failure", failure);
		return delay(this.expression.getValue(context));
	}

	private Duration delay(@Nullable Object value) {
		if (value instanceof Duration delay) {
			return delay;
		}
		if (value instanceof Number seconds) {
			return Duration.ofMillis(Math.round(seconds.doubleValue() * MILLIS));
		}
		String text = String.valueOf(value);
		switch (text) {
			case "DISCARD" -> throw new DiscardJobException("The back-off says so");
			case "KILL" -> throw new KillJobException("The back-off says so");
			default -> {
				Duration delay = IdempotenceDefaults.time(text);
				if (delay == null) {
					throw new IllegalArgumentException(
							"'%s' is neither a time nor a number of seconds, 'DISCARD' or 'KILL'".formatted(text));
				}
				return delay;
			}
		}
	}

	@Override
	public String toString() {
		return this.expression.getExpressionString();
	}

}
