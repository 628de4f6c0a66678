/**
 * Recurring jobs: those that annotations declare and those that operators create. Works
 * out when they are due, and lets the processes of a cluster handle each tick once,
 * without a leader. Operators use {@link io.github.steadyjobs.recurring.RecurringJobs}.
 */
@NullMarked
package io.github.steadyjobs.recurring;

import org.jspecify.annotations.NullMarked;
