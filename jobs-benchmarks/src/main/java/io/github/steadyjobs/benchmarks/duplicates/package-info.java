/**
 * The program that enqueues the same few jobs from many threads of many processes while
 * workers run them, and checks the guarantees of deduplication.
 *
 * <p>
 * {@link io.github.steadyjobs.benchmarks.duplicates.DuplicatesCommand} is the program,
 * and {@link io.github.steadyjobs.benchmarks.duplicates.DuplicatesProcess} runs in its
 * processes.
 *
 * <p>
 * <strong>Problem:</strong> only someone who knows the newest state can check that it is
 * always processed. <strong>Solution:</strong> each key has a number, which is
 * incremented before each request and read by each run. At the end, the last processed
 * number has to equal this number.
 */
@NullMarked
package io.github.steadyjobs.benchmarks.duplicates;

import org.jspecify.annotations.NullMarked;
