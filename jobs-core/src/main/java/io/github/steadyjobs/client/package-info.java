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
 * callbacks after the commit run, and calls nobody after the commit who registers that
 * late. A job enqueued in such a callback would be lost; so would all jobs if the
 * callback of somebody else threw first. <strong>Solution:</strong> what is left is
 * stored at the completion, which every registered callback is told.
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
