/**
 * The Redis side: connections, calls, scripts and keys, and what several rooms store or
 * read. The only package that knows Lettuce or the name of a key.
 * <p>
 * Key names are in {@code QueuePart} and {@code KeySpace}. {@code JobScript} loads the
 * scripts, {@code ScriptCall} writes their calls as {@code CommandBytes}, and
 * {@code RedisCall} sends these on a connection that it asks for.
 * {@code RedisConnections} has the connections: {@code NodeConnections} for each kind of
 * traffic, made of {@code HeldConnection}s, and {@code BlockingPop}. {@code Answers}
 * waits, {@code Attempts} sends again, and {@code RedisErrors} turns refusals and missing
 * answers into exceptions.
 * <p>
 * <strong>Problem:</strong> a call is sent again when its connection breaks before the
 * answer, so any script may run twice, or late. <strong>Solution:</strong> every state
 * change is one script that notices: enqueue and claim calls are numbered, settlements
 * carry the token of their claim.
 * <p>
 * <strong>Problem:</strong> if keys are listed in Java and numbered in a script, both
 * lists have to be kept in step by hand, and a key in the wrong position moves jobs to
 * where nobody looks. <strong>Solution:</strong> the first line of a script names its
 * keys, and so does the first line of each file that it includes. They are passed in that
 * order, and are variables of these names in the code.
 * {@link io.github.steadyjobs.redis.QueuePart} is the only list of the keys of a queue.
 * <p>
 * <strong>Problem:</strong> Lettuce's connection to a cluster blocks the sender of a
 * batch until it has connected to each node, holds back commands for a dead node, and
 * looks for new masters only if the application says so. <strong>Solution:</strong> each
 * node has its own connections, and a call goes to the node that serves its key, which is
 * looked up again whenever something fails.
 */
@NullMarked
package io.github.steadyjobs.redis;

import org.jspecify.annotations.NullMarked;
