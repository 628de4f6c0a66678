/**
 * The Redis side: keys, scripts, connections, and the stores that the client and the
 * worker use. The only package that knows Lettuce or the name of a key.
 * <p>
 * Key names are in {@code QueuePart} and {@code KeySpace}. {@code JobScript} loads the
 * scripts, {@code ScriptCall} writes their calls as {@code CommandBytes}, and
 * {@code RedisCall} sends these on a connection that it asks for.
 * {@code RedisConnections} has the connections: {@code NodeConnections} for each kind of
 * traffic, made of {@code HeldConnection}s, and {@code BlockingPop}. {@code Answers}
 * waits and sends again, and {@code RedisErrors} says what a refused or unanswered call
 * gets.
 * <p>
 * <strong>Problem:</strong> a call is sent again when its connection breaks before the
 * answer, so any script may run twice, or late. <strong>Solution:</strong> every state
 * change is one script that notices: enqueue and claim calls are numbered, settlements
 * carry the token of their claim.
 * <p>
 * <strong>Problem:</strong> keys that are listed in Java and numbered in a script have to
 * be kept in step by hand, and one in the wrong place moves jobs to where nobody looks.
 * <strong>Solution:</strong> the first line of a script names its keys, and so does that
 * of each file that it includes. They are passed in that order, and are variables of
 * these names in the code. {@link io.github.steadyjobs.redis.QueuePart} is the one list
 * of the keys that a queue has.
 * <p>
 * <strong>Problem:</strong> after a long outage Lettuce reconnects with up to 30 seconds
 * between two attempts, and holds commands back meanwhile. <strong>Solution:</strong> a
 * client of our own does not reconnect; a broken connection is opened anew by the next
 * call, at most twice a second, and calls fail at once in between. Sending neither blocks
 * nor throws: what goes wrong is the answer.
 * <p>
 * <strong>Problem:</strong> Lettuce's connection to a cluster blocks the sender of a
 * batch until it has connected to each node, holds back what is for a dead one, and looks
 * for new masters only if the application says so. <strong>Solution:</strong> each node
 * has connections of its own, and a call goes to the node that serves its key, which is
 * looked up again whenever something fails.
 * <p>
 * <strong>Problem:</strong> a cluster refuses a blocking pop over queues of different
 * slots, even on one node. <strong>Solution:</strong> there a capsule waits with one
 * connection a queue; elsewhere with one for all its queues.
 * <p>
 * <strong>Problem:</strong> WAIT answers only for what was written on its own connection,
 * and blocks that. <strong>Solution:</strong> pushes that are to be replicated share a
 * connection with their WAIT and with nothing else; jobs whose push was answered on
 * another are reported as stored.
 */
@NullMarked
package io.github.steadyjobs.redis;

import org.jspecify.annotations.NullMarked;
