package io.github.steadyjobs.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.JobParameters;
import io.github.steadyjobs.definition.JobReading.Sources;
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

	private static final String DECLARE = "Put @Idempotent on the method if a second run with the same arguments changes nothing more, otherwise @NotIdempotent(\"why that is accepted\").";

	private final ConfigurableListableBeanFactory beanFactory;

	private final IdempotenceDefaults defaults;

	private final BeanTypes types;

	private final IdempotenceReader idempotence;

	private final Sources sources;

	private final DefinitionReader reader;

	private final JobParameters untyped;

	/**
	 * Create a collector.
	 * @param beanFactory has the beans, and resolves placeholders
	 * @param settings overrides by the name of the job
	 * @param defaults for idempotent jobs that leave something open
	 * @param mapper writes and reads the arguments
	 */
	public JobCollector(ConfigurableListableBeanFactory beanFactory, Map<String, JobSettings> settings,
			IdempotenceDefaults defaults, JsonMapper mapper) {
		this.beanFactory = beanFactory;
		this.defaults = defaults;
		this.types = new BeanTypes(beanFactory);
		this.idempotence = new IdempotenceReader(defaults, beanFactory, this.types::find, mapper);
		this.sources = new Sources(beanFactory::resolveEmbeddedValue, settings,
				new Backoffs(beanFactory, this.types::find));
		this.reader = new DefinitionReader(this.sources, this.idempotence, mapper);
		this.untyped = JobParameters.untyped(mapper);
	}

	/**
	 * Return a registry of the jobs. Register it as a bean, or it never learns when all
	 * singletons exist.
	 */
	public JobRegistry registry() {
		return new JobRegistry(this);
	}

	/** Return the parameters of a job whose method is not known here. */
	JobParameters untyped() {
		return this.untyped;
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
		JobDefinitions.checkQueues(all, problems);
		problems.throwIfAny();
		return new JobDefinitions(all, this.reader);
	}

	private List<JobDefinition> collect(String bean, Class<?> type, Problems problems) {
		List<BeanMethod<Job>> methods = JobMethods.find(type, problems);
		this.idempotence.checkClass(type, methods.isEmpty(), problems::add);
		JobMethods.checkStray(type, methods, problems);
		List<JobDefinition> jobs = new ArrayList<>();
		for (BeanMethod<Job> method : methods) {
			BeanCall call = new BeanCall(this.beanFactory, bean, method);
			jobs.add(this.reader.read(method, call, problems));
			call.reportTo(problems);
		}
		return new ExhaustedMethods((method) -> new BeanCall(this.beanFactory, bean, method), this.sources, problems)
			.assign(type, jobs);
	}

	/**
	 * Warn about settings that may be intended but are mostly mistakes.
	 * @throws JobDefinitionException if jobs must be declared, and some are not
	 */
	void review(JobDefinitions definitions) {
		for (String name : this.sources.settings().keySet()) {
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
		if (this.defaults.undeclared() == Undeclared.FAIL) {
			Problems problems = new Problems();
			undeclared.forEach((job) -> problems.add(
					"Job '%s' (%s) does not say whether it is idempotent.".formatted(job.name(), job.jobMethod()),
					DECLARE));
			problems.throwIfAny();
		}
		if (this.defaults.undeclared() == Undeclared.WARN && !undeclared.isEmpty()) {
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
