/**
 * What an operator sees and does: jobs, queues, locks and processes. The entry point is
 * {@link io.github.steadyjobs.admin.JobAdmin}. Endpoints and pages are built on nothing
 * else.
 * <p>
 * Each change to a job is one script, which finds the job where it was said to be or
 * changes nothing. So no lock against workers or other operators is needed.
 */
@NullMarked
package io.github.steadyjobs.admin;

import org.jspecify.annotations.NullMarked;
