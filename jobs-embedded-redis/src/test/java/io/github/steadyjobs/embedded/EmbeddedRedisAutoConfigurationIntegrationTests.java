package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link EmbeddedRedisAutoConfiguration} with the server that it starts.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("redis-program")
class EmbeddedRedisAutoConfigurationIntegrationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(EmbeddedRedisAutoConfiguration.class, DataRedisAutoConfiguration.class));

	@Test
	void templateWhenNothingIsConfiguredReachesEmbeddedServer() {
		this.runner.run((context) -> {
			StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
			redis.opsForValue().set("key", "value");
			assertThat(redis.opsForValue().get("key")).isEqualTo("value");
			Properties info = info(context, "server");
			assertThat(info).containsEntry("tcp_port", Integer.toString(port(context)));
		});
	}

	@Test
	void startLogsOnceWhatItIsForAndHowToUseAnother(CapturedOutput output) {
		this.runner.run((context) -> assertThat(output).containsOnlyOnce("for development and tests only")
			.contains("127.0.0.1:" + port(context))
			.contains("'spring.data.redis.host'"));
	}

	@Test
	void startWhenPortIsConfiguredListensThere() {
		int port = ServerProcess.freePort();
		this.runner.withPropertyValues("steadyjobs.embedded.port=" + port)
			.run((context) -> assertThat(port(context)).isEqualTo(port));
	}

	@Test
	void databaseAndCredentialsWhenConfiguredHonourDatabaseOnly() {
		this.runner
			.withPropertyValues("spring.data.redis.database=3", "spring.data.redis.password=secret",
					"spring.data.redis.ssl.enabled=true")
			.run((context) -> {
				StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
				redis.opsForValue().set("key", "value");
				Properties info = info(context, "keyspace");
				assertThat(info).containsOnlyKeys("db3");
			});
	}

	@Test
	void stopAndStartOfContextKeepServerAndData() {
		this.runner.run((context) -> {
			StringRedisTemplate redis = context.getBean(StringRedisTemplate.class);
			redis.opsForValue().set("key", "value");
			int port = port(context);
			long pid = ServerProcess.idAt(port);
			context.getSourceApplicationContext().stop();
			assertThat(ServerProcess.idAt(port)).isEqualTo(pid);
			context.getSourceApplicationContext().start();
			assertThat(redis.opsForValue().get("key")).isEqualTo("value");
		});
	}

	@Test
	void closeStopsServerAfterConnectionFactoryAndItsUsers() {
		Destructions destructions = new Destructions();
		this.runner.withBean(Destructions.class, () -> destructions).run((context) -> {
			int port = port(context);
			destructions.port = port;
			context.close();
			assertThat(destructions.answered).containsEntry("redisConnectionFactory", true)
				.containsEntry("lettuceClientResources", true)
				.containsEntry("embeddedRedisConnectionDetails", true);
			assertThat(destructions.answered.keySet()).containsSubsequence("redisConnectionFactory",
					"embeddedRedisConnectionDetails");
			assertThatIOException().isThrownBy(() -> ServerProcess.idAt(port));
		});
	}

	@Test
	void closeWhenWorkerUsesRedisToItsEndLetsIt() {
		this.runner.withBean(Worker.class).run((context) -> {
			Worker worker = context.getBean(Worker.class);
			context.close();
			assertThat(worker.length).isEqualTo(1);
		});
	}

	private static @Nullable Properties info(ApplicationContext context, String section) {
		try (RedisConnection connection = context.getBean(RedisConnectionFactory.class).getConnection()) {
			return connection.serverCommands().info(section);
		}
	}

	private static int port(ApplicationContext context) {
		assertThat(context.getBean(DataRedisConnectionDetails.class))
			.isInstanceOf(EmbeddedRedisConnectionDetails.class);
		DataRedisConnectionDetails.Standalone standalone = context.getBean(DataRedisConnectionDetails.class)
			.getStandalone();
		assertThat(standalone).isNotNull();
		return standalone.getPort();
	}

	/**
	 * Records whether the server still answers when each bean is about to be destroyed.
	 */
	private static final class Destructions implements DestructionAwareBeanPostProcessor {

		private final Map<String, Boolean> answered = new LinkedHashMap<>();

		private int port;

		@Override
		public void postProcessBeforeDestruction(Object bean, String beanName) {
			try {
				this.answered.put(beanName, ServerProcess.idAt(this.port) > 0);
			}
			catch (IOException ex) {
				this.answered.put(beanName, false);
			}
		}

	}

	/**
	 * Writes to Redis when it is stopped, like a worker that returns its jobs.
	 */
	static final class Worker implements SmartLifecycle {

		private final StringRedisTemplate redis;

		private boolean running;

		private @Nullable Long length;

		Worker(StringRedisTemplate redis) {
			this.redis = redis;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.length = this.redis.opsForList().leftPush("key", "value");
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

}
