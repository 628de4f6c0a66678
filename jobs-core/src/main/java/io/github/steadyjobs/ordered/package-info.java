/**
 * Ordered jobs: how they are stored, run and put back, and which parts of a queue have
 * them.
 */
@NullMarked
package io.github.steadyjobs.ordered;

import org.jspecify.annotations.NullMarked;
