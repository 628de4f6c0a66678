/**
 * Recurring jobs: what annotations declare and people create, when it is due, and how the
 * processes of a cluster see to each tick once without one of them leading. What
 * operators use is {@link io.github.steadyjobs.recurring.RecurringJobs}.
 */
@NullMarked
package io.github.steadyjobs.recurring;

import org.jspecify.annotations.NullMarked;
