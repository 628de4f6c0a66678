package io.github.steadyjobs.test.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Chooses what happens to jobs in the context of a test class, and adds the bean
 * {@link RecordedJobs}. Used together with {@code @SpringBootTest} or another test
 * annotation of Spring Boot. Without this annotation, jobs behave as in the application.
 *
 * @see JobsTest
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureJobs {

	/**
	 * Determines what happens to jobs.
	 * @return the mode
	 */
	Mode mode() default Mode.RECORD;

	/** What happens to jobs in a test. */
	enum Mode {

		/**
		 * Jobs are kept in memory, and run only when {@link RecordedJobs} runs them. They
		 * go through the client of production, with its interceptors, checks, JSON, locks
		 * and transactions. No worker and no Redis is used.
		 */
		RECORD,

		/**
		 * Each job runs on the thread that has enqueued it, through the whole chain of a
		 * worker: as soon as it is stored or, in a transaction, after the commit. Jobs
		 * that it enqueues run after it. Its failure is thrown on that thread. Jobs that
		 * are due later, including retries, are kept in memory and run only when
		 * {@link RecordedJobs} runs them.
		 */
		INLINE,

		/**
		 * Jobs are stored in Redis, and workers run them. The embedded Redis is used if
		 * it is on the class path and the test defines no other Redis, such as a
		 * container.
		 */
		REAL

	}

}
