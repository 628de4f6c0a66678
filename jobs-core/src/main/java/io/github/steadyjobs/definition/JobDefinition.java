package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.IdempotenceStrategy;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobLimits;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.JobParameters;
import io.github.steadyjobs.definition.DefinitionReader.JobSpec;
import io.github.steadyjobs.definition.ExhaustedMethods.ExhaustedCall;
import io.github.steadyjobs.definition.Sequence.Form;
import io.github.steadyjobs.idempotence.JobIdempotence;
import io.github.steadyjobs.idempotence.JobIdempotence.Declaration;
import org.jspecify.annotations.Nullable;

/**
 * A job that this application can enqueue and, where it has the bean, run. One that is
 * known by {@link io.github.steadyjobs.JobType} alone has no method and no class, and
 * says nothing about a second run. Thread safe.
 */
public final class JobDefinition {

	private final JobSpec spec;

	private final JobIdempotence idempotence;

	private final JobParameters parameters;

	private final @Nullable BeanMethod<Job> method;

	private final @Nullable BeanCall bean;

	private final @Nullable ExhaustedCall exhausted;

	private final Form form;

	JobDefinition(JobSpec spec, JobIdempotence idempotence, JobParameters parameters, @Nullable BeanMethod<Job> method,
			@Nullable BeanCall bean) {
		this(spec, idempotence, parameters, method, bean, null);
	}

	private JobDefinition(JobSpec spec, JobIdempotence idempotence, JobParameters parameters,
			@Nullable BeanMethod<Job> method, @Nullable BeanCall bean, @Nullable ExhaustedCall exhausted) {
		this.spec = spec;
		this.idempotence = idempotence;
		this.parameters = parameters;
		this.method = method;
		this.bean = bean;
		this.exhausted = exhausted;
		this.form = (spec.sequence() != null) ? spec.sequence().form() : Form.ONE;
	}

	JobDefinition withExhausted(ExhaustedCall exhausted) {
		return new JobDefinition(this.spec, this.idempotence, this.parameters, this.method, this.bean, exhausted);
	}

	public String name() {
		return this.spec.name();
	}

	/** Return the former names whose stored jobs this one takes. */
	Set<String> aliases() {
		return this.spec.aliases();
	}

	/** Return the queue the job goes to unless a request names another. */
	public String queue() {
		return this.spec.queue();
	}

	/** Return how the job is handled when it fails. */
	public RetryRules retry() {
		return this.spec.retry();
	}

	/** Return how long and where the job is tried, unless a request says otherwise. */
	public JobLimits limits() {
		return retry().limits();
	}

	/** Return the tags of each of these jobs. */
	public List<String> tags() {
		return this.spec.tags();
	}

	/**
	 * Return whether duplicates of the job may be dropped.
	 * @return {@code false} if configuration has switched that off, whatever annotation
	 * and request say
	 */
	public boolean deduplicate() {
		return this.spec.deduplicate();
	}

	/**
	 * Return how payloads of the job keep their order.
	 * @return what {@link io.github.steadyjobs.Sequential} and configuration say, or
	 * {@code null} if they do not
	 */
	public @Nullable Sequence sequence() {
		return this.spec.sequence();
	}

	/** Return what the job says about a second run with the same arguments. */
	public Declaration declaration() {
		return this.idempotence.declaration();
	}

	/**
	 * Return how the job is deduplicated unless a request says otherwise.
	 * @return what {@link io.github.steadyjobs.Idempotent}, configuration and defaults
	 * say, with a {@code ttl} and without a {@code key}; {@code null} unless the job is
	 * {@link Declaration#IDEMPOTENT}
	 */
	public @Nullable Idempotence idempotence() {
		return this.idempotence.settings();
	}

	/**
	 * Return what is compared instead of the arguments.
	 * @param arguments the arguments, as {@link #checkArguments} accepts them
	 * @return a value that JSON can hold, or {@code null} if the arguments are compared
	 * @throws InvalidJobException if there is an expression, and it fails for these
	 * arguments or is {@code null}; the message quotes no argument
	 */
	public @Nullable Object deduplicationKey(List<? extends @Nullable Object> arguments) {
		BiFunction<String, List<? extends @Nullable Object>, Object> key = this.idempotence.key();
		return (key != null) ? key.apply(name(), arguments) : null;
	}

	/**
	 * Return the strategy of the application that decides for each job.
	 * @return the bean, or an instance that is always the same; {@code null} for none
	 * @throws org.springframework.beans.BeansException if it is a bean that cannot be
	 * created
	 */
	public @Nullable IdempotenceStrategy customStrategy() {
		Supplier<IdempotenceStrategy> custom = this.idempotence.custom();
		return (custom != null) ? custom.get() : null;
	}

	/** Return the method that is the job, or {@code null}. */
	public @Nullable Method method() {
		return (this.method != null) ? this.method.method() : null;
	}

	/** Return the class of the bean without its proxy, or {@code null}. */
	public @Nullable Class<?> beanType() {
		return (this.method != null) ? this.method.type() : null;
	}

	/** Return whether this application has the bean, and can run the job. */
	public boolean hasBean() {
		return this.bean != null;
	}

	/**
	 * Check arguments that are to be enqueued: their number, their types, and that JSON
	 * can hold each value they contain. Arguments whose declared types promise that are
	 * not looked into.
	 * @param arguments the arguments, without the {@link JobContext}
	 * @throws InvalidJobException if one does not fit; the message has its path
	 */
	public void checkArguments(List<? extends @Nullable Object> arguments) {
		this.parameters.check(name(), arguments);
	}

	/**
	 * Bind stored arguments to the method's parameters, by position. Arguments that an
	 * older release did not write are {@code null}.
	 * @param context passed to a method that takes it
	 * @return the values to {@link #call} the method with
	 * @throws InvalidJobException if the arguments do not fit; the message quotes none of
	 * them
	 * @throws IllegalStateException if this application has no bean for the job, or the
	 * method takes many payloads
	 */
	public @Nullable Object[] bind(JobPayload job, JobContext context) {
		requireBean();
		requireForm(this.form == Form.ONE);
		return this.parameters.bind(name(), job, context);
	}

	/**
	 * Bind what one call of the method takes, for a job whose method takes more than one
	 * payload.
	 * @param byKey the payloads of each key, each as the arguments of a separate job,
	 * smallest score first; exactly one key unless the form is {@link Form#MAP}
	 * @param context passed to a method that takes it
	 * @return the values to {@link #call} the method with
	 * @throws InvalidJobException if a payload does not fit; the message quotes nothing
	 * of it
	 * @throws IllegalStateException if this application has no bean for the job, or the
	 * method takes one payload
	 */
	public @Nullable Object[] bindAll(Map<String, List<JobPayload>> byKey, JobContext context) {
		requireBean();
		requireForm(this.form != Form.ONE);
		return this.parameters.bindAll(name(), byKey, this.form == Form.MAP, context);
	}

	/**
	 * Return a digest that changes when other arguments can be bound. It covers the
	 * declared types, the properties that are read, and the constants of enums.
	 * @return 12 hex digits
	 * @throws IllegalStateException if this application has no bean for the job
	 */
	public String signature() {
		requireBean();
		return this.parameters.signature();
	}

	/**
	 * Call the method of the bean, through the bean's proxy.
	 * @param values what {@link #bind} returned
	 * @throws IllegalStateException if this application has no bean for the job, or a
	 * proxy that lacks the method
	 * @throws Exception what the method threw
	 */
	public void call(@Nullable Object[] values) throws Exception {
		requireBean().invoke(values);
	}

	private void requireForm(boolean fits) {
		if (!fits) {
			throw new IllegalStateException("The method of job '%s' takes %s".formatted(name(), this.form));
		}
	}

	private BeanCall requireBean() {
		if (this.bean == null) {
			throw new IllegalStateException(
					"Job '%s' has no bean here, so this application can enqueue it but not run it".formatted(name()));
		}
		return this.bean;
	}

	public boolean hasRetriesExhausted() {
		return this.exhausted != null;
	}

	/**
	 * Call the method for exhausted retries, if there is one, through the bean's proxy.
	 * @param jobs the job as it is in the dead set, or would be; several if it takes all
	 * @param failure what the job threw last
	 * @throws InvalidJobException if the method takes the arguments of the job and they
	 * do not fit; it is not called then
	 * @throws Exception what the method threw
	 */
	public void retriesExhausted(List<JobPayload> jobs, Throwable failure) throws Exception {
		if (this.exhausted != null) {
			this.exhausted.invoke(this.parameters, jobs, failure);
		}
	}

	/** Return whether that method takes all dead payloads of a run in one call. */
	public boolean takesAllExhausted() {
		return this.exhausted != null && this.exhausted.takesAll();
	}

	@Nullable BeanCall bean() {
		return this.bean;
	}

	@Nullable BeanMethod<Job> jobMethod() {
		return this.method;
	}

	List<Type> argumentTypes() {
		return this.parameters.types();
	}

	@Nullable BeanMethod<?> exhaustedMethod() {
		return (this.exhausted != null) ? this.exhausted.bean().method() : null;
	}

	/**
	 * Return the type of the only argument, {@code null} if there are none or several.
	 */
	@Nullable Class<?> onlyArgument() {
		return this.parameters.onlyType();
	}

	@Override
	public String toString() {
		return name() + ((this.method != null) ? " (" + this.method + ")" : "");
	}

}
