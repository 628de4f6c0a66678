/**
 * The worker: capsules, what they fetch, and how finished jobs are settled.
 * <p>
 * Only {@link io.github.steadyjobs.server.Launcher} and the records from which it is made
 * are meant for use outside. It starts a worker process with a manager for each capsule.
 * A manager's fetcher claims jobs for the workers, which run them through the processor.
 * The processor decides an outcome, and one call settles it. The capsules share the
 * presence of the process in its queues with its heartbeats, the death watch, the
 * recovery of the jobs of dead processes, and the vitals of Redis.
 * <p>
 * <strong>Problem:</strong> whatever keeps jobs from beginning, such as a limit, asks for
 * a branch where a job begins, one where it ends and a way back for what waits.
 * <strong>Solution:</strong> a {@linkplain io.github.steadyjobs.gate.Gate gate} is asked
 * before a job begins, beside expiry and missing beans. What it holds back is parked
 * under a reason, and continues when that reason no longer holds. Pauses are such a gate.
 * <p>
 * <strong>Problem:</strong> an ordered job is stored as the payloads of its key, which
 * are bound, retried, buried and put back one by one. <strong>Solution:</strong> a job
 * has a {@linkplain io.github.steadyjobs.ordered.Form form}, which says what each of
 * these means for what is stored. Nothing here asks whether a job is ordered, but a
 * shutdown, which must not run a key twice at once.
 */
@NullMarked
package io.github.steadyjobs.server;

import org.jspecify.annotations.NullMarked;
