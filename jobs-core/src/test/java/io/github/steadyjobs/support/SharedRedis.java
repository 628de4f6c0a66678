package io.github.steadyjobs.support;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * The Redis that all tests of a run share: the server at {@code JOBS_TEST_REDIS_URL} if
 * it is set, otherwise a server in Docker if Docker answers, otherwise the embedded
 * server.
 */
final class SharedRedis implements AutoCloseable {

	private final String url;

	private final Runnable stop;

	private final LettuceConnectionFactory connectionFactory;

	private SharedRedis(String what, String url, Runnable stop) {
		System.out.println("Tests use " + what);
		this.url = url;
		this.stop = stop;
		this.connectionFactory = ConnectionFactories.single(url, ConnectionFactories.COMMAND_TIMEOUT);
	}

	static SharedRedis start() {
		String url = System.getenv("JOBS_TEST_REDIS_URL");
		if (StringUtils.hasText(url)) {
			return new SharedRedis("the Redis of JOBS_TEST_REDIS_URL", url, () -> {
			});
		}
		DockerRedis docker = isDockerLikely() ? DockerRedis.start() : null;
		if (docker != null) {
			return new SharedRedis("Redis in Docker, " + docker.url(), docker.url(), docker::stop);
		}
		EmbeddedRedisServer embedded = EmbeddedRedisServer.start();
		return new SharedRedis("the embedded " + embedded.version() + ", " + embedded.uri(), embedded.uri().toString(),
				embedded::close);
	}

	/**
	 * Return whether Docker may be available. Without Docker, Testcontainers would take
	 * some time to find that out, and would log errors.
	 */
	private static boolean isDockerLikely() {
		return ClassUtils.isPresent("org.testcontainers.containers.GenericContainer", null)
				&& (StringUtils.hasText(System.getenv("DOCKER_HOST")) || sockets().anyMatch(Files::exists));
	}

	private static Stream<Path> sockets() {
		Stream<Path> standard = Stream.of(Path.of("/var/run/docker.sock"),
				Path.of(System.getProperty("user.home"), ".docker", "run", "docker.sock"));
		@Nullable String runtime = System.getenv("XDG_RUNTIME_DIR");
		return (runtime != null) ? Stream.concat(standard, Stream.of(Path.of(runtime, "docker.sock"))) : standard;
	}

	String url() {
		return this.url;
	}

	LettuceConnectionFactory connectionFactory() {
		return this.connectionFactory;
	}

	@Override
	public void close() {
		this.connectionFactory.destroy();
		this.stop.run();
	}

}
