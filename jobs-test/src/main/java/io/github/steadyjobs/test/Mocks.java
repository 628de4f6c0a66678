package io.github.steadyjobs.test;

import java.util.Map;
import java.util.TreeMap;

import org.mockito.Mockito;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * Finds Mockito mocks and spies among the existing beans. Does not create beans.
 */
final class Mocks {

	private static final boolean POSSIBLE = ClassUtils.isPresent("org.mockito.Mockito", Mocks.class.getClassLoader());

	private Mocks() {
	}

	/**
	 * Find the mocks of a context and of its parents.
	 * @return the mocks by bean name
	 */
	static Map<String, Object> in(ApplicationContext context) {
		Map<String, Object> mocks = new TreeMap<>();
		if (POSSIBLE) {
			for (ApplicationContext next = context; next != null; next = next.getParent()) {
				if (next.getAutowireCapableBeanFactory() instanceof ConfigurableListableBeanFactory beans) {
					collect(beans, mocks);
				}
			}
		}
		return mocks;
	}

	private static void collect(SingletonBeanRegistry beans, Map<String, Object> mocks) {
		for (String name : beans.getSingletonNames()) {
			Object bean = beans.getSingleton(name);
			// The class of a bean does not show whether the bean is a mock, because a
			// mock of a class is usually an instance of that class itself. Mockito also
			// recognizes a mock inside a proxy, because Spring Test tells Mockito how to
			// unwrap proxies.
			if (bean != null && Mockito.mockingDetails(bean).isMock()) {
				mocks.putIfAbsent(name, bean);
			}
		}
	}

}
