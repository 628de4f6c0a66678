/**
 * The API that application code imports. Start with {@link io.github.steadyjobs.Job} and
 * {@link io.github.steadyjobs.JobClient}; most applications need only those two,
 * {@link io.github.steadyjobs.Idempotent}, {@link io.github.steadyjobs.NotIdempotent},
 * {@link io.github.steadyjobs.JobRequest}, {@link io.github.steadyjobs.EnqueueResult} and
 * {@link io.github.steadyjobs.JobContext}.
 * <p>
 * An application may implement
 * <ul>
 * <li>{@link io.github.steadyjobs.ClientInterceptor} and
 * {@link io.github.steadyjobs.ServerInterceptor}, which wrap every enqueue call and every
 * run and may change or stop it;</li>
 * <li>{@link io.github.steadyjobs.EnqueueListener} and
 * {@link io.github.steadyjobs.JobListener}, which are notified of every enqueue call and
 * every run and change nothing;</li>
 * <li>{@link io.github.steadyjobs.RetryDelay},
 * {@link io.github.steadyjobs.IdempotenceStrategy} and
 * {@link io.github.steadyjobs.ConsistencySource}, which make decisions.</li>
 * </ul>
 * <strong>Problem:</strong> these seven types could have a package of their own, which
 * would make both packages easier to survey. <strong>Solution:</strong> they stay here,
 * and the last word of each name shows its kind. They refer to requests, payloads,
 * contexts and exceptions, which are in this package, and {@code @Idempotent} refers to a
 * strategy, so the two packages would depend on each other.
 * <p>
 * {@code JobClient} and {@code JobContext} are interfaces, implemented in subpackages, so
 * that this package depends on no subpackage.
 */
@NullMarked
package io.github.steadyjobs;

import org.jspecify.annotations.NullMarked;
