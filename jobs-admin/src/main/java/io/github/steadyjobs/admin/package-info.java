/**
 * Lets operators view and change jobs, queues, locks and processes. The entry point is
 * {@link io.github.steadyjobs.admin.JobAdmin}. Endpoints and web pages use only this
 * package.
 * <p>
 * Each change to a job is made by one script, which changes the job only if it is in the
 * expected place. So no locks against workers or other operators are needed.
 */
@NullMarked
package io.github.steadyjobs.admin;

import org.jspecify.annotations.NullMarked;
