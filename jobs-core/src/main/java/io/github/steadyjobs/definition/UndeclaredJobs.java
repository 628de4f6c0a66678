package io.github.steadyjobs.definition;

import java.util.List;
import java.util.stream.Collectors;

import io.github.steadyjobs.idempotence.IdempotenceDefaults.Undeclared;
import io.github.steadyjobs.idempotence.JobIdempotence.Declaration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of jobs that do not say whether they are idempotent.
 */
final class UndeclaredJobs {

	private static final Logger logger = LoggerFactory.getLogger(UndeclaredJobs.class);

	private static final int MOST_NAMES = 20;

	private static final String ACTION = "Put @Idempotent on the method if a second run with the same arguments changes nothing more, and else @NotIdempotent(\"why that is accepted\").";

	private UndeclaredJobs() {
	}

	/**
	 * Tell of them.
	 * @param definitions the jobs of this application
	 * @param undeclared what becomes of those
	 * @throws JobDefinitionException if there are some, and the application must not
	 * start then
	 */
	static void check(List<JobDefinition> definitions, Undeclared undeclared) {
		List<JobDefinition> found = definitions.stream()
			.filter((definition) -> definition.declaration() == Declaration.UNDECLARED)
			.toList();
		if (undeclared == Undeclared.FAIL) {
			Problems problems = new Problems();
			found.forEach((definition) -> problems.add("Job '%s' (%s) does not say whether it is idempotent."
				.formatted(definition.name(), definition.jobMethod()), ACTION));
			problems.throwIfAny();
		}
		if (undeclared == Undeclared.WARN && !found.isEmpty()) {
			logger.warn(
					"{} of {} jobs do not say whether they are idempotent, and any may run twice after a fault: {}. "
							+ "{} On the class it counts for all jobs of that bean. To be told no more, set "
							+ "'steadyjobs.idempotence.undeclared' to 'ignore'.",
					found.size(), definitions.size(), names(found), ACTION);
		}
	}

	private static String names(List<JobDefinition> found) {
		String names = found.stream().limit(MOST_NAMES).map(JobDefinition::name).collect(Collectors.joining(", "));
		int more = found.size() - MOST_NAMES;
		return (more > 0) ? "%s and %d more".formatted(names, more) : names;
	}

}
