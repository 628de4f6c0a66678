package io.github.steadyjobs.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class the Redis that all tests share, as a parameter of type
 * {@link TestRedis} of its constructor, its lifecycle methods or its tests. The class has
 * its own keys there, which are deleted before each test and after the last test. Keys
 * written by a constructor are deleted too.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RedisExtension.class)
public @interface RedisTest {

}
