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
 * Collects when it is first asked, and again when all singletons exist. So it finds beans
 * whose type shows only then, and all mistakes are known before the application is up.
 * The first call, whichever it is, may throw {@link JobDefinitionException}.
 */
public final class JobRegistry implements SmartInitializingSingleton {

	private final JobCollector collector;

	private final JobParameters untyped;

	private volatile SingletonSupplier<JobDefinitions> current;

	/**
	 * Create a registry. Register it as a bean, or it never learns when all singletons
	 * exist.
	 * @param settings what configuration says, by the name of the job
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
	 * Find the one job whose only argument is declared with a type. A {@link JobType} on
	 * the type chooses if there are several jobs, and is used if there is none.
	 * <p>
	 * Subclasses do not count: they would come back as the declared class, without their
	 * additions. A constant of an enum counts as the enum, a wrapper as its primitive.
	 * @throws InvalidJobException if no job takes the type, or several do
	 */
	public JobDefinition forArgument(Class<?> type) {
		return current().forArgument(type);
	}

	/**
	 * Find the job that a method is.
	 * <p>
	 * Beans of the class come first. A class without a bean here can still be enqueued,
	 * under the name that the job has where the bean is.
	 * @param jobClass the class the method is called on: the class of the bean, a
	 * superclass, or an interface that the bean implements
	 * @param method the method, declared there or above
	 * @throws InvalidJobException if the method is not a job, or several beans have it
	 */
	public JobDefinition forCall(Class<?> jobClass, Method method) {
		return current().forCall(jobClass, method);
	}

	/** Return all jobs that this application has the beans for, in their order. */
	public Collection<JobDefinition> definitions() {
		return current().all();
	}

	/** Return the ordered job of this application in a queue, or {@code null}. */
	public @Nullable JobDefinition orderedIn(String queue) {
		return current().orderedIn(queue);
	}

	/** Return names and aliases of all jobs that this application can run. */
	public Set<String> names() {
		return current().names();
	}

	/**
	 * Check the arguments of a request by name. If the name is not known here, it is
	 * enough that JSON can hold each of them.
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
