/**
 * Pauses of queues and jobs.
 */
@NullMarked
package io.github.steadyjobs.pause;

import org.jspecify.annotations.NullMarked;
