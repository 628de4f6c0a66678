package io.github.steadyjobs.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test class twice: as a {@link RedisTest}, and with a cluster of a single node,
 * which refuses calls whose keys are not all in one slot.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ClassTemplate
@ExtendWith(RedisAndClusterExtension.class)
public @interface RedisAndClusterTest {

}
