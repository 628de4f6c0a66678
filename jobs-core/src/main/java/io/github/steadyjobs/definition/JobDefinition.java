package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.IdempotenceStrategy;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.JobParameters;
import org.jspecify.annotations.Nullable;

/**
 * A job that this application can enqueue and, where it has the bean, run. One that is
 * known by {@link io.github.steadyjobs.JobType} alone has no method and no class, and
 * says nothing about a second run. Thread safe.
 */
public final class JobDefinition {

	private final Spec spec;

	private final SecondRun secondRun;

	private final JobParameters parameters;

	private final @Nullable BeanMethod<Job> method;

	private final @Nullable BeanCall bean;

	private final BeanCall.@Nullable Exhausted exhausted;

	JobDefinition(Spec spec, SecondRun secondRun, JobParameters parameters, @Nullable BeanMethod<Job> method,
			@Nullable BeanCall bean, BeanCall.@Nullable Exhausted exhausted) {
		this.spec = spec;
		this.secondRun = secondRun;
		this.parameters = parameters;
		this.method = method;
		this.bean = bean;
		this.exhausted = exhausted;
	}

	JobDefinition withExhausted(BeanCall.Exhausted exhausted) {
		return new JobDefinition(this.spec, this.secondRun, this.parameters, this.method, this.bean, exhausted);
	}

	public String name() {
		return this.spec.names().get(0);
	}

	/** Return the name, and the former names whose stored jobs this one takes. */
	List<String> names() {
		return this.spec.names();
	}

	/** Return the queue the job goes to unless a request names another. */
	public String queue() {
		return this.spec.queue();
	}

	/** Return how, where and for how long the job is tried. */
	public RetryRules retry() {
		return this.spec.retry();
	}

	/** Return the tags of each of these jobs. */
	public List<String> tags() {
		return this.spec.tags();
	}

	/**
	 * Return whether duplicates of the job may be dropped: {@code false} if configuration
	 * has switched that off, whatever annotation and request say.
	 */
	public boolean deduplicate() {
		return this.spec.deduplicate();
	}

	/** Return how payloads of the job keep their order, {@code null} if they do not. */
	public @Nullable Sequence sequence() {
		return this.spec.sequence();
	}

	/** Return what the job says about a second run with the same arguments. */
	public Declaration declaration() {
		return this.secondRun.declaration();
	}

	/**
	 * Return how the job is deduplicated unless a request says otherwise.
	 * @return settings with a {@code ttl} and without a {@code key}; {@code null} unless
	 * the job is {@link Declaration#IDEMPOTENT}
	 */
	public @Nullable Idempotence idempotence() {
		return this.secondRun.settings();
	}

	/**
	 * Return what is compared instead of the arguments.
	 * @return a value that JSON can hold, or {@code null} if the arguments are compared
	 * @throws InvalidJobException if there is an expression, and it fails for these
	 * arguments or is {@code null}; the message quotes no argument
	 */
	public @Nullable Object deduplicationKey(List<? extends @Nullable Object> arguments) {
		BiFunction<String, List<? extends @Nullable Object>, Object> key = this.secondRun.key();
		return (key != null) ? key.apply(name(), arguments) : null;
	}

	/**
	 * Return the strategy of the application that decides for each job, or {@code null}.
	 * @throws org.springframework.beans.BeansException if its bean cannot be created
	 */
	public @Nullable IdempotenceStrategy customStrategy() {
		Supplier<IdempotenceStrategy> custom = this.secondRun.custom();
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
	 * Return the parameters of the method, to check and bind arguments. Of a job that is
	 * known by the type of its argument alone, they can only be checked.
	 */
	public JobParameters parameters() {
		return this.parameters;
	}

	/**
	 * Call the method of the bean, through the bean's proxy.
	 * @param values what {@link #parameters()} have bound
	 * @throws IllegalStateException if this application has no bean for the job
	 * @throws JobDefinitionException if the bean's proxy cannot pass the call on
	 * @throws Exception what the method threw
	 */
	public void call(@Nullable Object[] values) throws Exception {
		if (this.bean == null) {
			throw new IllegalStateException(
					"Job '%s' has no bean here, so this application can enqueue it but not run it".formatted(name()));
		}
		this.bean.invoke(values);
	}

	/**
	 * Divide dead jobs among calls of the method for exhausted retries.
	 * @param jobs all payloads that have died with one run
	 * @return what each call gets: all of them, or one; empty without such a method
	 */
	public List<List<JobPayload>> exhaustedCalls(List<JobPayload> jobs) {
		if (this.exhausted == null || jobs.isEmpty()) {
			return List.of();
		}
		return this.exhausted.takesAll() ? List.of(jobs) : jobs.stream().map(List::of).toList();
	}

	/**
	 * Call the method for exhausted retries, if there is one, through the bean's proxy.
	 * @param jobs one of {@link #exhaustedCalls}, each job as it is in the dead set, or
	 * would be
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

	@Nullable BeanCall bean() {
		return this.bean;
	}

	@Nullable BeanMethod<Job> jobMethod() {
		return this.method;
	}

	BeanCall.@Nullable Exhausted exhausted() {
		return this.exhausted;
	}

	@Override
	public String toString() {
		return name() + ((this.method != null) ? " (" + this.method + ")" : "");
	}

	/** The options of the job. Its own name is the first one. */
	record Spec(List<String> names, String queue, RetryRules retry, List<String> tags, boolean deduplicate,
			@Nullable Sequence sequence) {

	}

	/** The rules for a second run. The key depends on the job's name and arguments. */
	record SecondRun(Declaration declaration, @Nullable Idempotence settings,
			@Nullable BiFunction<String, List<? extends @Nullable Object>, Object> key,
			@Nullable Supplier<IdempotenceStrategy> custom) {

		static final SecondRun UNDECLARED = new SecondRun(Declaration.UNDECLARED, null, null, null);

		static final SecondRun NOT_IDEMPOTENT = new SecondRun(Declaration.NOT_IDEMPOTENT, null, null, null);

	}

	/** The declaration of a job about a second run with the same arguments. */
	public enum Declaration {

		/** Nothing. */
		UNDECLARED,

		/** That it has a further effect: {@link io.github.steadyjobs.NotIdempotent}. */
		NOT_IDEMPOTENT,

		/** That it has none: {@link io.github.steadyjobs.Idempotent}. */
		IDEMPOTENT

	}

}
