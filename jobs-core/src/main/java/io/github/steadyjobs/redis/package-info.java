/**
 * Access to Redis: connections, calls, scripts and keys, and data that several packages
 * store or read. No other package knows Lettuce or the name of a key.
 * <p>
 * Key names are in {@code QueuePart} and {@code KeySpace}. {@code JobScript} loads the
 * scripts, {@code ScriptCall} writes their calls as {@code CommandBytes}, and {@code
 * RedisCall} requests a connection and sends these bytes on it. {@code RedisConnections}
 * holds the connections: a {@code NodeConnections}, consisting of {@code
 * HeldConnection}s, for each kind of traffic, and the connections of {@code BlockingPop}.
 * {@code Answers} waits for answers, {@code Attempts} sends calls again, and {@code
 * RedisErrors} translates refusals and missing answers into exceptions.
 * <p>
 * <strong>Problem:</strong> a call is sent again when its connection breaks before the
 * answer, so any script can run twice or late. <strong>Solution:</strong> every state
 * change is a single script that detects repeated and late calls: enqueue and claim calls
 * are numbered, and settlements carry the token of their claim.
 * <p>
 * <strong>Problem:</strong> if keys were listed in Java and numbered in a script, both
 * lists would have to be kept in step by hand, and a key in the wrong position would move
 * jobs to a place where nobody looks for them. <strong>Solution:</strong> the first line
 * of a script names its keys, and so does the first line of each file that it includes.
 * The keys are passed in that order, and the code uses them as variables of these names.
 * {@link io.github.steadyjobs.redis.QueuePart} is the only list of the keys of a queue.
 * <p>
 * <strong>Problem:</strong> Lettuce's connection to a cluster blocks the sender of a
 * batch until it has connected to each node, holds back commands for a dead node, and
 * looks for new masters only if the application's settings require it.
 * <strong>Solution:</strong> each node has its own connections. A call goes to the node
 * that serves its key, and the nodes are looked up again whenever something fails.
 */
@NullMarked
package io.github.steadyjobs.redis;

import org.jspecify.annotations.NullMarked;
