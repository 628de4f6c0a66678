/**
 * Recurring jobs: those that annotations declare and those that operators create, when
 * they are due, and how the processes of a cluster handle each tick once without a
 * leader. Operators use {@link io.github.steadyjobs.recurring.RecurringJobs}.
 */
@NullMarked
package io.github.steadyjobs.recurring;

import org.jspecify.annotations.NullMarked;
