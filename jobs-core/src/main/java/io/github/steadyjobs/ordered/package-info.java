/**
 * Ordered jobs: how they are stored, run and put back, and the parts of a queue that hold
 * them.
 */
@NullMarked
package io.github.steadyjobs.ordered;

import org.jspecify.annotations.NullMarked;
