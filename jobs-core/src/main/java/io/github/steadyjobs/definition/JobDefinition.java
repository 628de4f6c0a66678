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
 * A job that this application can enqueue and, if it has the bean, run. A job that is
 * known only by {@link io.github.steadyjobs.JobType} has no method and no class, and
 * declares nothing about a second run. Thread safe.
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

	/** Return the current name and the former names under which jobs may be stored. */
	List<String> names() {
		return this.spec.names();
	}

	/** Return the queue of the job, unless a request names another queue. */
	public String queue() {
		return this.spec.queue();
	}

	/** Return how, where and for how long the job is retried. */
	public RetryRules retry() {
		return this.spec.retry();
	}

	/** Return the tags that are stored with every job of this definition. */
	public List<String> tags() {
		return this.spec.tags();
	}

	/**
	 * Return whether duplicates of the job may be dropped: {@code false} if the
	 * configuration has disabled this, whatever the annotation and the request say.
	 */
	public boolean deduplicate() {
		return this.spec.deduplicate();
	}

	/** Return how payloads of the job are kept in order, {@code null} if they are not. */
	public @Nullable Sequence sequence() {
		return this.spec.sequence();
	}

	/** Return what the job declares about a second run with the same arguments. */
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
	 * Return the value to compare instead of the arguments.
	 * @return a value that can be stored as JSON, or {@code null} if the arguments are
	 * compared
	 * @throws InvalidJobException if the value cannot be computed, is {@code null} or
	 * cannot be stored as JSON; the message quotes no argument
	 */
	public @Nullable Object deduplicationKey(List<? extends @Nullable Object> arguments) {
		BiFunction<String, List<? extends @Nullable Object>, Object> key = this.secondRun.key();
		return (key != null) ? key.apply(name(), arguments) : null;
	}

	/**
	 * Return the custom strategy that deduplicates the job, or {@code null}.
	 * @throws org.springframework.beans.BeansException if the bean of the strategy cannot
	 * be created
	 */
	public @Nullable IdempotenceStrategy customStrategy() {
		Supplier<IdempotenceStrategy> custom = this.secondRun.custom();
		return (custom != null) ? custom.get() : null;
	}

	/** Return the method of the job, or {@code null}. */
	public @Nullable Method method() {
		return (this.method != null) ? this.method.method() : null;
	}

	/** Return the class of the bean without its proxy, or {@code null}. */
	public @Nullable Class<?> beanType() {
		return (this.method != null) ? this.method.type() : null;
	}

	/** Return whether this application has the bean and can run the job. */
	public boolean hasBean() {
		return this.bean != null;
	}

	/**
	 * Return the parameters of the method, to check and bind arguments. If the job is
	 * known only by the type of its argument, arguments can be checked but not bound.
	 */
	public JobParameters parameters() {
		return this.parameters;
	}

	/**
	 * Call the method of the bean through the bean's proxy.
	 * @param values the values that {@link #parameters()} have bound
	 * @throws IllegalStateException if this application has no bean for the job
	 * @throws JobDefinitionException if the bean's proxy cannot pass the call on
	 * @throws Exception the exception that the method threw
	 */
	public void call(@Nullable Object[] values) throws Exception {
		if (this.bean == null) {
			throw new IllegalStateException(
					"Job '%s' has no bean here, so this application can enqueue it but not run it".formatted(name()));
		}
		this.bean.invoke(values);
	}

	/**
	 * Distribute dead jobs among calls of the method for exhausted retries.
	 * @param jobs all payloads that died in one run
	 * @return the jobs for each call: a single call with all jobs, or one call per job;
	 * empty if there is no such method
	 */
	public List<List<JobPayload>> exhaustedCalls(List<JobPayload> jobs) {
		if (this.exhausted == null || jobs.isEmpty()) {
			return List.of();
		}
		return this.exhausted.takesAll() ? List.of(jobs) : jobs.stream().map(List::of).toList();
	}

	/**
	 * Call the method for exhausted retries, if there is one, through the bean's proxy.
	 * @param jobs an element of {@link #exhaustedCalls}, with each job as it is, or would
	 * be, in the dead set
	 * @param failure the last exception that the job threw
	 * @throws InvalidJobException if the method takes the arguments of the job and they
	 * do not fit; the method is not called in that case
	 * @throws Exception the exception that the method threw
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

	/** The options of the job. The first name is the current name. */
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

		/** The job declares nothing. */
		UNDECLARED,

		/**
		 * A second run has a further effect: {@link io.github.steadyjobs.NotIdempotent}.
		 */
		NOT_IDEMPOTENT,

		/**
		 * A second run has no further effect: {@link io.github.steadyjobs.Idempotent}.
		 */
		IDEMPOTENT

	}

}
