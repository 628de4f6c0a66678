package io.github.steadyjobs.definition;

import java.util.List;
import java.util.stream.Collectors;

import io.github.steadyjobs.JobException;

/**
 * Thrown when one or more {@link io.github.steadyjobs.Job} methods cannot be run as they
 * are written. Contains all problems that were found, so that one restart is enough to
 * fix them all.
 */
public class JobDefinitionException extends JobException {

	private final transient List<Problem> problems;

	/**
	 * Create an exception.
	 * @param problems all problems that were found, at least one
	 */
	public JobDefinitionException(List<Problem> problems) {
		super(problems.stream().map(Problem::toString).collect(Collectors.joining(System.lineSeparator())));
		this.problems = List.copyOf(problems);
	}

	/** Return all problems that were found, in the order of the beans. */
	public List<Problem> problems() {
		return this.problems;
	}

	/**
	 * A problem and how to fix it.
	 *
	 * @param description what is wrong, as a sentence
	 * @param action how to fix it, as a sentence
	 */
	public record Problem(String description, String action) {

		@Override
		public String toString() {
			return this.description + " " + this.action;
		}

	}

}
