package io.github.steadyjobs.definition;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.ExpressionException;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * Parses keys, and checks them against the parameters of their methods.
 */
final class KeyReader {

	// Compiled code could not reach classes that are not public.
	private final SpelExpressionParser parser = new SpelExpressionParser(
			new SpelParserConfiguration(SpelCompilerMode.OFF, null));

	private final Predicate<Object> storable;

	/**
	 * Create a reader.
	 * @param storable whether JSON can hold what a key comes to
	 */
	KeyReader(Predicate<Object> storable) {
		this.storable = storable;
	}

	/**
	 * Read a key.
	 * @param text the expression
	 * @param place whose key it is
	 * @param method the method whose arguments it refers to
	 * @param problems takes what is wrong
	 * @return the key, or {@code null} if there is a problem
	 */
	@Nullable KeyExpression read(String text, String place, JobMethod method, Problems problems) {
		SpelExpression expression;
		try {
			expression = this.parser.parseRaw(text);
		}
		catch (ExpressionException ex) {
			problems.add(
					"%s has the key '%s', which is no expression: %s.".formatted(place, text, ex.getSimpleMessage()),
					"Write an expression of the Spring Expression Language, without #{ } around it, as in key = \"#invoiceId + '/' + #template\".");
			return null;
		}
		KeyParameters parameters = KeyParameters.of(method);
		KeyWalk walk = new KeyWalk(parameters,
				(what, action) -> problems.add("%s has the key '%s', which %s.".formatted(place, text, what), action));
		walk.walk(expression.getAST(), false);
		return walk.isGood() ? new KeyExpression(expression, walk.variables(), this.storable) : null;
	}

}
