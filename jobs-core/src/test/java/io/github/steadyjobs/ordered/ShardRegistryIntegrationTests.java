package io.github.steadyjobs.ordered;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.ordered.ShardRegistry.Count;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.WrongType;
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
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link ShardRegistry} with one step at a time.
 * {@link ShardInterleavingIntegrationTests} interleaves such steps of several processes.
 */
@RedisAndClusterTest
@ExtendWith(OutputCaptureExtension.class)
class ShardRegistryIntegrationTests {

	private final TestRedis redis;

	private final ShardRegistry producer;

	private final ShardRegistry worker;

	ShardRegistryIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.producer = new ShardRegistry(redis.connections(), redis.prefix());
		this.worker = new ShardRegistry(redis.connections(), redis.prefix());
	}

	@Test
	void currentWhenNobodyHasRegisteredTheQueueRegistersIt() {
		assertThat(this.producer.current("orders", 5)).isEqualTo(new Count(1, 5));
		assertThat(this.worker.current("orders", 3)).isEqualTo(new Count(1, 5));
		assertThat(registered()).isEqualTo("1 5");
	}

	@Test
	void currentAsksRedisOnce() {
		this.producer.current("orders", 5);
		this.redis.clear();
		assertThat(this.producer.current("orders", 5)).isEqualTo(new Count(1, 5));
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	@DisplayName("The number of shards of an empty queue can be changed while producers continue (LK-53)")
	void settleWhenQueueIsEmptyChangesTheCountAndClosesAllShards() {
		this.producer.current("orders", 5);
		assertThat(settle(3)).isEqualTo(new Count(2, 3));
		assertThat(registered()).isEqualTo("2 3");
		for (int i = 0; i < 5; i++) {
			assertThat(versionOfShard(i)).isEqualTo("2");
		}
		assertThat(this.producer.current("orders", 5)).isEqualTo(new Count(1, 5));
		assertThat(this.producer.refresh("orders", 2)).isEqualTo(new Count(2, 3));
		assertThat(this.producer.current("orders", 5)).isEqualTo(new Count(2, 3));
	}

	@Test
	void settleWhenCountGrowsLeavesNewShardsOpen() {
		this.producer.current("orders", 2);
		assertThat(settle(4)).isEqualTo(new Count(2, 4));
		assertThat(versionOfShard(1)).isEqualTo("2");
		assertThat(versionOfShard(2)).isNull();
	}

	@Test
	void settleWhenCountIsAsDeclaredChangesNothing(CapturedOutput output) {
		assertThat(settle(5)).isEqualTo(new Count(1, 5));
		assertThat(settle(5)).isEqualTo(new Count(1, 5));
		assertThat(this.redis.contents()).hasSize(1);
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	@DisplayName("While there are keys, the number of shards is not changed, and a warning explains what to do (LK-53)")
	void settleWhenAShardHasJobsKeepsTheCountAndSaysWhatToDo(CapturedOutput output) {
		this.producer.current("orders", 5);
		enqueue(3);
		assertThat(settle(8)).isEqualTo(new Count(2, 5));
		assertThat(registered()).isEqualTo("2 5");
		assertThat(versionOfShard(3)).isNull();
		assertThat(output).contains("Queue 'orders' keeps its 5 shards, although its job declares 8: "
				+ "shard 'orders#3' has jobs. To change the number, let the queue run empty and start a worker again");
		assertThat(this.producer.refresh("orders", 2)).isEqualTo(new Count(2, 5));
	}

	@Test
	void settleWhenANewerReleaseHasChangedAShardKeepsTheCount(CapturedOutput output) {
		this.producer.current("orders", 5);
		this.redis.template().opsForHash().put(this.redis.key("orders#1", "meta"), "schema", "3");
		assertThat(settle(8)).isEqualTo(new Count(2, 5));
		assertThat(output).contains("a newer release has changed the layout of shard 'orders#1'");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 3 })
	void refreshWhenAChangeWasBrokenOffEndsIt(int steps) {
		this.producer.current("orders", 3);
		assertDies(new Mortal(1 + steps));
		assertThat(registered()).isEqualTo("1 3");
		int version = (steps > 0) ? 2 : 1;
		assertThat(this.producer.refresh("orders", version)).isEqualTo(new Count(version, 3));
		assertThat(registered()).isEqualTo(version + " 3");
		assertThat(settle(7)).isEqualTo(new Count(version + 1, 7));
	}

	@Test
	void settleWhenAChangeWasBrokenOffCanBeRepeated() {
		this.producer.current("orders", 3);
		assertDies(new Mortal(4));
		assertThat(settle(7)).isEqualTo(new Count(2, 7));
	}

	@Test
	void refreshWhenRegistryWasLostWritesWhatIsKnown() {
		this.producer.current("orders", 5);
		this.redis.clear();
		assertThat(this.producer.refresh("orders", 4)).isEqualTo(new Count(4, 5));
		assertThat(registered()).isEqualTo("4 5");
	}

	@ParameterizedTest
	@ValueSource(strings = { "5", "1 0", "1 1025", "x 5", "1 5 ", "0 5", "99999999999 5" })
	void currentWhenRegistryIsDamagedIsRefused(String damaged) {
		this.redis.template().opsForHash().put(this.redis.prefix() + ":shards", "orders", damaged);
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.producer.current("orders", 5))
			.has(reason(Reason.DAMAGED))
			.withMessageContaining("the number of shards of queue 'orders' is '" + damaged + "'");
	}

	@Test
	void settleWhenRegistryIsDamagedIsRefused() {
		this.redis.template().opsForValue().set(this.redis.prefix() + ":shards", "no hash");
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> settle(4)).has(reason(Reason.DAMAGED));
		assertThat(new QueueMonitor(this.redis.connections(), this.redis.prefix()).wrongTypes())
			.extracting(WrongType::key, WrongType::expected)
			.containsExactly(tuple(this.redis.prefix() + ":shards", "hash"));
	}

	private void enqueue(int shard) {
		new JobStore(this.redis.connections(), this.redis.prefix()).enqueue(new QueueRef("orders", shard).name(),
				job(1));
	}

	private static void assertDies(Mortal worker) {
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> worker.settle("orders", 7, deadline()))
			.withMessage("died");
	}

	private Count settle(int declared) {
		return this.worker.settle("orders", declared, deadline());
	}

	private static long deadline() {
		return System.nanoTime() + Duration.ofSeconds(10).toNanos();
	}

	private Object registered() {
		return this.redis.template().opsForHash().get(this.redis.prefix() + ":shards", "orders");
	}

	private Object versionOfShard(int shard) {
		return this.redis.template().opsForHash().get(this.redis.key("orders#" + shard, "meta"), "shards");
	}

	/**
	 * A worker that dies after some calls.
	 */
	private final class Mortal extends ShardRegistry {

		private int calls;

		private Mortal(int calls) {
			super(ShardRegistryIntegrationTests.this.redis.connections(),
					ShardRegistryIntegrationTests.this.redis.prefix());
			this.calls = calls;
		}

		@Override
		List<Object> askOnce(ScriptCall call, long deadline) {
			if (this.calls-- == 0) {
				throw new JobStoreException("died");
			}
			return super.askOnce(call, deadline);
		}

	}

}
