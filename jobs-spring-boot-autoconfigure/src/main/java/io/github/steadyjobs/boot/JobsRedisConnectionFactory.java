package io.github.steadyjobs.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Qualifier for the {@code RedisConnectionFactory} whose Redis stores jobs, if an
 * application has several factories. Without this qualifier, jobs use the primary factory
 * or the only factory. The factory must be a {@code LettuceConnectionFactory}.
 * <p>
 * If the qualifier is on a {@code @Bean(defaultCandidate = false)} method, only jobs use
 * that Redis, and the rest of the application continues to use the Redis of
 * {@code spring.data.redis.*}.
 *
 * @since 1.0.0
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface JobsRedisConnectionFactory {

}
