package io.github.steadyjobs.test.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.github.steadyjobs.test.boot.AutoConfigureJobs.Mode;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.env.Environment;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Marks a test of jobs alone. Its context contains the beans that have jobs and the
 * interceptors and listeners of jobs, but not the rest of the application. Add other
 * beans that the jobs need with {@code @Import}, or replace them with
 * {@code @MockitoBean}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(JobsTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(JobsTypeExcludeFilter.class)
@AutoConfigureJobs
@ImportAutoConfiguration
public @interface JobsTest {

	/**
	 * Determines what happens to jobs.
	 * @return the mode
	 */
	@AliasFor(annotation = AutoConfigureJobs.class)
	Mode mode() default Mode.RECORD;

	/**
	 * Properties of the {@link Environment}, as {@code name=value}.
	 * @return the properties
	 */
	String[] properties() default {};

	/**
	 * Whether to apply the filter that leaves out the rest of the application.
	 * @return {@code true} to apply it
	 */
	boolean useDefaultFilters() default true;

	/**
	 * Filters for further beans to include.
	 * @return the filters
	 */
	Filter[] includeFilters() default {};

	/**
	 * Filters for beans to leave out.
	 * @return the filters
	 */
	Filter[] excludeFilters() default {};

	/**
	 * Auto-configurations to leave out.
	 * @return the classes
	 */
	@AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
	Class<?>[] excludeAutoConfiguration() default {};

}
