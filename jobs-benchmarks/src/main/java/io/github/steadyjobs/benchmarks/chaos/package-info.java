/**
 * The chaos program: real worker processes, a relay between each of them and Redis,
 * faults drawn from a seed, and a history that is compared with what was promised.
 * <p>
 * {@link io.github.steadyjobs.benchmarks.chaos.ChaosCommand} is the program,
 * {@link io.github.steadyjobs.benchmarks.chaos.ChaosWorker} what runs in its workers.
 * <p>
 * <strong>Problem:</strong> a store cannot be its own witness. <strong>Solution:</strong>
 * what ran is written to files by the jobs themselves, what was accepted is kept by the
 * producer, and what was done to whom by the one who did it. Redis is only asked where
 * jobs are in the end.
 * <p>
 * <strong>Problem:</strong> at-least-once permits duplicates, and so a bug that makes
 * some hides among them. <strong>Solution:</strong> each duplicate has to be explained by
 * a fault that can take a job from its worker, on the very process and at the very time
 * of the run. A broken connection alone explains none.
 */
@NullMarked
package io.github.steadyjobs.benchmarks.chaos;

import org.jspecify.annotations.NullMarked;
