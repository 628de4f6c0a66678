package io.github.steadyjobs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that a second run of a {@link Job} with the same arguments has a further
 * effect, and why that is acceptable. The annotation only documents this: the job is not
 * deduplicated unless a {@linkplain JobRequest#idempotent request} asks for it.
 * <p>
 * Use it together with {@link Job}, or on the class of the bean, where it applies to all
 * jobs that have no declaration of their own.
 *
 * @see Idempotent
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface NotIdempotent {

	/**
	 * Why the job is not idempotent, and what guards against a second run, for readers of
	 * the code.
	 * @return the reason, not empty
	 */
	String value();

}
