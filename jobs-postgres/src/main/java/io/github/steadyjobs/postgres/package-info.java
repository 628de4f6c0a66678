/**
 * Allows jobs to read from replicas of a database.
 * {@link io.github.steadyjobs.postgres.PostgresConsistencySource} makes sure that a
 * replica has the data that existed when the job was enqueued. The module is separate
 * because the other modules do not use a database, and applications without a database do
 * not need {@code spring-jdbc}. The module uses only the public API of the engine.
 * <p>
 * <strong>Problem:</strong> the position is read when a transaction has committed but
 * Spring has not yet returned its connection to the pool. If a second connection were
 * used, threads could deadlock, because each of them would hold one connection and wait
 * for another. <strong>Solution:</strong> the connection of the transaction is used.
 * <p>
 * <strong>Problem:</strong> when the primary does not answer, there is no position that
 * is low enough to be reached and high enough to be correct. <strong>Solution:</strong> a
 * position above all others represents an unknown position. That position takes
 * precedence over the positions of duplicates, and makes the run query the primary again.
 * <p>
 * <strong>Problem:</strong> after a log switch, or after a record that fills a page, the
 * primary reports a position after the header of the next page. A replica reaches that
 * position only with the next record, which an idle database does not write.
 * <strong>Solution:</strong> a replica at the end of a page counts as being past that
 * header.
 */
@NullMarked
package io.github.steadyjobs.postgres;

import org.jspecify.annotations.NullMarked;
