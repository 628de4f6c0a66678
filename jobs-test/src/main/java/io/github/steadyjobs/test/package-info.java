/**
 * Tools for the tests of applications.
 * <p>
 * {@link io.github.steadyjobs.test.IdempotentJobContract} runs a job several times
 * against the real beans of the application and compares the results.
 * {@link io.github.steadyjobs.test.JobRules} makes the build fail if jobs do not declare
 * whether they may run several times. {@link io.github.steadyjobs.test.RecurringCheck}
 * checks when recurring jobs will run.
 * <p>
 * <strong>Problem:</strong> a test of a job with its collaborators mocked proves that the
 * job calls them, but not that a second call does no harm. <strong>Solution:</strong> the
 * contract runs the job as a worker does, from the JSON of the arguments to the bean's
 * proxy on a separate thread, and refuses a context that contains mocks. Only Redis is
 * left out, because it merely stores jobs and does not affect what they do.
 */
@NullMarked
package io.github.steadyjobs.test;

import org.jspecify.annotations.NullMarked;
