package io.github.steadyjobs.embedded;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.util.StringUtils;

/**
 * The address of the embedded Redis, which runs as long as this bean exists.
 * <p>
 * This bean is deliberately not a lifecycle bean, because a context that is paused and
 * resumed would then find a new, empty server on another port. The connection factory
 * depends on this bean, so the factory starts after the server and stops before it.
 */
final class EmbeddedRedisConnectionDetails implements DataRedisConnectionDetails, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedRedisConnectionDetails.class);

	private final EmbeddedRedisServer server;

	private final int database;

	EmbeddedRedisConnectionDetails(EmbeddedRedisProperties properties, int database) {
		EmbeddedRedisServer.Builder builder = EmbeddedRedisServer.builder().port(properties.port());
		if (StringUtils.hasText(properties.executable())) {
			builder.executable(properties.executable());
		}
		this.server = builder.start();
		this.database = database;
		logger.info(
				"Started an embedded {} at {}:{} from '{}', for development and tests only: its data is gone "
						+ "when the application stops. To use another Redis, set 'spring.data.redis.host' or "
						+ "'spring.data.redis.url'",
				this.server.version(), this.server.host(), this.server.port(), this.server.executable());
	}

	@Override
	public Standalone getStandalone() {
		return Standalone.of(this.server.host(), this.server.port(), this.database);
	}

	@Override
	public void destroy() {
		this.server.close();
	}

}
