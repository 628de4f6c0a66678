/**
 * Recurring jobs: those that annotations declare and those that operators create. This
 * package computes the times of their ticks, and handles each tick once, without a leader
 * among the processes. Operators use
 * {@link io.github.steadyjobs.recurring.RecurringJobs}.
 */
@NullMarked
package io.github.steadyjobs.recurring;

import org.jspecify.annotations.NullMarked;
