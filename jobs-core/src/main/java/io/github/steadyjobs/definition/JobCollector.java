package io.github.steadyjobs.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.steadyjobs.arguments.JobParameters;
import io.github.steadyjobs.idempotence.IdempotenceDefaults;
import io.github.steadyjobs.idempotence.IdempotenceDefaults.Undeclared;
import io.github.steadyjobs.idempotence.IdempotenceReader;
import io.github.steadyjobs.idempotence.JobIdempotence.Declaration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds the jobs among the beans of an application, and checks them. Creates no bean.
 */
public final class JobCollector {

	private static final Logger logger = LoggerFactory.getLogger(JobCollector.class);

	private static final int MOST_NAMES = 20;

	private static final String DECLARE = "Put @Idempotent on the method if a second run with the same arguments changes nothing more, and else @NotIdempotent(\"why that is accepted\").";

	private final ConfigurableListableBeanFactory beanFactory;

	private final SpecReader specs;

	private final IdempotenceDefaults defaults;

	private final BeanTypes types;

	private final IdempotenceReader idempotence;

	private final DefinitionFactory factory;

	/**
	 * Create a collector with {@linkplain IdempotenceDefaults#STANDARD the usual
	 * defaults}.
	 * @param beanFactory has the beans, and resolves placeholders
	 * @param settings overrides by the name of the job
	 * @param mapper writes and reads the arguments
	 */
	public JobCollector(ConfigurableListableBeanFactory beanFactory, Map<String, JobSettings> settings,
			JsonMapper mapper) {
		this(beanFactory, settings, IdempotenceDefaults.STANDARD, mapper);
	}

	/**
	 * Create a collector.
	 * @param beanFactory has the beans, and resolves placeholders
	 * @param settings overrides by the name of the job
	 * @param defaults what counts for idempotent jobs that leave it open
	 * @param mapper writes and reads the arguments
	 */
	public JobCollector(ConfigurableListableBeanFactory beanFactory, Map<String, JobSettings> settings,
			IdempotenceDefaults defaults, JsonMapper mapper) {
		this.beanFactory = beanFactory;
		this.specs = new SpecReader(beanFactory::resolveEmbeddedValue, settings);
		this.defaults = defaults;
		this.types = new BeanTypes(beanFactory);
		this.idempotence = new IdempotenceReader(defaults, beanFactory, this.types::find, mapper);
		this.factory = new DefinitionFactory(this.specs, this.idempotence, mapper);
	}

	/**
	 * Return a registry of the jobs. Register it as a bean, or it never learns when all
	 * singletons exist.
	 * @return a new registry
	 */
	public JobRegistry registry() {
		return new JobRegistry(this);
	}

	JobParameters untyped() {
		return this.factory.untyped();
	}

	JobDefinitions collect() {
		Problems problems = new Problems();
		List<JobDefinition> all = new ArrayList<>();
		for (String name : this.types.names()) {
			Class<?> type = this.types.find(name);
			if (type != null) {
				all.addAll(collect(name, type, problems));
			}
		}
		JobDefinitions.checkNames(all, problems);
		problems.throwIfAny();
		return new JobDefinitions(all, this.factory);
	}

	/**
	 * Tell of settings that change nothing here, which mostly are misspelt.
	 * @param definitions the jobs of this application
	 */
	void warnOfUnknownSettings(JobDefinitions definitions) {
		for (String name : this.specs.configuredNames()) {
			JobDefinition definition = definitions.find(name);
			if (definition == null || !definition.name().equals(name)) {
				logger.warn("No bean of this application has a job named '{}', so the settings of that job count only "
						+ "where it is enqueued from here", name);
			}
		}
	}

	/**
	 * Tell of jobs that do not say whether they are idempotent.
	 * @param definitions the jobs of this application
	 * @throws JobDefinitionException if there are some, and there must not be
	 */
	void checkDeclarations(JobDefinitions definitions) {
		List<JobDefinition> found = definitions.all()
			.stream()
			.filter((definition) -> definition.declaration() == Declaration.UNDECLARED)
			.toList();
		if (this.defaults.undeclared() == Undeclared.FAIL) {
			Problems problems = new Problems();
			found.forEach((definition) -> problems.add("Job '%s' (%s) does not say whether it is idempotent."
				.formatted(definition.name(), definition.jobMethod()), DECLARE));
			problems.throwIfAny();
		}
		if (this.defaults.undeclared() == Undeclared.WARN && !found.isEmpty()) {
			logger.warn(
					"{} of {} jobs do not say whether they are idempotent, and any may run twice after a fault: {}. "
							+ "{} On the class it counts for all jobs of that bean. To be told no more, set "
							+ "'steadyjobs.idempotence.undeclared' to 'ignore'.",
					found.size(), definitions.all().size(), names(found), DECLARE);
		}
	}

	/**
	 * Tell of jobs whose duplicates are kept for an incident, which is easily forgotten.
	 * @param definitions the jobs of this application
	 */
	void warnOfSwitchedOff(JobDefinitions definitions) {
		List<String> names = definitions.all()
			.stream()
			.filter((definition) -> !definition.deduplicate())
			.map(JobDefinition::name)
			.toList();
		if (!names.isEmpty()) {
			logger.warn("Duplicates of these jobs are not dropped, as 'steadyjobs.jobs.<job>.deduplicate' is false: {}",
					String.join(", ", names));
		}
	}

	private List<JobDefinition> collect(String bean, Class<?> type, Problems problems) {
		List<JobMethod> methods = JobMethod.find(type, problems);
		this.idempotence.checkStray(type, methods, problems::add);
		List<JobDefinition> jobs = new ArrayList<>();
		for (JobMethod method : methods) {
			BeanCall call = new BeanCall(this.beanFactory, bean, method);
			jobs.add(this.factory.create(method, call, problems));
			call.reportTo(problems);
		}
		return new ExhaustedMethods((method) -> new BeanCall(this.beanFactory, bean, method), this.specs, problems)
			.assign(type, jobs);
	}

	private static String names(List<JobDefinition> found) {
		String names = found.stream().limit(MOST_NAMES).map(JobDefinition::name).collect(Collectors.joining(", "));
		int more = found.size() - MOST_NAMES;
		return (more > 0) ? "%s and %d more".formatted(names, more) : names;
	}

}
