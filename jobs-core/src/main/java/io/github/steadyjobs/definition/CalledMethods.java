package io.github.steadyjobs.definition;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.steadyjobs.RetriesExhausted;
import io.github.steadyjobs.arguments.BeanMethod;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds the methods of beans that are called because of their annotations, so that an
 * application can be processed ahead of time.
 */
public final class CalledMethods {

	private CalledMethods() {
	}

	/**
	 * Find the jobs and the methods for exhausted retries. Creates no bean. Checks
	 * nothing: placeholders in annotations are resolved where the application runs, and
	 * its registry checks all jobs there.
	 */
	public static List<BeanMethod<?>> find(ConfigurableListableBeanFactory beanFactory) {
		JobBeans beans = new JobBeans(beanFactory);
		return beans.names()
			.stream()
			.map(beans::find)
			.filter(Objects::nonNull)
			.distinct()
			.flatMap(CalledMethods::find)
			.toList();
	}

	private static Stream<BeanMethod<?>> find(Class<?> type) {
		return Stream.concat(JobMethods.find(type, new Problems()).stream(),
				BeanMethod.find(type, RetriesExhausted.class).stream());
	}

}
