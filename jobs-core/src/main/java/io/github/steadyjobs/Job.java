package io.github.steadyjobs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a method of a bean as a background job. On a class, it declares the only
 * public {@code perform} method of the class.
 * <p>
 * The parameters of the method are the arguments of the job, stored as JSON; a last
 * parameter of type {@link JobContext} is filled in when the job runs. The method is
 * called through the bean's own proxy, so transactions and aspects apply. Its return
 * value is ignored. If it throws an exception, the job is retried by default.
 * <p>
 * May be used as a meta-annotation. Every attribute except the names and the exception
 * types can be overridden by {@code steadyjobs.jobs.<name>.*}.
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Job {

	/**
	 * Name under which the job is stored. Defaults to the simple names of class and
	 * method, as in {@code InvoiceJobs.send}, or to the name of the class alone if the
	 * annotation is on the class. An explicit name keeps stored jobs valid when the code
	 * is renamed. Placeholders are resolved.
	 * @return the name, or an empty string to use the default
	 */
	String name() default "";

	/**
	 * Former names of the job. This method also runs jobs that are stored under these
	 * names. Placeholders are resolved.
	 */
	String[] aliases() default {};

	/**
	 * Queue of the job, unless the request names another queue. Placeholders are
	 * resolved.
	 * @return a {@linkplain Names#isName name}
	 */
	String queue() default "default";

	/**
	 * How many times a failed job is retried before it is dead.
	 * <p>
	 * An attribute of a meta-annotation that overrides this attribute must also be an
	 * {@code int[]}.
	 * @return a single number, zero or more; empty to use {@code steadyjobs.retry.max}
	 */
	int[] retries() default {};

	/**
	 * How long a failed job is retried, counted from its first failure. The first failure
	 * after that time makes the job dead. If this is set and {@link #retries()} is empty,
	 * the number of retries is not limited. Placeholders are resolved.
	 * @return a duration such as {@code 2d}, or an empty string for no limit
	 */
	String retryFor() default "";

	/**
	 * Queue in which a failed job is retried. The job keeps its id, due time, attempts
	 * and lock, and stays in that queue. Not available for {@link Sequential} jobs, which
	 * stay with their keys. Placeholders are resolved.
	 * @return a {@linkplain Names#isName name}, or an empty string to use the queue in
	 * which the job ran
	 */
	String retryQueue() default "";

	/**
	 * Exception types after which the job is retried. If empty, it is retried after any
	 * exception. As with Spring's {@code @Retryable}, the causes of an exception are
	 * checked too, and {@link #excludes()} takes precedence.
	 * @return the types; empty for all exceptions
	 */
	Class<? extends Throwable>[] includes() default {};

	/**
	 * Exception types after which the job is not retried: it counts as failed for the
	 * last time, even if it has retries left. The causes of an exception are checked too.
	 * @return the types; none by default
	 */
	Class<? extends Throwable>[] excludes() default {};

	/**
	 * Exception types after which the job is discarded, as after a
	 * {@link DiscardJobException}. The causes of an exception are checked too.
	 * @return the types; none by default
	 */
	Class<? extends Throwable>[] discards() default {};

	/**
	 * How long a failed job waits before it is retried, overriding the application's
	 * {@link RetryDelay}. One of
	 * <ul>
	 * <li>the name of a {@link RetryDelay} bean. Declare it with
	 * {@code @Bean(defaultCandidate = false)}, or it may become the default for all
	 * jobs;</li>
	 * <li>a duration, such as {@code 30s};</li>
	 * <li>an expression in the Spring Expression Language that contains a {@code #}, such
	 * as {@code #count < 5 ? '30s' : 'KILL'}. It can refer to {@code #count}, the number
	 * of retries so far, {@code #job}, the {@link JobPayload} as it was before this
	 * failure, and {@code #failure}, the exception. Its value is a
	 * {@link java.time.Duration}, a duration as text, a number of seconds,
	 * {@code 'DISCARD'} or {@code 'KILL'}.</li>
	 * </ul>
	 * The usual {@linkplain RetryDelay#jitter jitter} is added. If the expression fails
	 * or has any other value, the problem is logged and the application's
	 * {@link RetryDelay} decides. Placeholders are resolved.
	 * @return how to choose the delay, or an empty string to use the application's
	 * default
	 */
	String backoff() default "";

	/**
	 * How many lines of a failure's stack trace are stored with the job.
	 * @return a single number, zero or more; empty to use
	 * {@code steadyjobs.retry.backtrace}
	 */
	int[] backtrace() default {};

	/**
	 * How long after its due time the job may still begin. After that, it no longer
	 * begins, but ends as {@linkplain JobOutcome#EXPIRED expired}. The limit applies to
	 * every run, including retries and runs after a crash. The deadline is computed when
	 * the job is enqueued. Not available for {@link Sequential} jobs. Placeholders are
	 * resolved.
	 * @return a duration such as {@code 10m}, or an empty string for no limit
	 */
	String expires() default "";

	/**
	 * How long a call of the method may take. After that time the thread is interrupted,
	 * and the run fails with a {@link JobTimeoutException} as soon as the method returns.
	 * If a method does not return, its stack trace is logged and it continues to run. For
	 * a {@link Sequential} job the limit applies to each call. Placeholders are resolved.
	 * @return a duration such as {@code 90s}, or an empty string for no limit
	 */
	String timeout() default "";

	/**
	 * Tags that are stored with every job of this kind, ahead of the tags of the request.
	 * Placeholders are resolved.
	 */
	String[] tags() default {};

	/**
	 * Whether the job is kept in the dead set when it has failed for the last time.
	 * Otherwise, the job is discarded; its {@link RetriesExhausted} method and
	 * {@link JobListener#died} are still called.
	 * @return whether to keep it
	 */
	boolean dead() default true;

}
