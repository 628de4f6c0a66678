package io.github.steadyjobs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method of a bean a background job, or, on a class, its only public
 * {@code perform} method.
 * <p>
 * The parameters of the method are the arguments of the job, stored as JSON; a last
 * parameter of type {@link JobContext} is filled in when the job runs. The method is
 * called through the bean's own proxy, so transactions and aspects apply. Its return
 * value is ignored; an exception makes the job retry.
 * <p>
 * May be used as a meta-annotation. Every attribute but the names and the types of
 * exceptions can be overridden by {@code steadyjobs.jobs.<name>.*}.
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Job {

	/**
	 * Name under which the job is stored. Defaults to the simple names of class and
	 * method, as in {@code InvoiceJobs.send}, or to the name of the class alone if the
	 * annotation is on the class. Naming it keeps stored jobs valid when the code is
	 * renamed. Placeholders are resolved.
	 * @return the name, or an empty string for the default
	 */
	String name() default "";

	/**
	 * Former names whose stored jobs this method takes as well. Placeholders are
	 * resolved.
	 */
	String[] aliases() default {};

	/**
	 * Queue the job goes to unless the request names another. Placeholders are resolved.
	 * @return a {@linkplain Names#isName name}
	 */
	String queue() default "default";

	/**
	 * How often the job is run again after it failed, before it is dead.
	 * <p>
	 * An attribute of a meta-annotation that overrides this one is an {@code int[]} too.
	 * @return one number, zero or more; none for {@code steadyjobs.retry.max}
	 */
	int[] retries() default {};

	/**
	 * How long the job is run again, counted from its first failure: with the first
	 * failure after that time it is dead. With this set and {@link #retries()} left open,
	 * only the time counts. Placeholders are resolved.
	 * @return a time such as {@code 2d}, or an empty string for no limit
	 */
	String retryFor() default "";

	/**
	 * Queue in which the job is run again after it failed. It keeps its id, its due time
	 * and its attempts, takes its lock along, and stays there. Not for {@link Sequential}
	 * jobs, which stay with their keys. Placeholders are resolved.
	 * @return a {@linkplain Names#isName name}, or an empty string for the queue in which
	 * it ran
	 */
	String retryQueue() default "";

	/**
	 * Types of exceptions after which the job is run again; all types if none is given.
	 * As in Spring's {@code @Retryable} the causes of an exception count too, and
	 * {@link #excludes()} come first.
	 * @return the types, by default all
	 */
	Class<? extends Throwable>[] includes() default {};

	/**
	 * Types of exceptions after which the job is not run again: it has failed for the
	 * last time, even if it has retries left. The causes of an exception count too.
	 * @return the types, by default none
	 */
	Class<? extends Throwable>[] excludes() default {};

	/**
	 * Types of exceptions after which the job is forgotten, as after a
	 * {@link DiscardJobException}. The causes of an exception count too.
	 * @return the types, by default none
	 */
	Class<? extends Throwable>[] discards() default {};

	/**
	 * When the job runs again after it failed, instead of the application's
	 * {@link RetryDelay}. One of
	 * <ul>
	 * <li>the name of a {@link RetryDelay} bean. Declare it with
	 * {@code @Bean(defaultCandidate = false)}, or it may become the default of all
	 * jobs;</li>
	 * <li>a time, such as {@code 30s};</li>
	 * <li>an expression of the Spring Expression Language that has a {@code #}, such as
	 * {@code #count < 5 ? '30s' : 'KILL'}. It sees {@code #count}, the number of retries
	 * so far, {@code #job}, the {@link JobPayload} as it was before this failure, and
	 * {@code #failure}, the exception. Its value is a {@link java.time.Duration}, a time
	 * as text, a number of seconds, {@code 'DISCARD'} or {@code 'KILL'}.</li>
	 * </ul>
	 * The usual {@linkplain RetryDelay#jitter jitter} is added. If it fails or has any
	 * other value, that is logged, and the application's {@link RetryDelay} decides.
	 * Placeholders are resolved.
	 * @return how to choose the delay, or an empty string for the application's default
	 */
	String backoff() default "";

	/**
	 * How many lines of a failure's stack trace are stored with the job.
	 * @return one number, zero or more; none for {@code steadyjobs.retry.backtrace}
	 */
	int[] backtrace() default {};

	/**
	 * How long after it is due the job may still begin. Later it is not begun, but ends
	 * as {@linkplain JobOutcome#EXPIRED expired}. That counts for each run: also for
	 * retries, and after a crash. The time is worked out when the job is enqueued. Not
	 * for {@link Sequential} jobs. Placeholders are resolved.
	 * @return a time such as {@code 10m}, or an empty string for no limit
	 */
	String expires() default "";

	/**
	 * How long a call of the method may take. After that its thread is interrupted, and
	 * the run fails with a {@link JobTimeoutException} as soon as the method returns. A
	 * method that does not return is logged with its stack trace and continues. For a
	 * {@link Sequential} job the limit applies to each call. Placeholders are resolved.
	 * @return a time such as {@code 90s}, or an empty string for no limit
	 */
	String timeout() default "";

	/**
	 * Tags, which are stored with each of these jobs, in front of those of the request.
	 * Placeholders are resolved.
	 */
	String[] tags() default {};

	/**
	 * Whether the job is kept in the dead set when it has failed for the last time. If
	 * not, it is discarded; its {@link RetriesExhausted} method and
	 * {@link JobListener#died} are still called.
	 * @return whether to keep it
	 */
	boolean dead() default true;

}
