package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobType;
import io.github.steadyjobs.arguments.JobParameters;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * The jobs of this application. Thread safe.
 * <p>
 * Collects the jobs when a method is first called, and again when all singletons exist.
 * The second time, it also finds beans whose type is known only then. All problems are
 * reported before the application is up. The first call of any method may throw a
 * {@link JobDefinitionException}.
 */
public final class JobRegistry implements SmartInitializingSingleton {

	private final JobCollector collector;

	private final JobParameters untyped;

	private volatile SingletonSupplier<JobDefinitions> current;

	/**
	 * Create a registry. It must be registered as a bean, because otherwise it is not
	 * notified when all singletons exist.
	 * @param settings the configured settings, by the name of the job
	 */
	public JobRegistry(ConfigurableListableBeanFactory beanFactory, Map<String, JobSettings> settings,
			IdempotenceDefaults defaults, JsonMapper mapper) {
		this.collector = new JobCollector(new JobBeans(beanFactory), settings, defaults, mapper);
		this.untyped = JobParameters.untyped(mapper);
		this.current = SingletonSupplier.of(this.collector::collect);
	}

	@Override
	public void afterSingletonsInstantiated() {
		JobDefinitions all = this.collector.collect();
		this.current = SingletonSupplier.of(all);
		this.collector.review(all);
	}

	/** Find a job by its name or an alias, if this application has the bean for it. */
	public @Nullable JobDefinition find(String name) {
		return current().find(name);
	}

	/**
	 * Find the one job whose only argument has the given declared type. If there are
	 * several such jobs, or no such job, a {@link JobType} on the type decides.
	 * <p>
	 * Subclasses do not match, because they would be read back as the declared class,
	 * without their additional properties. An enum constant matches its enum, and a
	 * wrapper its primitive.
	 * @throws InvalidJobException if no job takes the type, or several do
	 */
	public JobDefinition forArgument(Class<?> type) {
		return current().forArgument(type);
	}

	/**
	 * Find a job that is enqueued by name. If the bean is in another application, the
	 * definition contains what is configured here.
	 * @return the definition, or {@code null} if the job is neither known nor configured
	 * here
	 * @throws InvalidJobException if the configuration is invalid
	 */
	public @Nullable JobDefinition named(String name) {
		return current().named(name);
	}

	/**
	 * Find the job of a method.
	 * <p>
	 * Beans of exactly this class take precedence. The job of a class without a bean in
	 * this application can still be enqueued, under the name that the job has in the
	 * application with the bean.
	 * @param jobClass the class on which the method is called: the class of the bean, a
	 * superclass, or an interface that the bean implements
	 * @param method the method, declared in this class or in a supertype
	 * @throws InvalidJobException if the method is not a job, or if several beans have
	 * this method
	 */
	public JobDefinition forCall(Class<?> jobClass, Method method) {
		return current().forCall(jobClass, method);
	}

	/** Return all jobs whose beans this application has, in the order of the beans. */
	public Collection<JobDefinition> definitions() {
		return current().all();
	}

	/** Return this application's ordered job in a queue, or {@code null}. */
	public @Nullable JobDefinition orderedIn(String queue) {
		return current().orderedIn(queue);
	}

	/** Return the names and aliases of all jobs that this application can run. */
	public Set<String> names() {
		return current().names();
	}

	/**
	 * Check the arguments of a request that names its job. If the name is not known in
	 * this application, arguments only have to be storable as JSON.
	 * @throws InvalidJobException if an argument cannot be stored, or does not fit the
	 * job
	 */
	public void checkArguments(String name, List<? extends @Nullable Object> arguments) {
		JobDefinition definition = find(name);
		((definition != null) ? definition.parameters() : this.untyped).check(name, arguments);
	}

	private JobDefinitions current() {
		return this.current.obtain();
	}

}
