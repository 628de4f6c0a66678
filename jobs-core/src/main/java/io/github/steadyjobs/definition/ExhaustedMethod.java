package io.github.steadyjobs.definition;

import java.lang.reflect.Method;

import io.github.steadyjobs.arguments.BeanMethod;

import org.springframework.util.ClassUtils;

/**
 * A method to call when the retries of a job are exhausted.
 *
 * @param type the class it was found on, which may be below the declaring one
 * @param method the method
 * @param job the name of the job as annotated; empty for the only job of the bean
 */
record ExhaustedMethod(Class<?> type, Method method, String job) implements BeanMethod {

	@Override
	public String mark() {
		return "@RetriesExhausted";
	}

	@Override
	public String toString() {
		return ClassUtils.getQualifiedMethodName(this.method, this.type);
	}

}
