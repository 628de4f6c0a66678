package io.github.steadyjobs.definition;

import java.lang.reflect.Method;

/**
 * A method of a bean that is called because of its annotation.
 */
sealed interface BeanMethod permits JobMethod, ExhaustedMethod {

	/**
	 * Return the class it was found on, which may be below the declaring one.
	 */
	Class<?> type();

	/**
	 * Return the method.
	 */
	Method method();

	/**
	 * Return the annotation as it is written, for messages.
	 */
	String mark();

}
