/**
 * Lets operators view and change jobs, queues, locks and processes. The entry point is
 * {@link io.github.steadyjobs.admin.JobAdmin}. Endpoints and web pages view and change
 * jobs only through this package.
 * <p>
 * A script changes a job only if the job is in the expected place. Almost every change is
 * made by a single script. A move to another queue or shard takes several scripts, each
 * of which can be repeated. So no locks against workers or other operators are needed.
 */
@NullMarked
package io.github.steadyjobs.admin;

import org.jspecify.annotations.NullMarked;
