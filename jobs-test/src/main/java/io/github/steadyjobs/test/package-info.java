/**
 * For the tests of applications.
 * <p>
 * {@link io.github.steadyjobs.test.IdempotentJobContract} runs a job several times
 * against the real beans of the application and compares the results;
 * {@link io.github.steadyjobs.test.JobRules} makes the build refuse jobs that do not
 * declare whether they may run several times.
 * {@link io.github.steadyjobs.test.RecurringCheck} checks when recurring jobs will run.
 * <p>
 * <strong>Problem:</strong> a test of a job with its collaborators mocked proves that the
 * job calls them, but not that a second call does no harm. <strong>Solution:</strong> the
 * contract runs the job like a worker, from the JSON of the arguments to the bean's proxy
 * on a separate thread, and refuses a context with mocks in it. Only Redis is left out:
 * it stores jobs, and takes no part in what a job does.
 */
@NullMarked
package io.github.steadyjobs.test;

import org.jspecify.annotations.NullMarked;
