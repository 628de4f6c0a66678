/**
 * Support for tests of this and other modules that need a real Redis: a server that a
 * whole run shares, servers that belong to one test and may be damaged, replicas,
 * clusters, and a relay that cuts and disturbs connections.
 */
@NullMarked
package io.github.steadyjobs.support;

import org.jspecify.annotations.NullMarked;
