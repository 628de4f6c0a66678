package io.github.steadyjobs.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * Marks a test class that starts {@link SixNodes} and damages them. Such classes run only
 * with the Maven profile {@code cluster}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("cluster")
public @interface ClusterTest {

}
