/**
 * The worker: capsules, what they fetch, and how the jobs that they ran are settled.
 * <p>
 * Only {@link io.github.steadyjobs.server.Launcher} and the records from which it is made
 * are meant for use outside. It starts a worker process with a manager for each capsule.
 * A manager's fetcher claims jobs for the workers, which run them through the processor.
 * The processor decides an outcome, and one call settles it. The capsules share the
 * presence of the process in its queues, the heartbeat, the death watch and the recovery
 * of what dead processes leave, and the vitals of Redis.
 * <p>
 * <strong>Problem:</strong> Sidekiq polls for scheduled jobs in a thread of its own, with
 * intervals that have to grow with the number of processes. <strong>Solution:</strong>
 * each claim makes ready what is due and reports when the next job will be. The fetcher's
 * own timer does the rest.
 * <p>
 * <strong>Problem:</strong> a thread that fetches waits for answers one after the other,
 * and a queue without answers keeps all others waiting. <strong>Solution:</strong> a
 * fetcher has no thread of its own but a
 * {@linkplain io.github.steadyjobs.server.FetchLoop loop} that is run by the thread that
 * brings news, and nothing in it blocks.
 * <p>
 * <strong>Problem:</strong> a claim or a settlement whose answer was lost leaves a job
 * with a process that does not know of it. <strong>Solution:</strong> both are repeated
 * until they are answered, and the scripts notice a repetition.
 */
@NullMarked
package io.github.steadyjobs.server;

import org.jspecify.annotations.NullMarked;
