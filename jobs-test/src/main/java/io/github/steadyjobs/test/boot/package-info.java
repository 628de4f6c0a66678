/**
 * Tests of Spring Boot applications that enqueue and run jobs.
 * <p>
 * {@link io.github.steadyjobs.test.boot.AutoConfigureJobs} chooses what happens to jobs
 * in a test. {@link io.github.steadyjobs.test.boot.RecordedJobs} says which jobs were
 * enqueued, and runs them.
 * <p>
 * <strong>Problem:</strong> a test that mocks the client proves nothing about arguments,
 * transactions and interceptors, and a test with a real worker cannot move time.
 * <strong>Solution:</strong> the client and the processor are those of production. Only
 * Redis is replaced: an implementation of {@link io.github.steadyjobs.client.JobStorage}
 * stores jobs in memory, and outcomes are applied to that memory. The memory is not a
 * second Redis: it has the rules of due times, locks and keys, which tests compare with
 * the scripts, but nothing that needs several processes.
 */
@NullMarked
package io.github.steadyjobs.test.boot;

import org.jspecify.annotations.NullMarked;
