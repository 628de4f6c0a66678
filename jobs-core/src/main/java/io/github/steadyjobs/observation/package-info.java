/**
 * Makes jobs observable from outside, with Micrometer meters and with values on every log
 * line of a running job.
 * <p>
 * <strong>Problem:</strong> if each gauge asked Redis, a scrape would cost one round trip
 * per gauge. <strong>Solution:</strong> all gauges of queues read one sample, which is
 * taken for all queues at once and kept for a few seconds.
 */
@NullMarked
package io.github.steadyjobs.observation;

import org.jspecify.annotations.NullMarked;
