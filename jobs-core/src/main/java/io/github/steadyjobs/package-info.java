/**
 * The API that application code imports. Start with {@link io.github.steadyjobs.Job} and
 * {@link io.github.steadyjobs.JobClient}; most applications need only those two,
 * {@link io.github.steadyjobs.Idempotent}, {@link io.github.steadyjobs.NotIdempotent},
 * {@link io.github.steadyjobs.JobRequest}, {@link io.github.steadyjobs.EnqueueResult} and
 * {@link io.github.steadyjobs.JobContext}.
 * <p>
 * An application can implement
 * <ul>
 * <li>{@link io.github.steadyjobs.ClientInterceptor} and
 * {@link io.github.steadyjobs.ServerInterceptor}, which wrap each enqueue call and each
 * run, and can change or stop it;</li>
 * <li>{@link io.github.steadyjobs.EnqueueListener} and
 * {@link io.github.steadyjobs.JobListener}, which are notified of each enqueue call and
 * each run, but cannot change anything;</li>
 * <li>{@link io.github.steadyjobs.RetryDelay},
 * {@link io.github.steadyjobs.IdempotenceStrategy} and
 * {@link io.github.steadyjobs.ConsistencySource}, which decide about retry delays,
 * duplicates and the age of data.</li>
 * </ul>
 * <strong>Problem:</strong> these seven types could have a package of their own, which
 * would make both packages easier to understand. <strong>Solution:</strong> they stay
 * here, and the last word of each name shows its kind. The types refer to requests,
 * payloads, contexts and exceptions, which are in this package, and {@code @Idempotent}
 * refers to a strategy, so the two packages would depend on each other.
 * <p>
 * {@code JobClient} and {@code JobContext} are interfaces, implemented in subpackages, so
 * that this package depends on no subpackage.
 */
@NullMarked
package io.github.steadyjobs;

import org.jspecify.annotations.NullMarked;
