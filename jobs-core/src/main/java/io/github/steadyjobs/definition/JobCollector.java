package io.github.steadyjobs.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.definition.IdempotenceDefaults.Undeclared;
import io.github.steadyjobs.definition.JobDefinition.Declaration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds the jobs among the beans of an application, and checks them. Creates no bean.
 */
final class JobCollector {

	private static final Logger logger = LoggerFactory.getLogger(JobCollector.class);

	private static final int MOST_NAMES = 20;

	private static final String DECLARE = "Put @Idempotent on the method if a second run with the same arguments changes nothing more, otherwise @NotIdempotent(\"why that is accepted\").";

	private final JobBeans beans;

	private final Map<String, JobSettings> settings;

	private final Undeclared undeclared;

	private final DefinitionReader reader;

	JobCollector(JobBeans beans, Map<String, JobSettings> settings, IdempotenceDefaults defaults, JsonMapper mapper) {
		this.beans = beans;
		this.settings = Map.copyOf(settings);
		this.undeclared = defaults.undeclared();
		this.reader = new DefinitionReader(beans, this.settings, defaults, mapper);
	}

	JobDefinitions collect() {
		Problems problems = new Problems();
		JobCandidates candidates = new JobCandidates();
		List<JobDefinition> all = new ArrayList<>();
		for (String name : this.beans.names()) {
			Class<?> type = this.beans.find(name);
			if (type != null && candidates.contains(type)) {
				all.addAll(collect(name, type, problems));
			}
		}
		JobDefinitions definitions = new JobDefinitions(all, this.reader, problems);
		problems.throwIfAny();
		return definitions;
	}

	private List<JobDefinition> collect(String bean, Class<?> type, Problems problems) {
		List<BeanMethod<Job>> methods = JobMethods.find(type, problems);
		IdempotenceReader.checkClass(type, problems);
		JobMethods.checkStray(type, methods, problems);
		List<JobDefinition> jobs = new ArrayList<>();
		for (BeanMethod<Job> method : methods) {
			BeanCall call = new BeanCall(this.beans, bean, method);
			jobs.add(this.reader.read(method, call, problems));
			call.reportTo(problems);
		}
		return new ExhaustedMethods(this.beans, problems).assign(bean, type, jobs);
	}

	/**
	 * Warn about settings that may be intended but are usually mistakes.
	 * @throws JobDefinitionException if a job lacks a required declaration
	 */
	void review(JobDefinitions definitions) {
		for (String name : this.settings.keySet()) {
			JobDefinition definition = definitions.find(name);
			if (definition == null || !definition.name().equals(name)) {
				logger.warn("No bean of this application has a job named '{}', so the settings of that job count only "
						+ "where it is enqueued from here", name);
			}
		}
		List<JobDefinition> undropped = definitions.all().stream().filter((job) -> !job.deduplicate()).toList();
		if (!undropped.isEmpty()) {
			logger.warn("Duplicates of these jobs are not dropped, because 'steadyjobs.jobs.<job>.deduplicate' is "
					+ "false: {}", names(undropped));
		}
		List<JobDefinition> undeclared = definitions.all()
			.stream()
			.filter((job) -> job.declaration() == Declaration.UNDECLARED && job.sequence() == null)
			.toList();
		if (this.undeclared == Undeclared.FAIL) {
			Problems problems = new Problems();
			undeclared.forEach((job) -> problems.add(
					"Job '%s' (%s) does not say whether it is idempotent.".formatted(job.name(), job.jobMethod()),
					DECLARE));
			problems.throwIfAny();
		}
		if (this.undeclared == Undeclared.WARN && !undeclared.isEmpty()) {
			logger.warn(
					"{} of {} jobs do not say whether they are idempotent, and any may run twice after a fault: {}. "
							+ "{} On the class it counts for all jobs of that bean. To silence this warning, set "
							+ "'steadyjobs.idempotence.undeclared' to 'ignore'.",
					undeclared.size(), definitions.all().size(), names(undeclared), DECLARE);
		}
	}

	private static String names(List<JobDefinition> found) {
		String names = found.stream().limit(MOST_NAMES).map(JobDefinition::name).collect(Collectors.joining(", "));
		int more = found.size() - MOST_NAMES;
		return (more > 0) ? "%s and %d more".formatted(names, more) : names;
	}

}
