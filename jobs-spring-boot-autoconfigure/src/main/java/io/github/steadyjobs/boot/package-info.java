/**
 * Auto-configuration for Spring Boot: creates a client, a worker, meters and health from
 * the properties {@code steadyjobs.*}. The beans that an application may replace back off
 * when it defines its own; the other beans are internal wiring.
 * <p>
 * <strong>Problem:</strong> if every application had a worker, an application that only
 * enqueues would take jobs that it cannot run. <strong>Solution:</strong> a worker starts
 * only if a bean has a {@code @Job} method.
 */
@NullMarked
package io.github.steadyjobs.boot;

import org.jspecify.annotations.NullMarked;
