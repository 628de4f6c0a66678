package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.redis.ScriptFixture.job;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QueueMonitor}.
 */
@RedisAndClusterTest
class QueueMonitorIntegrationTests {

	private static final DeadLimits LIMITS = new DeadLimits(10, Duration.ofHours(1));

	private final TestRedis redis;

	private final QueueMonitor monitor;

	private final JobStore store;

	private final WorkStore work;

	QueueMonitorIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.monitor = new QueueMonitor(redis.connections(), redis.prefix());
		this.store = new JobStore(redis.connections(), redis.prefix());
		this.work = new WorkStore(redis.connections(), redis.prefix());
	}

	@BeforeEach
	void clear() {
		this.redis.clear();
	}

	@Test
	void queuesAreThoseThatWerePushedTo() {
		assertThat(this.monitor.queues()).isEmpty();
		this.store.enqueue("b", job(1));
		this.store.enqueue("a", job(2));
		this.store.enqueue("b", job(3));
		assertThat(this.monitor.queues()).containsExactly("a", "b");
	}

	@Test
	void sampleMeasuresEachQueue() {
		this.store.enqueue("a", job(1));
		this.store.enqueue("a", job(2));
		this.store.enqueue("b", job(3));
		assertThat(this.monitor.sample(List.of("a", "never-used", "b"))).extracting(QueueSample::ready)
			.containsExactly(2L, 0L, 1L);
		assertThat(this.monitor.sample(List.of())).isEmpty();
	}

	@Test
	void unservedAreQueuesThatNobodyHasJoined() {
		this.store.enqueue("joined", job(1));
		this.store.enqueue("known", job(2));
		this.store.enqueue("forgotten", job(3));
		this.work.liveness(LIMITS).beat("joined", "p1", true, ProcessState.RUNNING).join();
		assertThat(this.monitor.unserved(Set.of("known"))).containsExactly("forgotten");
		this.work.liveness(LIMITS).leave("joined", "p1");
		assertThat(this.monitor.unserved(Set.of())).containsExactly("forgotten", "joined", "known");
	}

	@Test
	void wrongTypesNameTheKeys() {
		this.store.enqueue("a", job(1));
		this.store.enqueue("b", job(2));
		assertThat(this.monitor.wrongTypes(List.of("a", "b", "never-used"))).isEmpty();
		String key = this.redis.key("b", "ready");
		this.redis.template().delete(key);
		this.redis.template().opsForValue().set(key, "no list");
		assertThat(this.monitor.wrongTypes(List.of("a", "b", "never-used")))
			.containsExactly(new WrongType("b", key, "list", "string"));
	}

	@Test
	void serverVersionIsThatOfTheServer() {
		ServerVersion version = this.monitor.serverVersion();
		assertThat(version.isSupported()).isTrue();
		assertThat(version.version()).matches("\\d+\\.\\d+\\.\\d+.*");
	}

}
