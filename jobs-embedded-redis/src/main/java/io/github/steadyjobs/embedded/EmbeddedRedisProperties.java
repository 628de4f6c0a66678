package io.github.steadyjobs.embedded;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Configuration properties for the embedded Redis.
 *
 * @param enabled Whether to start a Redis server when no Redis is configured.
 * @param executable Path of the server program to start, or a name to look up on the
 * PATH. If not set, an installed program is used or, if there is none, the bundled
 * program.
 * @param port Port on the loopback interface. Set to 0 to use a free port.
 */
@ConfigurationProperties("steadyjobs.embedded")
record EmbeddedRedisProperties(@DefaultValue("true") boolean enabled, @Nullable String executable,
		@DefaultValue("0") int port) {

	EmbeddedRedisProperties {
		Assert.isTrue(port >= 0 && port <= 65535, "'port' must be between 0 and 65535");
	}

}
