/**
 * What an operator sees and does: jobs, queues, locks and processes. The entry point is
 * {@link io.github.steadyjobs.admin.JobAdmin}. Endpoints and pages use only this package.
 * <p>
 * Each change to a job is one script, which changes the job only if it is in the given
 * place. So no lock against workers or other operators is needed.
 */
@NullMarked
package io.github.steadyjobs.admin;

import org.jspecify.annotations.NullMarked;
