package io.github.steadyjobs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that a second run of a {@link Job} with the same arguments has a further effect,
 * and why that is accepted. Changes nothing about the job: it is never deduplicated.
 * <p>
 * Use it along with {@link Job}, or on the class of the bean for all of its jobs that do
 * not say otherwise.
 *
 * @see Idempotent
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface NotIdempotent {

	/**
	 * Why the job is not idempotent, and what guards against a second run, for those who
	 * read the code.
	 * @return the reason, not empty
	 */
	String value();

}
