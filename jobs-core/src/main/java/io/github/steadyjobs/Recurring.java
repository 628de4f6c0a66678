package io.github.steadyjobs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Enqueues a {@link Job} again and again: at the times of a cron expression, or once in
 * every period. Each such time is called a tick. A tick makes one job, however many
 * processes there are and whichever of them die.
 * <p>
 * The method takes no arguments, or a {@link JobContext} alone. It may have several
 * annotations, with names.
 * <p>
 * Placeholders in all texts are resolved, and
 * {@code steadyjobs.recurring.<name>.<attribute>} overrides each attribute.
 */
@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(Recurring.Schedules.class)
public @interface Recurring {

	/** Value of {@link #cron()} and {@link #every()} that switches the annotation off. */
	String OFF = "-";

	/**
	 * Name by which configuration, meters and operators refer to it. It must be unique
	 * among all applications that share a Redis.
	 * @return 1 to 64 of the characters {@code A-Za-z0-9_.-}, or an empty string for the
	 * name of the job
	 */
	String name() default "";

	/**
	 * When the job runs: seconds, minutes, hours, days of the month, months and days of
	 * the week, as in {@link org.springframework.scheduling.support.CronExpression}.
	 * <p>
	 * When clocks go forward, times that do not exist run once, at the next time that
	 * does. When they go back, a time that exists twice runs once, the first time.
	 * @return the expression, {@value #OFF} to switch it off, or an empty string if
	 * {@link #every()} is set
	 */
	String cron() default "";

	/**
	 * The time zone of the cron expression, and of {@link #from()} and {@link #until()}.
	 * @return the name of a zone, such as {@code Europe/Berlin}. UTC by default, which is
	 * the same on all machines
	 */
	String zone() default "UTC";

	/**
	 * The time from one run to the next. Runs begin at the same times after each restart:
	 * they are counted from {@link #from()} or, without that, from a time that depends on
	 * the name, so that all with the same period do not run at once.
	 * @return a time of a second or more, such as {@code 10m}, {@value #OFF} to switch it
	 * off, or an empty string if {@link #cron()} is set
	 */
	String every() default "";

	/**
	 * There are no ticks before this time.
	 * @return a time such as {@code 2026-12-01}, the beginning of that day,
	 * {@code 2026-12-01T06:00} or {@code 2026-12-01T06:00:00Z}, or an empty string for no
	 * limit
	 */
	String from() default "";

	/**
	 * There are no ticks after this time.
	 * @return a time as for {@link #from()}, or an empty string for no limit
	 */
	String until() default "";

	/**
	 * Delays each run by a time that looks random but is the same in all processes. A run
	 * is never delayed to the next one.
	 * @return the longest delay, such as {@code 30s}, or an empty string for none
	 */
	String jitter() default "";

	/**
	 * What happens to ticks that no process could handle in time. The latest of them
	 * counts as missed if it is late by more than {@code steadyjobs.ticks.late-after}.
	 * @return the policy
	 */
	Missed missed() default Missed.RUN_ONCE;

	/**
	 * How many missed ticks {@link Missed#RUN_ALL} runs: the latest ones.
	 * @return 1 to 1,000; zero for any other policy
	 */
	int atMost() default 0;

	/**
	 * What happens to a tick while the job of an earlier one has not ended. A job that
	 * waits for a retry has not ended.
	 * @return the policy
	 */
	Overlap overlap() default Overlap.SKIP;

	/** What happens to missed ticks. */
	enum Missed {

		/** None of them runs. */
		SKIP,

		/** One job runs for all of them. */
		RUN_ONCE,

		/**
		 * Each of them runs, up to {@link Recurring#atMost()}. All of them are enqueued
		 * at once. Unless they may overlap ({@link Overlap#ALLOW}), most of them make no
		 * job because the one before has not ended.
		 */
		RUN_ALL

	}

	/** What happens to a tick while the job of an earlier one has not ended. */
	enum Overlap {

		/** It makes no job. */
		SKIP,

		/** It makes a job, which may run at the same time as the other. */
		ALLOW,

		/**
		 * It makes a job that runs after the present one has ended. At most one waits.
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
