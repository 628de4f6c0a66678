package io.github.steadyjobs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the job that takes an argument of the annotated type, for applications that
 * enqueue the job but do not have its bean.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface JobType {

	/** Name of the job, as in {@link Job#name()}. */
	String value();

	/**
	 * Queue of the job, unless the request names another queue.
	 * @return a {@linkplain Names#isName name}
	 */
	String queue() default "default";

}
