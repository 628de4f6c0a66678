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
 * Its parameters are the arguments of the job or none of them, and after those, if
 * wanted, the {@link JobPayload} and the {@link Throwable} that the job threw. For a
 * {@link Sequential} job they may also be a {@code List<JobPayload>} and the
 * {@link Throwable}: all payloads that have died with one run, one of each key. It is
 * called through the bean's own proxy, like the job. Its return value is ignored; an
 * exception is logged and changes nothing.
 * <p>
 * It is called once Redis has recorded the job's death, so the job is in the dead set by
 * then, or gone if {@link Job#dead()} is {@code false}. It is called as often as
 * {@link JobListener#died}, and just before it.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RetriesExhausted {

	/**
	 * Name of the job, which must be one of the same bean. Needed only where the bean has
	 * several. Placeholders are resolved.
	 * @return the name, or an empty string for the only job of the bean
	 */
	String value() default "";

}
