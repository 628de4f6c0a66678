/**
 * What jobs say about a second run: reading declarations, the key by which jobs are
 * equal, and the strategies of the application.
 * <p>
 * Start with {@link io.github.steadyjobs.idempotence.IdempotenceReader}, which makes a
 * {@link io.github.steadyjobs.idempotence.JobIdempotence} out of annotation,
 * configuration and defaults.
 * <p>
 * Imports {@code arguments} and the root package. It is handed methods, and knows neither
 * the registry nor how a job is found. The client takes the locks, following what was
 * read here.
 */
@NullMarked
package io.github.steadyjobs.idempotence;

import org.jspecify.annotations.NullMarked;
