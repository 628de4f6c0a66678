package io.github.steadyjobs.support;

import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;

/**
 * A Redis in Docker. It is separate from {@link SharedRedis}, so that a module without
 * Testcontainers can use that class.
 */
final class DockerRedis {

	private static final int PORT = 6379;

	private final GenericContainer<?> container;

	private DockerRedis(GenericContainer<?> container) {
		this.container = container;
	}

	static @Nullable DockerRedis start() {
		if (!DockerClientFactory.instance().isDockerAvailable()) {
			return null;
		}
		GenericContainer<?> container = new GenericContainer<>("redis:7-alpine").withExposedPorts(PORT);
		container.start();
		return new DockerRedis(container);
	}

	String url() {
		return "redis://" + this.container.getHost() + ":" + this.container.getMappedPort(PORT);
	}

	void stop() {
		this.container.stop();
	}

}
