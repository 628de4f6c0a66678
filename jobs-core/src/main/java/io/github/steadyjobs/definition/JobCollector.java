package io.github.steadyjobs.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds the jobs among the beans of an application, and checks them. Creates no bean.
 */
public final class JobCollector {

	private static final Logger logger = LoggerFactory.getLogger(JobCollector.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final SpecReader specs;

	private final ParameterFactory parameters;

	/**
	 * Create a collector.
	 * @param beanFactory has the beans, and resolves placeholders
	 * @param settings overrides by the name of the job
	 * @param mapper writes and reads the arguments
	 */
	public JobCollector(ConfigurableListableBeanFactory beanFactory, Map<String, JobSettings> settings,
			JsonMapper mapper) {
		this.beanFactory = beanFactory;
		this.specs = new SpecReader(beanFactory::resolveEmbeddedValue, settings);
		this.parameters = new ParameterFactory(mapper);
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
		return this.parameters.untyped();
	}

	JobDefinitions collect() {
		Problems problems = new Problems();
		DefinitionFactory factory = new DefinitionFactory(this.specs, this.parameters);
		List<JobDefinition> all = new ArrayList<>();
		for (BeanCall call : findCalls(problems)) {
			all.add(factory.create(call.job(), call, problems));
			Problem problem = call.findProblem();
			if (problem != null) {
				problems.add(problem.description(), problem.action());
			}
		}
		NameClashes.check(all, problems);
		problems.throwIfAny();
		return new JobDefinitions(all, factory);
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

	private List<BeanCall> findCalls(Problems problems) {
		BeanTypes types = new BeanTypes(this.beanFactory);
		List<BeanCall> calls = new ArrayList<>();
		for (String name : types.names()) {
			Class<?> type = types.find(name);
			if (type != null) {
				JobMethods.find(type, problems)
					.forEach((method) -> calls.add(new BeanCall(this.beanFactory, name, method)));
			}
		}
		return calls;
	}

}
