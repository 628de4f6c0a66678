/**
 * What measurements need of the worker that it does not show.
 */
@NullMarked
package io.github.steadyjobs.server;

import org.jspecify.annotations.NullMarked;
