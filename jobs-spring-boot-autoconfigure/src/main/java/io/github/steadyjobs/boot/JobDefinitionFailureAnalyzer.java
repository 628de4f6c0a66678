package io.github.steadyjobs.boot;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.steadyjobs.definition.JobDefinitionException;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Turns a {@link JobDefinitionException} into a description of all mistakes that were
 * found, and an action for each of them.
 */
class JobDefinitionFailureAnalyzer extends AbstractFailureAnalyzer<JobDefinitionException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, JobDefinitionException cause) {
		return new FailureAnalysis(list(cause.problems(), Problem::description),
				list(cause.problems(), Problem::action), cause);
	}

	private static String list(List<Problem> problems, Function<Problem, String> text) {
		if (problems.size() == 1) {
			return text.apply(problems.get(0));
		}
		return problems.stream()
			.map((problem) -> (problems.indexOf(problem) + 1) + ". " + text.apply(problem))
			.collect(Collectors.joining(System.lineSeparator()));
	}

}
