/**
 * A small photo site whose thumbnails are made by background jobs.
 * <p>
 * Start reading at {@link io.github.steadyjobs.samples.quickstart.PhotoJobs}, which
 * contains the jobs, and {@link io.github.steadyjobs.samples.quickstart.PhotoIntake},
 * which enqueues them.
 */
@NullMarked
package io.github.steadyjobs.samples.quickstart;

import org.jspecify.annotations.NullMarked;
