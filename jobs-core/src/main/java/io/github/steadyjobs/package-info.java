/**
 * What application code imports. Start with {@link io.github.steadyjobs.Job} and
 * {@link io.github.steadyjobs.JobClient}; most applications need only those two,
 * {@link io.github.steadyjobs.Idempotent}, {@link io.github.steadyjobs.NotIdempotent},
 * {@link io.github.steadyjobs.JobRequest}, {@link io.github.steadyjobs.EnqueueResult} and
 * {@link io.github.steadyjobs.JobContext}.
 * <p>
 * An application may implement
 * <ul>
 * <li>{@link io.github.steadyjobs.ClientInterceptor} and
 * {@link io.github.steadyjobs.ServerInterceptor}, around every enqueue and every run,
 * which may change or stop it;</li>
 * <li>{@link io.github.steadyjobs.EnqueueListener} and
 * {@link io.github.steadyjobs.JobListener}, which hear of every enqueue and every run and
 * change nothing;</li>
 * <li>{@link io.github.steadyjobs.RetryDelay},
 * {@link io.github.steadyjobs.IdempotenceStrategy} and
 * {@link io.github.steadyjobs.ConsistencySource}, which decide.</li>
 * </ul>
 * <strong>Problem:</strong> these seven could have a package of their own, which would
 * make both packages easier to see. <strong>Solution:</strong> they stay, and their names
 * end in what they are. They speak of requests, payloads, contexts and exceptions, which
 * are here, and {@code @Idempotent} names a strategy, so the two packages would need each
 * other.
 * <p>
 * {@code JobClient} and {@code JobContext} are interfaces, implemented in the packages
 * below, so that this package depends on none of them.
 */
@NullMarked
package io.github.steadyjobs;

import org.jspecify.annotations.NullMarked;
