/**
 * The chaos program: real worker processes, a relay between each of them and Redis,
 * faults drawn from a seed, and a history that is compared with what was promised.
 * <p>
 * {@link io.github.steadyjobs.benchmarks.chaos.ChaosCommand} is the program,
 * {@link io.github.steadyjobs.benchmarks.chaos.ChaosWorker} what runs in its workers.
 * <p>
 * <strong>Problem:</strong> a store cannot be its own witness. <strong>Solution:</strong>
 * the jobs themselves write to files what ran, the producer keeps what was accepted, and
 * the injector of faults records which process was hit. Redis is only asked where jobs
 * are in the end.
 * <p>
 * <strong>Problem:</strong> at-least-once permits duplicates, so a bug that causes
 * duplicates would go unnoticed. <strong>Solution:</strong> each duplicate has to be
 * explained by a fault that can take a job from its worker, on the very process and at
 * the very time of the run. A broken connection alone explains none.
 */
@NullMarked
package io.github.steadyjobs.benchmarks.chaos;

import org.jspecify.annotations.NullMarked;
