/**
 * The rules for a second run of jobs: reading declarations, the key by which jobs are
 * equal, and the strategies of the application.
 * <p>
 * Start with {@link io.github.steadyjobs.idempotence.IdempotenceReader}, which makes a
 * {@link io.github.steadyjobs.idempotence.JobIdempotence} out of annotation,
 * configuration and defaults.
 * <p>
 * Imports {@code arguments} and the root package. It gets methods, and knows neither the
 * registry nor how a job is found. The client takes the locks, by the rules read here.
 */
@NullMarked
package io.github.steadyjobs.idempotence;

import org.jspecify.annotations.NullMarked;
