package io.github.steadyjobs.definition;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import io.github.steadyjobs.arguments.BeanMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/**
 * Return types of methods that have only started their work when they return.
 */
final class AsyncTypes {

	private static final String PUBLISHER = "org.reactivestreams.Publisher";

	private AsyncTypes() {
	}

	/**
	 * Return the type a method returns, if the work goes on after that.
	 * @param method the method
	 * @return the type, or {@code null} if returning means being done
	 */
	static @Nullable Class<?> find(BeanMethod method) {
		Class<?> type = GenericTypeResolver.resolveReturnType(method.method(), method.type());
		return isAsync(type) ? type : null;
	}

	private static boolean isAsync(Class<?> type) {
		if (CompletionStage.class.isAssignableFrom(type) || Future.class.isAssignableFrom(type)
				|| Flow.Publisher.class.isAssignableFrom(type)) {
			return true;
		}
		// By name: that library may not be there. The registry adds RxJava, Mutiny and
		// coroutines where they are.
		return ClassUtils.getAllInterfacesForClassAsSet(type).stream().anyMatch((i) -> i.getName().equals(PUBLISHER))
				|| (type != Object.class && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null);
	}

}
