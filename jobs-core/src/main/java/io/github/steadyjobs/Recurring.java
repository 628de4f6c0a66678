package io.github.steadyjobs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Enqueues a {@link Job} repeatedly: at the times of a cron expression, or once in every
 * period. Each such time is called a tick. A tick creates at most one job, no matter how
 * many processes there are or which of them die.
 * <p>
 * The method takes no arguments, or only a {@link JobContext}. The method may have
 * several of these annotations if each has a name.
 * <p>
 * Placeholders in all texts are resolved, and each attribute can be overridden by {@code
 * steadyjobs.recurring.<name>.<attribute>}.
 */
@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(Recurring.Schedules.class)
public @interface Recurring {

	/** Value of {@link #cron()} and {@link #every()} that switches the annotation off. */
	String OFF = "-";

	/**
	 * Name by which configuration, meters and operators refer to the schedule. It must be
	 * unique among all applications that share the same Redis.
	 * @return 1 to 64 of the characters {@code A-Za-z0-9_.-}, or an empty string for the
	 * name of the job
	 */
	String name() default "";

	/**
	 * When the job runs: seconds, minutes, hours, days of the month, months and days of
	 * the week, as in {@link org.springframework.scheduling.support.CronExpression}.
	 * <p>
	 * When clocks go forward, skipped times lead to a single run, at the next time that
	 * exists. When clocks go back, a time that occurs twice leads to a single run, at its
	 * first occurrence.
	 * @return the expression, {@value #OFF} to switch the schedule off, or an empty
	 * string if {@link #every()} is set
	 */
	String cron() default "";

	/**
	 * The time zone of the cron expression, and of {@link #from()} and {@link #until()}.
	 * @return the name of a time zone, such as {@code Europe/Berlin}; by default UTC,
	 * which is the same on all machines
	 */
	String zone() default "UTC";

	/**
	 * The interval between runs. A restart does not change the times of the runs. The
	 * intervals are counted from {@link #from()} or, if that is not set, from a time that
	 * depends on the name, so that schedules with the same period do not all run at once.
	 * @return a duration of a second or more, such as {@code 10m}, {@value #OFF} to
	 * switch the schedule off, or an empty string if {@link #cron()} is set
	 */
	String every() default "";

	/**
	 * The time before which there are no ticks.
	 * @return a time such as {@code 2026-12-01}, the beginning of that day,
	 * {@code 2026-12-01T06:00} or {@code 2026-12-01T06:00:00Z}, or an empty string for no
	 * limit
	 */
	String from() default "";

	/**
	 * The time after which there are no ticks.
	 * @return a time as for {@link #from()}, or an empty string for no limit
	 */
	String until() default "";

	/**
	 * Maximum delay of each run. The delay looks random but is the same in all processes.
	 * A delay always ends before the next run is due.
	 * @return the maximum delay, such as {@code 30s}, or an empty string for no delay
	 */
	String jitter() default "";

	/**
	 * The policy for missed ticks. A tick is missed if no process handled it before the
	 * next tick was due. The last tick that was due is missed once it is late by more
	 * than {@code steadyjobs.ticks.late-after}.
	 * @return the policy
	 */
	Missed missed() default Missed.RUN_ONCE;

	/**
	 * The maximum number of missed ticks that {@link Missed#RUN_ALL} makes up for. If
	 * more ticks were missed, only the latest are made up for.
	 * @return 1 to 1,000; zero for any other policy
	 */
	int atMost() default 0;

	/**
	 * The policy for a tick that is due while the job of an earlier tick has not ended. A
	 * job that waits for a retry has not ended.
	 * @return the policy
	 */
	Overlap overlap() default Overlap.SKIP;

	/** Policies for missed ticks. */
	enum Missed {

		/** No job runs for missed ticks. */
		SKIP,

		/** One job runs for all missed ticks. */
		RUN_ONCE,

		/**
		 * A job runs for each missed tick, up to {@link Recurring#atMost()}. All of these
		 * jobs are enqueued together. Unless the jobs may overlap
		 * ({@link Overlap#ALLOW}), most of the ticks create no job, because the previous
		 * job has not ended.
		 */
		RUN_ALL

	}

	/** Policies for a tick that is due while an earlier job has not ended. */
	enum Overlap {

		/** The tick creates no job. */
		SKIP,

		/** The tick creates a job, which may run at the same time as the earlier job. */
		ALLOW,

		/**
		 * The tick creates a job that runs after the earlier job has ended. At most one
		 * job waits.
		 */
		QUEUE_ONE

	}

	/** Several schedules of one job. */
	@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@interface Schedules {

		/** The schedules. */
		Recurring[] value();

	}

}
