/**
 * How capabilities of this library plug into a worker without either knowing the other.
 */
@NullMarked
package io.github.steadyjobs.gate;

import org.jspecify.annotations.NullMarked;
