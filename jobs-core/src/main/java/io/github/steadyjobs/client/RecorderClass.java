package io.github.steadyjobs.client;

import java.lang.reflect.Method;
import java.util.List;

import org.springframework.cglib.proxy.CallbackFilter;
import org.springframework.cglib.proxy.Enhancer;
import org.springframework.cglib.proxy.InvocationHandler;
import org.springframework.cglib.proxy.NoOp;

/**
 * Generates the class of a recorder, once per class and class loader.
 */
final class RecorderClass extends Enhancer {

	private static final String INFIX = "$$JobRecorder$$";

	RecorderClass(Class<?> type) {
		setSuperclass(type);
		setCallbackFilter(RecordedMethods.INSTANCE);
		setCallbackTypes(new Class<?>[] { InvocationHandler.class, NoOp.class });
		// Not Spring's names: classes generated at build time have those.
		setNamingPolicy((prefix, source, key, taken) -> {
			int index = 0;
			while (taken.evaluate(prefix + INFIX + index)) {
				index++;
			}
			return prefix + INFIX + index;
		});
	}

	@Override
	@SuppressWarnings("rawtypes")
	protected void filterConstructors(Class type, List constructors) {
		// Private ones will do, since none is called.
	}

	/**
	 * Chooses the methods to record. One instance, for Spring caches classes by it.
	 */
	private enum RecordedMethods implements CallbackFilter {

		INSTANCE;

		@Override
		public int accept(Method method) {
			// Or the garbage collector would call the recorder.
			return (method.getName().equals("finalize") && method.getParameterCount() == 0) ? 1 : 0;
		}

	}

}
