/**
 * Auto-configuration for Spring Boot: from {@code steadyjobs.*} to a client, a worker,
 * meters and health. A bean with a public type backs off when the application defines its
 * own; the others are wiring.
 * <p>
 * <strong>Problem:</strong> an application that only enqueues would, with a default
 * worker, take jobs that it cannot run. <strong>Solution:</strong> without a bean that
 * has a job, no worker starts.
 */
@NullMarked
package io.github.steadyjobs.boot;

import org.jspecify.annotations.NullMarked;
