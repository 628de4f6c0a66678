/**
 * Makes jobs observable from outside, with Micrometer's meters and observations and with
 * values on every log line of a running job, and lets context travel with jobs.
 * <p>
 * <strong>Problem:</strong> if each gauge asked Redis, a scrape would cost one round trip
 * per gauge. <strong>Solution:</strong> all gauges of queues read one sample, which is
 * taken for all queues at once and kept for a few seconds.
 * <p>
 * <strong>Problem:</strong> an interceptor sees each job of a bulk push, but a span for
 * each of them would cost more than the push. <strong>Solution:</strong> the client
 * notifies an {@link io.github.steadyjobs.client.EnqueueObserver observer} of its calls,
 * and the jobs of a call share the values that the observer returns.
 * <p>
 * <strong>Problem:</strong> code of the application takes part in observations and
 * context: conventions, filters, handlers and accessors. <strong>Solution:</strong> all
 * of this code runs guarded. Any exception that it throws is logged, and the job
 * continues as if it were not observed.
 */
@NullMarked
package io.github.steadyjobs.observation;

import org.jspecify.annotations.NullMarked;
