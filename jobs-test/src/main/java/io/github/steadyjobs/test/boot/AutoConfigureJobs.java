package io.github.steadyjobs.test.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Says what happens to the jobs of a test class, beside {@code @SpringBootTest} or
 * another annotation of Spring Boot, and adds the bean {@link RecordedJobs}. Without this
 * annotation, jobs are those of the application, whatever is on the class path.
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
	 * What happens to jobs.
	 * @return the mode
	 */
	Mode mode() default Mode.RECORD;

	/** What happens to jobs in a test. */
	enum Mode {

		/**
		 * Jobs are kept in memory and do not run, until {@link RecordedJobs} runs them.
		 * The client is that of production: interceptors, checks, JSON, locks and
		 * transactions. No worker and no Redis is needed, and none is used.
		 */
		RECORD,

		/**
		 * Each job runs as soon as it is stored, after the commit if there is a
		 * transaction, on the thread that has enqueued it, and through the whole chain of
		 * a worker. A failure is thrown to that thread. Jobs that are due later are kept
		 * in memory as with {@link #RECORD}.
		 */
		INLINE,

		/**
		 * Jobs are stored in Redis, and workers run them. The embedded Redis is used, if
		 * it is on the class path and the test brings no other, such as a container.
		 */
		REAL

	}

}
