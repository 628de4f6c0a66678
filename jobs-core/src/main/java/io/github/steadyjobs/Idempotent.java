package io.github.steadyjobs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that running a {@link Job} several times with the same arguments has the effect of
 * one run, and that duplicates of it may therefore be dropped.
 * <p>
 * Use it along with {@link Job}, or on the class of the bean for all of its jobs that do
 * not say otherwise. An inherited job is declared by its method or by the class that
 * inherits it, never by a superclass. Two jobs are duplicates if they have the same name,
 * the same queue and the same {@link #key() key}.
 *
 * @see NotIdempotent
 * @see Idempotence
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Idempotent {

	/**
	 * When a job is a duplicate of another one.
	 * @return the strategy, or {@link Strategy#DEFAULT}
	 */
	Strategy strategy() default Strategy.DEFAULT;

	/**
	 * How long a job keeps others from being enqueued. With {@link Strategy#WITHIN} that
	 * is the window. With other strategies it is only the last resort, because whatever
	 * ends a job ends its lock, and the lock of a lost job is taken over. Counted from
	 * when the job is due, and with {@link Strategy#UNTIL_EXECUTED} again from when each
	 * retry is due. Placeholders are resolved.
	 * @return a duration such as {@code 90s}, {@code 10m} or {@code PT6H}, or an empty
	 * string for {@code steadyjobs.idempotence.ttl}, 6 hours by default
	 */
	String ttl() default "";

	/**
	 * Expression in the Spring Expression Language for what is compared instead of all
	 * arguments. Arguments are {@code #name}, by the names of the parameters, and
	 * {@code #p0}, {@code #p1}; beans and types cannot be referred to. Placeholders are
	 * resolved.
	 * @return the expression, or an empty string to compare all arguments
	 */
	String key() default "";

	/**
	 * What happens to a duplicate.
	 * @return {@link IfDuplicate#RUN_ONCE_MORE} with {@link Strategy#UNTIL_EXECUTED} only
	 */
	IfDuplicate ifDuplicate() default IfDuplicate.DROP;

	/**
	 * Whether jobs that are scheduled for later are duplicates and have duplicates too.
	 * With {@link IfDuplicate#RUN_ONCE_MORE} a job that is scheduled while an equal one
	 * runs is stored and runs when it is due: it could not stand for jobs that arrive in
	 * the meantime. {@link Strategy#WHILE_EXECUTING} holds for all jobs.
	 * @return whether to include them
	 */
	boolean includeScheduled() default false;

	/**
	 * Whether a job is to see data that is at least as new as when it, or any dropped
	 * duplicate of it, was enqueued, as each {@link ConsistencySource} says.
	 * @return whether to keep the newest position
	 */
	boolean keepConsistency() default false;

	/**
	 * A strategy of the application, which decides for each job. It is a bean, or a class
	 * with a constructor without parameters. It gets the other settings of this
	 * annotation.
	 * @return the class, or {@link IdempotenceStrategy} itself for none
	 */
	Class<? extends IdempotenceStrategy> custom() default IdempotenceStrategy.class;

	/** When a job is a duplicate. */
	enum Strategy {

		/**
		 * The value of {@code steadyjobs.idempotence.strategy}: {@link #UNTIL_EXECUTING}
		 * unless that is set.
		 */
		DEFAULT,

		/**
		 * While an equal job waits. A job that is enqueued while an equal one runs will
		 * run too.
		 */
		UNTIL_EXECUTING,

		/**
		 * From when an equal job is enqueued until it has ended, through all of its
		 * retries: two equal jobs never run at the same time.
		 */
		UNTIL_EXECUTED,

		/** Never: equal jobs run one at a time, and the others wait. */
		WHILE_EXECUTING,

		/**
		 * For a time after an equal job was enqueued, even if that job has ended. Only
		 * one that was cancelled before its first run makes room at once.
		 */
		WITHIN

	}

	/** What happens to a duplicate. */
	enum IfDuplicate {

		/** It is dropped. */
		DROP,

		/**
		 * It is dropped, and if the other job runs already, the newest duplicate runs
		 * once after it, so that the newest state is always processed.
		 */
		RUN_ONCE_MORE

	}

}
