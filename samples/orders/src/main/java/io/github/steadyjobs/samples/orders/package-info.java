/**
 * A stream of order updates, which ordered jobs apply.
 * <p>
 * Start reading at {@link io.github.steadyjobs.samples.orders.OrderJobs}, which contains
 * the jobs, and {@link io.github.steadyjobs.samples.orders.UpdateStream}, which enqueues
 * them.
 */
@NullMarked
package io.github.steadyjobs.samples.orders;

import org.jspecify.annotations.NullMarked;
