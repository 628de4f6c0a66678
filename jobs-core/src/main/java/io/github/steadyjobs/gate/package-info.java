/**
 * Extension points through which features of this library plug into a worker, so that the
 * worker and the features do not depend on each other.
 */
@NullMarked
package io.github.steadyjobs.gate;

import org.jspecify.annotations.NullMarked;
