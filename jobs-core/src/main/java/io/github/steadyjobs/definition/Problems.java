package io.github.steadyjobs.definition;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;

/**
 * Gathers problems to report them all at once, each only once where several beans are of
 * one class.
 */
final class Problems {

	private final Set<Problem> problems = new LinkedHashSet<>();

	void add(String description, String action) {
		this.problems.add(new Problem(description, action));
	}

	void throwIfAny() {
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
