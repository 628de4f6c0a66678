/**
 * From requests to stored jobs: resolving, interceptors, checks, transactions. Only
 * {@link io.github.steadyjobs.client.JobClientFactory} is meant for use outside of this
 * package.
 * <p>
 * <strong>Problem:</strong> an interceptor may change everything about a request.
 * <strong>Solution:</strong> whatever can be refused is checked behind the last of them,
 * once, and a bulk push sends nothing before all of its jobs have passed.
 * <p>
 * <strong>Problem:</strong> Spring still reports an active transaction while its
 * callbacks after the commit run, and does not call one that is registered so late. A job
 * enqueued there would be kept for a commit that is over. <strong>Solution:</strong> a
 * listener of the transaction manager registers a mark just before the commit, which is
 * called first after it. Once the mark is set jobs are stored at once.
 * <p>
 * <strong>Problem:</strong> the jobs of a transaction would be lost if another callback
 * threw before ours was called. <strong>Solution:</strong> what is left is stored at the
 * completion, for which Spring calls every callback.
 * <p>
 * <strong>Problem:</strong> whoever gets an exception from a commit takes it for a
 * rollback and repeats the transaction. <strong>Solution:</strong> after the commit none
 * of the exceptions is thrown that invite to try again, but one that begins with the fact
 * that the transaction has committed. The reason is its cause.
 * <p>
 * <strong>Problem:</strong> a rollback to a savepoint ends no transaction.
 * <strong>Solution:</strong> the jobs enqueued since the savepoint are dropped when it is
 * rolled back to.
 * <p>
 * <strong>Problem:</strong> an interceptor that says <em>stopped</em> after it proceeded
 * would make the result a lie. <strong>Solution:</strong> what it returns is compared
 * with what the chain answered, and a difference is an error.
 */
@NullMarked
package io.github.steadyjobs.client;

import org.jspecify.annotations.NullMarked;
