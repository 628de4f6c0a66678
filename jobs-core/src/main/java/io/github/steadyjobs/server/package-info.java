/**
 * The worker: its capsules, how they fetch jobs, and how finished jobs are settled.
 * <p>
 * Only {@link io.github.steadyjobs.server.Launcher} and the records in its signatures,
 * {@link io.github.steadyjobs.server.JobRunner} for tests, and the interfaces that
 * applications implement are meant for use outside this package. The launcher starts a
 * worker process with a manager for each capsule. A manager's fetcher claims jobs, and
 * the workers run the jobs through the processor. The processor decides the outcome of a
 * job, and one call settles the job. The capsules share the presence of the process in
 * its queues (with its heartbeats), the death watch, the recovery of the jobs of dead
 * processes, and the vitals of Redis.
 * <p>
 * <strong>Problem:</strong> an idle worker that claims only when it hears of a job makes
 * each job wait for another round trip. <strong>Solution:</strong> the next claim is sent
 * along with the wait for hints that a queue has jobs, and Redis carries it out when the
 * wait ends. If the capsule has another reason to claim from that queue, it sends another
 * copy of the claim with the same number. So nothing has to wait for the first copy, and
 * the answers to both copies contain the same jobs.
 * <p>
 * <strong>Problem:</strong> the first 100,000 jobs of a process run while the JVM
 * compiles the code that runs them, so what counts is the amount of that code.
 * <strong>Solution:</strong> code that each run passes through has loops instead of
 * streams, and no generated methods of records. In a drain of 100,000 jobs, this made a
 * difference of a quarter.
 * <p>
 * <strong>Problem:</strong> any rule that keeps jobs from beginning, such as a limit,
 * needs a branch where a job begins, another branch where the job ends, and a way back
 * for the jobs that wait. <strong>Solution:</strong> a
 * {@linkplain io.github.steadyjobs.gate.Gate gate} is asked before a job begins, after
 * the checks for expiry and missing beans. A job that the gate holds back is parked with
 * a reason, and continues when that reason no longer holds. Pauses are implemented as a
 * gate.
 * <p>
 * <strong>Problem:</strong> an ordered job is stored as the payloads of its key, which
 * are bound, retried, moved to the dead set and put back one by one.
 * <strong>Solution:</strong> a job has a {@linkplain io.github.steadyjobs.ordered.Form
 * form}, which defines the effect of each of these steps on the stored payloads. Nothing
 * in this package asks whether a job is ordered, except the shutdown, which must not let
 * jobs of a key run at the same time.
 */
@NullMarked
package io.github.steadyjobs.server;

import org.jspecify.annotations.NullMarked;
