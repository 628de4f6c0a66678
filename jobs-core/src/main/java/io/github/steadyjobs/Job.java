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
 * called through the bean's own proxy, so transactions and aspects apply. What it returns
 * is ignored; what it throws makes the job retry.
 * <p>
 * May be used as a meta-annotation. Every attribute can be overridden by
 * {@code steadyjobs.jobs.<name>.*}.
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Job {

	/**
	 * Value of {@link #retries()} that stands for {@code steadyjobs.retry.max}.
	 */
	int DEFAULT_RETRIES = -1;

	/**
	 * Name under which the job is stored. Defaults to the simple names of class and
	 * method, as in {@code InvoiceJobs.send}, or to that of the class alone where the
	 * annotation is on the class. Naming it keeps stored jobs valid when the code is
	 * renamed. Placeholders are resolved.
	 * @return the name, or an empty string for the default
	 */
	String name() default "";

	/**
	 * Former names whose stored jobs this method takes as well. Placeholders are
	 * resolved.
	 * @return the former names
	 */
	String[] aliases() default {};

	/**
	 * Queue the job goes to unless the request names another. Placeholders are resolved.
	 * @return a {@linkplain Names#isName name}
	 */
	String queue() default "default";

	/**
	 * How often the job is run again after it failed, before it is dead.
	 * @return zero or more, or {@link #DEFAULT_RETRIES}
	 */
	int retries() default DEFAULT_RETRIES;

	/**
	 * Whether the job is kept in the dead set when it has failed for the last time. If
	 * not, it is discarded; its {@link RetriesExhausted} method and
	 * {@link JobListener#died} are called all the same.
	 * @return whether to keep it
	 */
	boolean dead() default true;

}
