/**
 * From requests to stored jobs. Only {@link io.github.steadyjobs.client.JobClientFactory}
 * is meant for use outside of this package.
 * <p>
 * A request becomes one draft that each step fills in: the job that it means, the changes
 * of interceptors, the checked payload, the lock, the answer of Redis, and its report.
 * <p>
 * <strong>Problem:</strong> an interceptor may change everything about a request.
 * <strong>Solution:</strong> everything that can be refused is checked once, after the
 * last of them, and a bulk push sends nothing before all of its jobs have passed.
 * <p>
 * <strong>Problem:</strong> Spring still reports an active transaction while its
 * callbacks after the commit run, and does not call one that is registered so late. A job
 * enqueued there would be kept for a commit that is over. <strong>Solution:</strong> a
 * listener of the transaction manager registers a mark just before the commit, which is
 * called first after it. Once the mark is set jobs are stored at once.
 * <p>
 * <strong>Problem:</strong> the jobs of a transaction would be lost if another callback
 * threw before ours was called. <strong>Solution:</strong> the remaining jobs are stored
 * at the completion, for which Spring calls every callback.
 * <p>
 * <strong>Problem:</strong> a caller that gets an exception from a commit takes it for a
 * rollback and repeats the transaction. <strong>Solution:</strong> after the commit, the
 * exception does not invite another try: its message begins with the fact that the
 * transaction has committed. The reason is its cause.
 * <p>
 * <strong>Problem:</strong> Redis may be unavailable when a transaction has committed,
 * and its callers already know that their jobs were accepted. <strong>Solution:</strong>
 * an {@link io.github.steadyjobs.client.Outbox} keeps them and tries again, with the same
 * number where an earlier call may have stored them. The buffer is the same outbox.
 * <p>
 * <strong>Problem:</strong> a rollback to a savepoint does not end the transaction.
 * <strong>Solution:</strong> the jobs enqueued since the savepoint are dropped when it is
 * rolled back to.
 * <p>
 * <strong>Problem:</strong> an interceptor that returns <em>stopped</em> after it
 * proceeded makes the result a lie. <strong>Solution:</strong> its result is compared
 * with the answer of the chain, and a difference is an error.
 */
@NullMarked
package io.github.steadyjobs.client;

import org.jspecify.annotations.NullMarked;
