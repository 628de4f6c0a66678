package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QueueMonitor}.
 */
@RedisAndClusterTest
@ExtendWith(OutputCaptureExtension.class)
class QueueMonitorIntegrationTests {

	private final TestRedis redis;

	private final QueueMonitor monitor;

	private final JobStore store;

	QueueMonitorIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.monitor = new QueueMonitor(redis.connections(), redis.prefix());
		this.store = new JobStore(redis.connections(), redis.prefix());
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
		Map<String, QueueMonitor.Sample> samples = this.monitor.sample(List.of("a", "never-used", "b"));
		assertThat(samples.keySet()).containsExactly("a", "never-used", "b");
		assertThat(samples.values()).extracting(QueueMonitor.Sample::ready).containsExactly(2L, 0L, 1L);
		assertThat(this.monitor.sample(List.of())).isEmpty();
	}

	@Test
	@DisplayName("LK-43: size, dead jobs and lag of an ordered queue cover all of its shards")
	void totalsCountShardsTogether() {
		this.store.enqueue("orders#0", job(1));
		this.store.enqueue("orders#2", job(2));
		this.store.enqueue("mail", job(3));
		this.redis.template().opsForZSet().add(this.redis.key("orders#1", "dead"), "dead", 1);
		Map<String, QueueMonitor.Sample> totals = this.monitor.totals(List.of("own"));
		assertThat(totals.keySet()).containsExactly("mail", "orders", "own");
		assertThat(totals.get("orders").ready()).isEqualTo(2);
		assertThat(totals.get("mail").ready()).isEqualTo(1);
		this.redis.template().opsForHash().put(this.redis.key("orders#2", "since"), job(2).id(), "1");
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "orders#1");
		QueueMonitor.Sample orders = this.monitor.totals(List.of()).get("orders");
		assertThat(orders.dead()).isEqualTo(1);
		assertThat(orders.latency()).isGreaterThan(Duration.ofDays(20000));
	}

	@Test
	void unservedAreQueuesThatNobodyHasJoined() {
		this.store.enqueue("joined", job(1));
		this.store.enqueue("known", job(2));
		this.store.enqueue("forgotten", job(3));
		ScriptFixture joined = new ScriptFixture(this.redis, "joined");
		joined.join("p1");
		assertThat(this.monitor.unserved(Set.of("known"))).containsExactly("forgotten");
		joined.leave("p1", 10);
		assertThat(this.monitor.unserved(Set.of())).containsExactly("forgotten", "joined", "known");
	}

	@Test
	void queuesWhenSetHoldsOtherNamesLeavesThemOutForAllAndSaysSoOnce(CapturedOutput output) {
		this.store.enqueue("good", job(1));
		this.redis.template()
			.opsForSet()
			.add(this.redis.prefix() + ":queues", "bad name", "{brace}", "line\nbreak", "x".repeat(65));
		assertThat(this.monitor.queues()).containsExactly("good");
		assertThat(this.monitor.unserved(Set.of())).containsExactly("good");
		assertThat(this.monitor.wrongTypes()).isEmpty();
		assertThat(this.store.find(job(1).id(), (queue, payload) -> payload)).isPresent();
		assertThat(this.store.cancel(job(1).id(), false)).isTrue();
		assertThat(output).containsOnlyOnce("'bad name', which is not the name of a queue")
			.containsOnlyOnce("'line\\u000abreak'")
			.containsOnlyOnce("'{brace}'");
	}

	@Test
	void sampleWhenServerIsBusyWaitsOnceForAllQueues() {
		try (OwnRedis own = OwnRedis.start("--busy-reply-threshold", "1", "--lua-time-limit", "1")) {
			QueueMonitor monitor = new QueueMonitor(own.redis().connections(), own.redis().prefix());
			monitor.sample(List.of("a"));
			CompletableFuture<Void> endless = own.runEndlessScript();
			CompletableFuture<Map<String, QueueMonitor.Sample>> sample = CompletableFuture
				.supplyAsync(() -> monitor.sample(List.of("a", "b", "c")));
			// The command timeout is ten seconds.
			assertThat(sample).failsWithin(Duration.ofSeconds(5))
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(JobStoreUnavailableException.class)
				.has(reason(Reason.NOT_READY));
			own.killScript();
			endless.join();
			assertThat(monitor.sample(List.of("a", "b"))).hasSize(2);
		}
	}

	@Test
	void wrongTypesNameTheKeys() {
		this.store.enqueue("a", job(1));
		this.store.enqueue("b", job(2));
		assertThat(this.monitor.wrongTypes()).isEmpty();
		String key = this.redis.key("b", "ready");
		this.redis.template().delete(key);
		this.redis.template().opsForValue().set(key, "no list");
		assertThat(this.monitor.wrongTypes()).containsExactly(new WrongType("b", key, "list", "string"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "pauses", "recurring", "shards" })
	void wrongTypesIncludeKeysOutsideOfQueues(String name) {
		String key = this.redis.prefix() + ":" + name;
		this.redis.template().opsForValue().set(key, "no hash");
		assertThat(this.monitor.wrongTypes()).containsExactly(new WrongType("", key, "hash", "string"));
	}

	@Test
	void serverVersionIsThatOfTheServer() {
		ServerVersion version = this.monitor.serverVersion();
		assertThat(version.isSupported()).isTrue();
		assertThat(version.version()).matches("\\d+\\.\\d+\\.\\d+.*");
	}

}
