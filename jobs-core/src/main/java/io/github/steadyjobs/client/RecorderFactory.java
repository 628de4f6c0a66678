package io.github.steadyjobs.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;

import io.github.steadyjobs.InvalidJobException;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.AotDetector;
import org.springframework.cglib.core.CodeGenerationException;
import org.springframework.cglib.core.DefaultNamingPolicy;
import org.springframework.cglib.core.Predicate;
import org.springframework.cglib.proxy.Callback;
import org.springframework.cglib.proxy.CallbackFilter;
import org.springframework.cglib.proxy.Enhancer;
import org.springframework.cglib.proxy.Factory;
import org.springframework.cglib.proxy.NoOp;
import org.springframework.core.KotlinDetector;
import org.springframework.objenesis.SpringObjenesis;
import org.springframework.util.ClassUtils;

/**
 * Creates recorders: subclasses of a job's class, or implementations of its interface,
 * that pass each call of a non-final method to a handler. Creating a recorder runs no
 * constructor. Thread safe.
 */
final class RecorderFactory {

	private static final String IN_KOTLIN = " Or open the class: the compiler plugin 'spring' opens classes with @Component or a similar annotation.";

	private static final String NOT_PREPARED = "has no recorder, and a native image cannot create one: recorders are created ahead of time, for the classes of beans with jobs and for their supertypes that have the job's method";

	private final SpringObjenesis objenesis = new SpringObjenesis();

	// A ClassValue is released together with the class. Other caches would prevent the
	// class from being unloaded.
	private final ClassValue<Class<?>> subclasses = new ClassValue<>() {

		@Override
		protected Class<?> computeValue(Class<?> type) {
			return subclass(type);
		}

	};

	/**
	 * Create a recorder.
	 * @param <T> the class or interface whose calls are recorded
	 * @throws InvalidJobException if no recorder can be created
	 */
	@SuppressWarnings("unchecked")
	<T> T create(Class<T> jobClass, InvocationHandler handler) {
		// For the class of a bean's proxy, the class of the bean is used.
		Class<? super T> type = (Class<? super T>) ClassUtils.getUserClass(jobClass);
		return (T) (type.isInterface() ? implement(type, handler) : instantiate(type, handler));
	}

	/**
	 * Return the class of a recorder, or create it.
	 * @param type a class, not an interface
	 * @throws InvalidJobException if it cannot be created
	 */
	Class<?> recorderClass(Class<?> type) {
		return this.subclasses.get(type);
	}

	private Object instantiate(Class<?> type, InvocationHandler handler) {
		Object recorder = this.objenesis.newInstance(recorderClass(type));
		org.springframework.cglib.proxy.InvocationHandler callback = handler::invoke;
		((Factory) recorder).setCallbacks(new Callback[] { callback, NoOp.INSTANCE });
		return recorder;
	}

	private static Object implement(Class<?> type, InvocationHandler handler) {
		try {
			return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, handler);
		}
		catch (IllegalArgumentException ex) {
			throw refusal(type, "cannot be implemented: " + ex.getMessage(), ex);
		}
		catch (LinkageError ex) {
			throw refusal(type, NOT_PREPARED, ex);
		}
	}

	private static Class<?> subclass(Class<?> type) {
		if (Modifier.isFinal(type.getModifiers()) || type.isSealed()) {
			throw refusal(type, type.isSealed() ? "is sealed" : "is final", null);
		}
		try {
			return new RecorderClass(type).createClass();
		}
		catch (CodeGenerationException | IllegalArgumentException ex) {
			throw refusal(type, "cannot be subclassed: " + ex.getMessage(), ex);
		}
		catch (UnsupportedOperationException ex) {
			throw refusal(type, NOT_PREPARED, ex);
		}
	}

	private static InvalidJobException refusal(Class<?> type, String reason, @Nullable Throwable cause) {
		return new InvalidJobException(
				"Calls of %s cannot be recorded, since it %s. Enqueue its job by the type of the argument, by name with JobRequest.named(…), or through an interface that it implements.%s"
					.formatted(type.getName(), reason, KotlinDetector.isKotlinType(type) ? IN_KOTLIN : ""),
				cause);
	}

	/** Generates the class of a recorder. */
	private static final class RecorderClass extends Enhancer {

		RecorderClass(Class<?> type) {
			setSuperclass(type);
			setCallbackFilter(RecordedMethods.INSTANCE);
			setCallbackTypes(new Class<?>[] { org.springframework.cglib.proxy.InvocationHandler.class, NoOp.class });
			setAttemptLoad(AotDetector.useGeneratedArtifacts());
			// Spring's naming policy is not used, because a class that Spring has
			// generated ahead of time would be loaded in place of a recorder.
			setNamingPolicy(new DefaultNamingPolicy() {

				@Override
				public String getClassName(String prefix, String source, Object key, Predicate names) {
					// A recorder that was created ahead of time is found by its name, but
					// the hash of the real key is different in each process.
					return super.getClassName(prefix, source, "", names);
				}

				@Override
				protected String getTag() {
					return "ByJobRecorder";
				}

			});
		}

		@Override
		@SuppressWarnings("rawtypes")
		protected void filterConstructors(Class type, List constructors) {
			// Private constructors are sufficient, because no constructor is called.
		}

	}

	/**
	 * Chooses the methods to record. A single instance, because Spring uses it as a cache
	 * key for classes.
	 */
	private enum RecordedMethods implements CallbackFilter {

		INSTANCE;

		@Override
		public int accept(Method method) {
			// Do not record finalize, because the garbage collector would call it.
			return (method.getName().equals("finalize") && method.getParameterCount() == 0) ? 1 : 0;
		}

	}

}
