package io.github.steadyjobs.definition;

import java.lang.reflect.Method;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.arguments.BeanMethod;

import org.springframework.util.ClassUtils;

/**
 * A method that is a job.
 *
 * @param type the class it was found on, which may be below the declaring one
 * @param method the method
 * @param annotation the annotation, merged
 * @param onClass whether the annotation is on the class
 */
record JobMethod(Class<?> type, Method method, Job annotation, boolean onClass) implements BeanMethod {

	@Override
	public String mark() {
		return "@Job";
	}

	/**
	 * Return the name of a job whose annotation has none.
	 * @return the name; empty for a class without one, such as an anonymous class
	 */
	String defaultName() {
		String name = this.type.isHidden() ? "" : this.type.getSimpleName();
		return (this.onClass || name.isEmpty()) ? name : name + "." + this.method.getName();
	}

	@Override
	public String toString() {
		return ClassUtils.getQualifiedMethodName(this.method, this.type);
	}

}
