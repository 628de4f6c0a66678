/**
 * What application code imports: the annotations that make a bean method a job, the
 * client that enqueues one, and the two kinds of interceptor.
 * <p>
 * Start with {@link io.github.steadyjobs.Job} and {@link io.github.steadyjobs.JobClient}.
 * The interfaces here are implemented in the packages below, so that this package depends
 * on none of them.
 */
@NullMarked
package io.github.steadyjobs;

import org.jspecify.annotations.NullMarked;
