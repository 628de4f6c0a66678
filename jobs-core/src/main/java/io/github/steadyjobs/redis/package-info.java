/**
 * The Redis side: keys, scripts, connections, and the stores that the client and the
 * worker use. The only package that knows Lettuce or the name of a key.
 * <p>
 * <strong>Problem:</strong> Lettuce sends a command again when a connection breaks before
 * its reply, so any script may run twice, or late. <strong>Solution:</strong> every state
 * change is one script that notices: enqueue and claim calls are numbered, settlements
 * carry the token of their claim.
 * <p>
 * <strong>Problem:</strong> after a long outage Lettuce reconnects with up to 30 seconds
 * between two attempts, and holds commands back meanwhile. <strong>Solution:</strong> a
 * connection found closed is thrown away and opened anew by the next call, at most twice
 * a second; calls fail at once in between.
 * <p>
 * <strong>Problem:</strong> a cluster refuses a blocking pop over queues of different
 * slots, even on one node. <strong>Solution:</strong> there a capsule waits with one
 * connection a queue; elsewhere with one for all its queues.
 * <p>
 * <strong>Problem:</strong> WAIT tells only which replicas have what was written on its
 * own connection, and blocks that. <strong>Solution:</strong> pushes that are to be
 * replicated share a connection with their WAIT and with nothing else, which is never
 * reopened behind the same object; jobs whose push was answered on another are told as
 * stored.
 */
@NullMarked
package io.github.steadyjobs.redis;

import org.jspecify.annotations.NullMarked;
