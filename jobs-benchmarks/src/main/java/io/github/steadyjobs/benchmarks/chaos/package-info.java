/**
 * The chaos program: real worker processes, a relay between each of them and Redis,
 * faults drawn from a seed, and a history that is compared with the guarantees of the
 * library.
 *
 * <p>
 * {@link io.github.steadyjobs.benchmarks.chaos.ChaosCommand} is the program, and
 * {@link io.github.steadyjobs.benchmarks.chaos.ChaosWorker} runs in its worker processes.
 *
 * <p>
 * <strong>Problem:</strong> a store cannot be its own witness. <strong>Solution:</strong>
 * the jobs themselves record their runs in files, the producer remembers which jobs were
 * accepted, and the fault injector records which process was hit. Redis is asked only one
 * thing: where the jobs are at the end.
 *
 * <p>
 * <strong>Problem:</strong> at-least-once execution permits duplicates, so a bug that
 * causes duplicates would go unnoticed. <strong>Solution:</strong> for each duplicate,
 * there must have been a fault that can take a job from its worker, and this fault must
 * have hit the process that was running the job at the time. A broken connection alone
 * does not explain a duplicate.
 */
@NullMarked
package io.github.steadyjobs.benchmarks.chaos;

import org.jspecify.annotations.NullMarked;
