/**
 * A real Redis server for development and tests, started when no Redis is configured.
 * <p>
 * {@link io.github.steadyjobs.embedded.EmbeddedRedisServer} is the server, which works
 * without Spring too. The auto-configuration publishes it as Spring Boot's connection
 * details, so that everything that Boot connects to a Redis finds it.
 * <p>
 * Problem: an application that needs a Redis does not start on a machine that has none,
 * and an imitation in Java differs from Redis as soon as a script or a blocking move is
 * used. Solution: start the program itself, an installed one if there is one and a
 * bundled one otherwise. Only the files of the library {@code org.signal:embedded-redis}
 * are used, not its code. They hold Redis 7.0.15, are linked statically for Linux, and
 * need nothing but system libraries on macOS. Those of
 * {@code com.github.codemonstur:embedded-redis} are a Redis 6.2 that needs OpenSSL 3 and
 * a recent GNU C library on Linux and Homebrew's OpenSSL on macOS, so it fails on Alpine
 * and many slim images; its Windows one is a Redis 5, which lacks LMOVE and BLMOVE. So
 * there is none for Windows, where the application says what to do instead.
 * <p>
 * Problem: a server outlives a JVM that is killed. Solution: a
 * {@linkplain io.github.steadyjobs.embedded.ServerProcess shell} that ends along with the
 * JVM takes the server with it, and any server that is missed is
 * {@linkplain io.github.steadyjobs.embedded.ServerDirectory swept} at the next start.
 * <p>
 * Redis 7.0.15 is under the 3-clause BSD licence. The jar of this module does not contain
 * it, but an executable jar of an application that depends on this module does, along
 * with the library that carries it, which has no copy of that licence. Anyone who
 * distributes such a jar must add one; leaving this module out of it is better.
 */
@NullMarked
package io.github.steadyjobs.embedded;

import org.jspecify.annotations.NullMarked;
