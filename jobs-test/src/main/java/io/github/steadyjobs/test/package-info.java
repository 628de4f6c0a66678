/**
 * For the tests of applications.
 * <p>
 * {@link io.github.steadyjobs.test.IdempotentJobContract} runs a job several times
 * against the real beans of the application and compares what is left;
 * {@link io.github.steadyjobs.test.JobRules} makes the build refuse jobs that do not say
 * whether they may be run so. {@link io.github.steadyjobs.test.RecurringCheck} tells when
 * recurring jobs will run.
 * <p>
 * <strong>Problem:</strong> a test of a job with its collaborators mocked proves that the
 * job calls them, and not that a second call does no harm. <strong>Solution:</strong> the
 * contract goes the way of a worker, from the JSON of the arguments to the bean's own
 * proxy on a thread of its own, and refuses a context with mocks in it. Redis alone is
 * left out: it stores jobs, and takes no part in what a job does.
 */
@NullMarked
package io.github.steadyjobs.test;

import org.jspecify.annotations.NullMarked;
