package io.github.steadyjobs.observation;

import java.time.Duration;
import java.util.Set;

import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link QueueMetrics}.
 */
@RedisTest
class QueueMetricsIntegrationTests {

	private final TestRedis redis;

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	QueueMetricsIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	void gaugesOfAQueueThatIsForgottenGo() {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "a", "b");
		new QueueMetrics(new QueueMonitor(this.redis.connections(), this.redis.prefix()),
				new ProcessStore(this.redis.connections(), this.redis.prefix()),
				new PauseStore(this.redis.connections(), this.redis.prefix()), () -> Set.of("own"),
				Duration.ofMillis(200))
			.bindTo(this.registry);
		assertThat(measured()).isZero();
		assertThat(this.registry.find("jobs.queue.dead").gauges()).hasSize(3);
		this.redis.template().opsForSet().remove(this.redis.prefix() + ":queues", "a", "own");
		await().atMost(Duration.ofSeconds(30)).until(() -> {
			measured();
			return this.registry.find("jobs.queue.dead").gauges().size() == 2;
		});
		assertThat(this.registry.find("jobs.queue.latency").tag("queue", "a").timeGauge()).isNull();
		assertThat(this.registry.find("jobs.queue.latency").tag("queue", "b").timeGauge()).isNotNull();
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "a");
		await().atMost(Duration.ofSeconds(30)).until(() -> {
			measured();
			return this.registry.find("jobs.queue.dead").gauges().size() == 3;
		});
	}

	private double measured() {
		return this.registry.get("jobs.queue.size").tag("queue", "own").gauge().value();
	}

}
