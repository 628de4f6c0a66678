/**
 * Turns requests into stored jobs. Start with
 * {@link io.github.steadyjobs.client.JobClientFactory}, which creates the client.
 * <p>
 * A request becomes one draft, and each step fills in a part of it: the job of the
 * request, the changes by interceptors, the checked payload, the lock, the answer from
 * Redis, and the report.
 * <p>
 * <strong>Problem:</strong> an interceptor may change everything about a request.
 * <strong>Solution:</strong> everything that can be refused is checked only after the
 * last interceptor, and a bulk push sends nothing before all of its jobs have passed.
 * <p>
 * <strong>Problem:</strong> Spring still reports an active transaction while its
 * callbacks after the commit run, and does not call a callback that is registered that
 * late. A job enqueued there would wait for a commit that is already over.
 * <strong>Solution:</strong> just before the commit, a listener of the transaction
 * manager registers a callback. That callback is the first to be called after the commit,
 * and sets a mark. Once the mark is set, jobs are stored at once.
 * <p>
 * <strong>Problem:</strong> the jobs of a transaction would be lost if another callback
 * threw an exception before the library's callback was called. <strong>Solution:</strong>
 * the remaining jobs are stored on completion, for which Spring calls every callback.
 * <p>
 * <strong>Problem:</strong> a caller that gets an exception from a commit takes it for a
 * rollback and repeats the transaction. <strong>Solution:</strong> an exception after the
 * commit does not invite a retry: its message begins with the statement that the
 * transaction has committed. The original failure is the cause of the exception.
 * <p>
 * <strong>Problem:</strong> Redis may be unavailable when a transaction has committed,
 * although callers have already been notified that their jobs were accepted.
 * <strong>Solution:</strong> an {@link io.github.steadyjobs.client.Outbox} keeps the jobs
 * and tries again, with the same call number if an earlier call may have stored the jobs.
 * The same outbox serves as the buffer.
 * <p>
 * <strong>Problem:</strong> a call is recorded by a generated class, and a native image
 * cannot generate classes. <strong>Solution:</strong> while an application is processed
 * ahead of time, the recorders of its jobs are generated, and Spring adds them to the
 * application. Their names are the same in each process, so they are found again.
 * <p>
 * <strong>Problem:</strong> a rollback to a savepoint does not end the transaction.
 * <strong>Solution:</strong> a rollback to a savepoint drops the jobs that were enqueued
 * since that savepoint.
 * <p>
 * <strong>Problem:</strong> an interceptor that returns <em>stopped</em> after it has
 * proceeded falsifies the result. <strong>Solution:</strong> the result of each
 * interceptor is compared with the result of the chain, and a difference is an error.
 */
@NullMarked
package io.github.steadyjobs.client;

import org.jspecify.annotations.NullMarked;
