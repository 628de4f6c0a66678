package io.github.steadyjobs.postgres;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a PostgreSQL with replicas, as a parameter of type
 * {@link ReplicatedPostgres} of its constructor, its lifecycle methods or its tests. All
 * such classes share this PostgreSQL, which is restored before each test. The classes run
 * only with the Maven profile {@code postgres}, and fail if PostgreSQL is not installed.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("postgres")
@ExtendWith(PostgresExtension.class)
@interface PostgresTest {

}
