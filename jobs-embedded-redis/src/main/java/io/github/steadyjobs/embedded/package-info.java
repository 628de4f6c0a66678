/**
 * A real Redis server for development and tests, started when no Redis is configured.
 * <p>
 * {@link io.github.steadyjobs.embedded.EmbeddedRedisServer} is the server, which can also
 * be used without Spring. The auto-configuration publishes the address of the server as
 * Spring Boot's connection details, so that everything that Spring Boot connects to Redis
 * uses this server.
 * <p>
 * Problem: an application that needs Redis does not start on a machine without Redis, and
 * an imitation in Java differs from Redis as soon as a script or a blocking move is used.
 * Solution: start the real program, which is an installed Redis or, if there is none, a
 * bundled Redis. Only the files of the library {@code org.signal:embedded-redis} are
 * used, not its code. These files contain Redis 7.0.15, are statically linked on Linux,
 * and need only system libraries on macOS. The files of {@code
 * com.github.codemonstur:embedded-redis} are not used: they contain Redis 6.2, which
 * needs OpenSSL 3 and a recent GNU C library on Linux and Homebrew's OpenSSL on macOS, so
 * this version fails on Alpine and on many slim images; its program for Windows is Redis
 * 5, which lacks LMOVE and BLMOVE. So there is no bundled program for Windows; an error
 * message explains what to do on Windows.
 * <p>
 * Problem: a server outlives a JVM that is killed. Solution: a
 * {@linkplain io.github.steadyjobs.embedded.ServerProcess shell} notices the end of the
 * JVM and stops the server, and any server that the shell misses is
 * {@linkplain io.github.steadyjobs.embedded.ServerDirectory swept} at the next start.
 * <p>
 * Redis 7.0.15 is under the 3-clause BSD licence. The jar of this module does not contain
 * Redis, but an executable jar of an application that depends on this module does,
 * because that jar contains the library {@code org.signal:embedded-redis}, which does not
 * include a copy of that licence. Anyone who distributes such a jar must add a copy of
 * the licence. It is better to exclude this module from the jar.
 */
@NullMarked
package io.github.steadyjobs.embedded;

import org.jspecify.annotations.NullMarked;
