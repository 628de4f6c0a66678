package io.github.steadyjobs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that running a {@link Job} several times with the same arguments has the same
 * effect as running it once, so that its duplicates may be dropped.
 * <p>
 * Use it together with {@link Job}, or on the class of the bean, where it applies to all
 * jobs that have no declaration of their own. For an inherited job, the declaration on
 * its method or on the inheriting class counts, never a declaration on a superclass. Two
 * jobs are duplicates if they have the same name, the same queue and the same
 * {@link #key() key}.
 *
 * @see NotIdempotent
 * @see Idempotence
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Idempotent {

	/**
	 * The strategy that decides when a job is a duplicate.
	 * @return the strategy, or {@link Strategy#DEFAULT}
	 */
	Strategy strategy() default Strategy.DEFAULT;

	/**
	 * How long a job prevents duplicates from being enqueued. With
	 * {@link Strategy#WITHIN}, this is the window. With other strategies it is a last
	 * resort: the lock of a job ends with the job, and the lock of a lost job is taken
	 * over. The time is counted from when the job is due, and with
	 * {@link Strategy#UNTIL_EXECUTED} again from when each retry is due. Placeholders are
	 * resolved.
	 * @return a duration such as {@code 90s}, {@code 10m} or {@code PT6H}, or an empty
	 * string to use {@code steadyjobs.idempotence.ttl} (6 hours by default)
	 */
	String ttl() default "";

	/**
	 * Expression in the Spring Expression Language for the value to compare instead of
	 * all arguments. It can refer to arguments by the names of the parameters, as in
	 * {@code #name}, or by position, as in {@code #p0} and {@code #p1}. It cannot refer
	 * to beans or types. Placeholders are resolved.
	 * @return the expression, or an empty string to compare all arguments
	 */
	String key() default "";

	/**
	 * The policy for duplicates.
	 * @return the policy; {@link IfDuplicate#RUN_ONCE_MORE} requires
	 * {@link Strategy#UNTIL_EXECUTED}
	 */
	IfDuplicate ifDuplicate() default IfDuplicate.DROP;

	/**
	 * Whether jobs that are scheduled for later can be duplicates and can have
	 * duplicates. With {@link IfDuplicate#RUN_ONCE_MORE}, a job that is scheduled while
	 * an equal job is running is not a duplicate: it is stored and runs when it is due,
	 * whereas a duplicate would run as soon as the running job has ended.
	 * {@link Strategy#WHILE_EXECUTING} always applies to all jobs.
	 * @return whether to include them
	 */
	boolean includeScheduled() default false;

	/**
	 * Whether each {@link ConsistencySource} must ensure that a job sees data at least as
	 * new as the data at the time when the job, or any dropped duplicate of it, was
	 * enqueued.
	 * @return whether to keep the newest position
	 */
	boolean keepConsistency() default false;

	/**
	 * A strategy that the application provides to decide how each job is deduplicated.
	 * The class must be the class of a bean, or have a constructor without parameters.
	 * The strategy receives the other settings of this annotation.
	 * @return the class, or {@link IdempotenceStrategy} itself to use no such strategy
	 */
	Class<? extends IdempotenceStrategy> custom() default IdempotenceStrategy.class;

	/** When a job is a duplicate. */
	enum Strategy {

		/**
		 * The value of {@code steadyjobs.idempotence.strategy}, by default
		 * {@link #UNTIL_EXECUTING}.
		 */
		DEFAULT,

		/**
		 * A job is a duplicate while an equal job is waiting. A job that is enqueued
		 * while an equal job is running will also run.
		 */
		UNTIL_EXECUTING,

		/**
		 * A job is a duplicate until an earlier equal job, with all of its retries, has
		 * ended. Within the {@link Idempotent#ttl()}, two equal jobs never run at the
		 * same time.
		 */
		UNTIL_EXECUTED,

		/** A job is never a duplicate, but equal jobs run one at a time. */
		WHILE_EXECUTING,

		/**
		 * A job is a duplicate for a period of time after an equal job was enqueued, even
		 * if that job has ended. The period ends early only if that job is cancelled
		 * before its first run.
		 */
		WITHIN

	}

	/** Policies for duplicates. */
	enum IfDuplicate {

		/** The duplicate is dropped. */
		DROP,

		/**
		 * The duplicate is dropped, but if the equal job is already running, the newest
		 * duplicate runs once after that job, so that the newest state is always
		 * processed.
		 */
		RUN_ONCE_MORE

	}

}
