package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.server.Beat.ProcessState;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UnservedQueues}.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class UnservedQueuesIntegrationTests {

	private final TestRedis redis;

	UnservedQueuesIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	void lookWhenJobsWaitWhereNobodyServesSaysSoOnceUntilSomebodyDid(CapturedOutput output) {
		LivenessStore liveness = new LivenessStore(this.redis.connections(), this.redis.prefix(),
				new DeadLimits(1, Duration.ofDays(1)));
		try (WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "here").jobs(new Runs()).build()) {
			producer.enqueueAll("q", 0, 3);
			producer.enqueue("here", 3);
			producer.enqueue("elsewhere", 4);
			liveness.beat("elsewhere", "p.1", true, ProcessState.RUNNING, "").join();
			UnservedQueues watch = watch(Set.of("here"));
			watch.look();
			watch.look();
			assertThat(warnings(output)).singleElement()
				.asString()
				.contains("3 jobs wait in queue q, which no process serves");
			liveness.beat("q", "p.1", true, ProcessState.RUNNING, "").join();
			watch.look();
			liveness.leave("q", "p.1");
			watch.look();
			assertThat(warnings(output)).hasSize(2);
		}
	}

	@Test
	void lookWhenOnlyRetriesWaitWhereNobodyServesSaysSo(CapturedOutput output) {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "slow");
		this.redis.template().opsForZSet().add(this.redis.key("slow", "retries"), "0123456789ab000000000000", 1);
		watch(Set.of("here")).look();
		assertThat(warnings(output)).singleElement().asString().contains("1 job waits in queue slow");
	}

	@Test
	void lookWhenJobsWaitInShardsNamesTheQueueOnce(CapturedOutput output) {
		try (WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "here").jobs(new Runs()).build()) {
			for (int shard = 0; shard < 3; shard++) {
				String name = "orders#" + shard;
				this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", name);
				producer.enqueueRaw(name, "0123456789ab00000000000" + shard, "{}");
			}
			UnservedQueues watch = watch(Set.of("orders#1"));
			watch.look();
			watch.look();
			assertThat(warnings(output)).singleElement()
				.asString()
				.contains("2 jobs wait in shards of queue orders, which no process serves. Start a worker");
		}
	}

	@Test
	void lookWhenQueueIsEmptySaysNothing(CapturedOutput output) {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "q");
		watch(Set.of()).look();
		assertThat(warnings(output)).isEmpty();
	}

	private UnservedQueues watch(Set<String> served) {
		return new UnservedQueues(new QueueMonitor(this.redis.connections(), this.redis.prefix()), served);
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("which no process serves")).toList();
	}

}
