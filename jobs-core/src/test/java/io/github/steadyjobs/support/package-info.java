/**
 * What tests of this module and of others need to talk to a real Redis: one that a whole
 * run shares, one of a test's own that it may harm, a cluster of a single node, and a
 * relay that cuts and disturbs connections.
 */
@NullMarked
package io.github.steadyjobs.support;

import org.jspecify.annotations.NullMarked;
