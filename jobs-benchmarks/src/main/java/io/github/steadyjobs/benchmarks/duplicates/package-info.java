/**
 * The program that enqueues the same few jobs from many threads of many processes while
 * workers run them, and checks what deduplication promises.
 * <p>
 * {@link io.github.steadyjobs.benchmarks.duplicates.DuplicatesCommand} is the program,
 * {@link io.github.steadyjobs.benchmarks.duplicates.DuplicatesProcess} what runs in its
 * processes.
 * <p>
 * <strong>Problem:</strong> that the newest state is always processed can be seen only by
 * someone who knows it. <strong>Solution:</strong> each key has a number, which is
 * counted up before each request and read by each run: at the end the number that was
 * processed last has to be the number itself.
 */
@NullMarked
package io.github.steadyjobs.benchmarks.duplicates;

import org.jspecify.annotations.NullMarked;
