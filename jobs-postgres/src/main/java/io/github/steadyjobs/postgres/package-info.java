/**
 * Jobs that read from replicas of a database, for which
 * {@link io.github.steadyjobs.postgres.PostgresConsistencySource} makes sure that a
 * replica has the data that existed when the job was enqueued. A separate module, because
 * nothing else knows a database, and an application without one does not need
 * {@code spring-jdbc}. It uses only the public part of the engine.
 * <p>
 * <strong>Problem:</strong> the position is asked for when a transaction has committed
 * and Spring has not given back its connection yet. With a second connection a pool can
 * deadlock: every thread has one and waits for another. <strong>Solution:</strong> the
 * connection of the transaction is used.
 * <p>
 * <strong>Problem:</strong> when the primary does not answer, no position is low enough
 * to be reached and high enough to be correct. <strong>Solution:</strong> a position
 * above all others stands for an unknown one. It wins over the positions of duplicates,
 * and the run asks the primary again.
 * <p>
 * <strong>Problem:</strong> after a switch of the log, or a record that fills a page, the
 * primary reports a position after the header of the next page. A replica gets there only
 * with the next record, which an idle database does not write. <strong>Solution:</strong>
 * a replica at the end of a page counts as being past that header.
 */
@NullMarked
package io.github.steadyjobs.postgres;

import org.jspecify.annotations.NullMarked;
