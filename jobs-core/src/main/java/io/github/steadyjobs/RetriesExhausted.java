package io.github.steadyjobs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the method that is called when a {@link Job} of the same bean has failed for the
 * last time.
 * <p>
 * The method takes either all arguments of the job or none of them, optionally followed
 * by the {@link JobPayload} and the {@link Throwable} that the job threw. For a
 * {@link Sequential} job, it may instead take a {@code List<JobPayload>} and the
 * {@link Throwable}. The list contains all payloads that died in one run, one payload for
 * each key. The method is called through the bean's own proxy, like the job. Its return
 * value is ignored; an exception is logged and changes nothing.
 * <p>
 * The method is called after Redis has recorded the job's death. By then the job is in
 * the dead set, or gone if {@link Job#dead()} is {@code false}. The method is called just
 * before {@link JobListener#died}, with the same guarantees.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RetriesExhausted {

	/**
	 * Name of the job, which must belong to the same bean. Needed only if the bean has
	 * several jobs. Placeholders are resolved.
	 * @return the name, or an empty string for the only job of the bean
	 */
	String value() default "";

}
