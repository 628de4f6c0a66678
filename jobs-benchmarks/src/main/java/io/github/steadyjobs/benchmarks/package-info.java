/**
 * Programs that measure the library as it is configured in an application. They are all
 * in one jar, with one command for each measurement. Each command prints one line of
 * JSON.
 */
@NullMarked
package io.github.steadyjobs.benchmarks;

import org.jspecify.annotations.NullMarked;
