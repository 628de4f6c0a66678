package io.github.steadyjobs.client;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.steadyjobs.IdempotenceStrategy;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.definition.CalledMethods;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Prepares the jobs of an application that is processed ahead of time: calls of their
 * methods, arguments as JSON, and recorders.
 */
final class JobAotProcessor implements BeanFactoryInitializationAotProcessor {

	private static final Logger logger = LoggerFactory.getLogger(JobAotProcessor.class);

	private final BindingReflectionHintsRegistrar arguments = new BindingReflectionHintsRegistrar();

	private final RecorderFactory recorders = new RecorderFactory();

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beanFactory) {
		List<BeanMethod<?>> methods = CalledMethods.find(beanFactory);
		// Recorders are generated only while the contribution is applied, because Spring
		// adds only classes that are generated at that time to the application.
		return methods.isEmpty() ? null
				: (context, code) -> methods.forEach((method) -> prepare(method, context.getRuntimeHints()));
	}

	private void prepare(BeanMethod<?> method, RuntimeHints hints) {
		for (Class<?> type : hierarchy(method.type())) {
			List<Method> declarations = declarations(method, type);
			declarations.forEach((found) -> hints.reflection().registerMethod(found, ExecutableMode.INVOKE));
			if (method.annotation() instanceof Job && !declarations.isEmpty()) {
				prepareRecorder(type, hints);
			}
		}
		if (method.annotation() instanceof Job) {
			this.arguments.registerReflectionHints(hints.reflection(), method.argumentTypes().toArray(Type[]::new));
			Stream.of(method.method(), method.type())
				.map((element) -> AnnotatedElementUtils.findMergedAnnotation(element, Idempotent.class))
				.filter((annotation) -> annotation != null && annotation.custom() != IdempotenceStrategy.class)
				.forEach((annotation) -> hints.reflection()
					.registerType(annotation.custom(), MemberCategory.INVOKE_DECLARED_CONSTRUCTORS));
		}
	}

	private void prepareRecorder(Class<?> type, RuntimeHints hints) {
		if (type.isInterface()) {
			hints.proxies().registerJdkProxy(type);
			return;
		}
		try {
			hints.reflection()
				.registerType(this.recorders.recorderClass(type), MemberCategory.ACCESS_DECLARED_FIELDS,
						MemberCategory.INVOKE_DECLARED_METHODS, MemberCategory.UNSAFE_ALLOCATED);
			// The class of the recorder looks up the methods that it overrides.
			hierarchy(type).forEach((overridden) -> hints.reflection().registerType(overridden));
		}
		catch (InvalidJobException ex) {
			// Calls of a final class, for example, cannot be recorded anywhere. Its jobs
			// may be enqueued in other ways.
			logger.debug("No recorder of {}", type, ex);
		}
	}

	/** Return the methods of a type through which a bean's method can be called. */
	private static List<Method> declarations(BeanMethod<?> method, Class<?> type) {
		return Stream.of(ReflectionUtils.getAllDeclaredMethods(type))
			.filter((found) -> !found.isBridge()
					&& AopUtils.getMostSpecificMethod(found, method.type()).equals(method.method()))
			.toList();
	}

	private static Set<Class<?>> hierarchy(Class<?> type) {
		Set<Class<?>> types = new LinkedHashSet<>();
		for (Class<?> next = type; next != null; next = next.getSuperclass()) {
			types.add(next);
		}
		types.addAll(ClassUtils.getAllInterfacesForClassAsSet(type));
		return types;
	}

}
