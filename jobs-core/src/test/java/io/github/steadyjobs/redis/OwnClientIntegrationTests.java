package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.OwnRedis;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.tracing.MicrometerTracing;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link OwnClient} in an application that has another client, whose commands
 * are observed.
 */
class OwnClientIntegrationTests {

	private final OwnRedis server = OwnRedis.start();

	private final AtomicInteger observed = new AtomicInteger();

	private final ClientResources resources = DefaultClientResources.builder()
		.tracing(new MicrometerTracing(registry(), "redis"))
		.build();

	private final LettuceConnectionFactory factory = factory();

	private final StringRedisTemplate template = new StringRedisTemplate(this.factory);

	private final OwnClient client = new OwnClient(this.factory);

	@AfterEach
	void close() {
		this.client.close();
		this.factory.destroy();
		this.resources.shutdown(0, 0, TimeUnit.SECONDS);
		this.server.close();
	}

	private ObservationRegistry registry() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				OwnClientIntegrationTests.this.observed.incrementAndGet();
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		});
		return registry;
	}

	private LettuceConnectionFactory factory() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				LettuceConnectionFactory.createRedisConfiguration(RedisURI.create(this.server.url())),
				LettuceClientConfiguration.builder().clientResources(this.resources).build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	@Test
	void commandsAreNotObservedThoughThoseOfTheApplicationAre() {
		this.template.hasKey("any");
		Awaitility.await().until(() -> this.observed.get() > 0);
		int before = this.observed.get();
		JobStore store = new JobStore(new RedisConnections(this.factory), this.server.redis().prefix());
		store.enqueue("q", ScriptFixture.job(1));
		this.template.hasKey("any");
		Awaitility.await().until(() -> this.observed.get() > before);
		assertThat(this.observed).hasValue(before + 1);
	}

	@Test
	void closeShutsDownWhatIsItsOwnAndNothingElse() {
		StatefulConnection<byte[], byte[]> connection = this.client.connect().join();
		ClientResources own = connection.getResources();
		assertThat(own).isNotSameAs(this.resources);
		assertThat(own.eventLoopGroupProvider()).isSameAs(this.resources.eventLoopGroupProvider());
		this.client.close();
		Awaitility.await().until(() -> !connection.isOpen());
		assertThat(new DirectFieldAccessor(own).getPropertyValue("shutdownCalled")).isEqualTo(true);
		assertThat(this.template.hasKey("any")).isFalse();
		assertThat(this.client.connect().join().isOpen()).isTrue();
	}

	@Test
	void connectWhenFactoryWasRestartedUsesItsNewClient() {
		StatefulConnection<byte[], byte[]> former = this.client.connect().join();
		this.factory.stop();
		assertThatIllegalStateException().isThrownBy(this.client::connect);
		this.factory.start();
		assertThat(this.client.connect().join().isOpen()).isTrue();
		// The connections of the previous client are closed together with it.
		Awaitility.await().until(() -> !former.isOpen());
	}

	@Test
	void connectionWhenBrokenStaysBroken() {
		StatefulConnection<byte[], byte[]> connection = this.client.connect().join();
		this.server.restart();
		Awaitility.await().until(() -> !connection.isOpen());
		assertThat(Sent.ask(connection, new CommandBytes(CommandType.PING), Duration.ofSeconds(10)))
			.failsWithin(Duration.ofSeconds(10));
		assertThat(connection.isOpen()).isFalse();
	}

	@Test
	void addressesAreThoseOfTheFactory() {
		assertThat(this.client.addresses()).extracting(RedisURI::getPort).isEqualTo(List.of(this.server.port()));
	}

}
