package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

import io.github.steadyjobs.redis.Beat.ProcessState;
import io.github.steadyjobs.redis.LivenessStore;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.WorkStore;
import io.github.steadyjobs.redis.WorkStore.DeadLimits;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
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

	private final List<Throwable> unexpected = new ArrayList<>();

	UnservedQueuesIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	void lookWhenJobsWaitWhereNobodyServesSaysSoOnceUntilSomebodyDid(CapturedOutput output) {
		LivenessStore liveness = new WorkStore(this.redis.connections(), this.redis.prefix())
			.liveness(new DeadLimits(1, Duration.ofDays(1)));
		try (WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "here").jobs(new Runs()).build()) {
			producer.enqueueAll("q", 0, 3);
			producer.enqueue("here", 3);
			producer.enqueue("elsewhere", 4);
			liveness.beat("elsewhere", "p.1", true, ProcessState.RUNNING).join();
			UnservedQueues watch = watch(this.redis.connections(), Set.of("here"));
			watch.look();
			watch.look();
			assertThat(warnings(output)).singleElement()
				.asString()
				.contains("3 jobs wait in queue q, which no process serves");
			liveness.beat("q", "p.1", true, ProcessState.RUNNING).join();
			watch.look();
			liveness.leave("q", "p.1");
			watch.look();
			assertThat(warnings(output)).hasSize(2);
			assertThat(this.unexpected).isEmpty();
		}
	}

	@Test
	void lookWhenOnlyRetriesWaitWhereNobodyServesSaysSo(CapturedOutput output) {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "slow");
		this.redis.template().opsForZSet().add(this.redis.key("slow", "retries"), "0123456789ab000000000000", 1);
		watch(this.redis.connections(), Set.of("here")).look();
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
			UnservedQueues watch = watch(this.redis.connections(), Set.of("orders#1"));
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
		watch(this.redis.connections(), Set.of()).look();
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	@DisplayName("SK-16: what escapes a look goes to listeners, and Redis that is away does not")
	void lookWhenItFailsTellsAndDoesNotThrow() {
		try (TcpRelay relay = TcpRelay.to(this.redis)) {
			relay.refuse();
			RedisConnections connections = new RedisConnections(relay.connectionFactory(Duration.ofSeconds(1)));
			watch(connections, Set.of()).look();
			connections.close();
		}
		assertThat(this.unexpected).isEmpty();
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "q");
		watch(this.redis.connections(), new Broken()).look();
		assertThat(this.unexpected).singleElement().isInstanceOf(NoClassDefFoundError.class);
	}

	private UnservedQueues watch(RedisConnections connections, Set<String> served) {
		return new UnservedQueues(new QueueMonitor(connections, this.redis.prefix()), served,
				new Vitals(null, null, Runnable::run, this.unexpected::add, Duration.ofMinutes(1)));
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("which no process serves")).toList();
	}

	private static final class Broken extends AbstractSet<String> {

		@Override
		public Iterator<String> iterator() {
			throw new NoClassDefFoundError("of a test");
		}

		@Override
		public int size() {
			return 0;
		}

	}

}
