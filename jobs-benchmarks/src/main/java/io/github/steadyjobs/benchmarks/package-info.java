/**
 * Programs that measure the library as an application wires it. One jar, one command for
 * each measurement; each prints one line of JSON.
 */
@NullMarked
package io.github.steadyjobs.benchmarks;

import org.jspecify.annotations.NullMarked;
