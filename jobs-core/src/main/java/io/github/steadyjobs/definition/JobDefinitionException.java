package io.github.steadyjobs.definition;

import java.util.List;
import java.util.stream.Collectors;

import io.github.steadyjobs.JobException;

/**
 * One or more {@link io.github.steadyjobs.Job} methods cannot be run as they are written.
 * Holds everything that was found, so that one restart is enough to fix them all.
 */
public class JobDefinitionException extends JobException {

	private final transient List<Problem> problems;

	/**
	 * Create an exception.
	 * @param problems everything that was found, at least one problem
	 */
	public JobDefinitionException(List<Problem> problems) {
		super(problems.stream().map(Problem::toString).collect(Collectors.joining(System.lineSeparator())));
		this.problems = List.copyOf(problems);
	}

	/** Return everything that was found, in the order of the beans. */
	public List<Problem> problems() {
		return this.problems;
	}

	/**
	 * A mistake and how to fix it.
	 *
	 * @param description what is wrong, as a sentence
	 * @param action what to type, as a sentence
	 */
	public record Problem(String description, String action) {

		@Override
		public String toString() {
			return this.description + " " + this.action;
		}

	}

}
