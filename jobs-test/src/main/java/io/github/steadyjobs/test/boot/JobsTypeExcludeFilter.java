package io.github.steadyjobs.test.boot;

import java.io.IOException;
import java.util.Set;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.IdempotenceStrategy;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.boot.JobsJsonMapperBuilderCustomizer;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/**
 * Leaves out all beans except those that {@link JobsTest} describes.
 */
final class JobsTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<JobsTest> {

	private static final Set<Class<?>> INCLUDED = Set.of(ClientInterceptor.class, ServerInterceptor.class,
			EnqueueListener.class, JobListener.class, IdempotenceStrategy.class, RetryDelay.class,
			ConsistencySource.class, JobsJsonMapperBuilderCustomizer.class);

	JobsTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
	}

	@Override
	protected Set<Class<?>> getKnownIncludes() {
		return INCLUDED;
	}

	@Override
	protected boolean defaultInclude(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
		AnnotationMetadata type = reader.getAnnotationMetadata();
		String job = Job.class.getName();
		return type.isAnnotated(job) || type.hasAnnotatedMethods(job) || super.defaultInclude(reader, factory);
	}

}
