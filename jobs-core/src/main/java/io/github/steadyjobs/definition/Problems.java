package io.github.steadyjobs.definition;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import org.jspecify.annotations.Nullable;

/**
 * Collects problems in order to report them together. A problem is reported only once
 * even if several beans have the same class.
 */
public final class Problems {

	private final Set<Problem> problems = new LinkedHashSet<>();

	public void add(String description, String action) {
		this.problems.add(new Problem(description, action));
	}

	/**
	 * Resolve placeholders.
	 * @param where the place of the text, worded as the beginning of a sentence
	 * @param placeholders resolves placeholders; throws {@link IllegalArgumentException}
	 * if it cannot resolve one of them
	 * @return the resolved text; must not be used if there are problems
	 */
	public String resolve(String where, String text, Function<String, @Nullable String> placeholders) {
		try {
			String resolved = placeholders.apply(text);
			if (resolved != null && !resolved.contains("${")) {
				return resolved;
			}
		}
		catch (IllegalArgumentException ex) {
			// Reported below, like a placeholder that the resolver has left unchanged.
		}
		add("%s has the placeholder '%s', which nothing sets.".formatted(where, text),
				"Set the property, or give the placeholder a default: ${some.property:value}.");
		return text;
	}

	/** Throw an exception with all problems, if there are any. */
	public void throwIfAny() {
		if (!this.problems.isEmpty()) {
			throw new JobDefinitionException(List.copyOf(this.problems));
		}
	}

	void throwInvalidJobIfAny() {
		if (!this.problems.isEmpty()) {
			JobDefinitionException all = new JobDefinitionException(List.copyOf(this.problems));
			throw new InvalidJobException(String.valueOf(all.getMessage()), all);
		}
	}

}
