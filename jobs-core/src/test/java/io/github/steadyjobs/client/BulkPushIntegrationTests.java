package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.NumberedCalls;
import io.github.steadyjobs.redis.StoreCalls;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnection;

import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.ordered;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BulkPush} with several chunks.
 */
@RedisTest
class BulkPushIntegrationTests {

	private final ScriptFixture queue;

	private final RedisConnection server;

	@AutoClose
	private final TcpRelay relay;

	private final NumberedCalls calls;

	BulkPushIntegrationTests(TestRedis redis) {
		this.queue = new ScriptFixture(redis);
		this.server = redis.connectionFactory().getConnection();
		this.relay = TcpRelay.to(redis);
		this.calls = new NumberedCalls(
				StoreCalls.ofBulk(this.relay.connections(Duration.ofSeconds(30)), redis.prefix()), BulkPush.SLOTS,
				NumberedCalls::randomName);
	}

	// Between the two chunks, another producer loads the script that the first chunk
	// lacks.
	@Test
	void pushWhenOrderedJobsAreSentAgainKeepsTheirOrder() {
		push(List.of(ordered(8001, "", "[0]")));
		this.server.scriptingCommands().scriptFlush();
		this.relay.delay(Duration.ofMillis(300));
		long before = refused();
		push(jobs(1500, () -> {
			Awaitility.await().until(() -> refused() > before);
			this.queue.gather(ordered(8002, "", "[0]"));
		}));
		assertThat(this.queue.ready()).containsSubsequence(ids(IntStream.range(0, 1500).toArray()));
	}

	private void push(List<NewJob> jobs) {
		Destination shard = new Destination.Shard(this.queue.queue(), 1, 100);
		assertThat(new BulkPush(this.calls, null, null).push(shard, jobs).failure()).isNull();
	}

	/** Return ordered jobs, and run an action when the second chunk is read. */
	private static List<NewJob> jobs(int count, Runnable atSecond) {
		return new AbstractList<>() {

			private boolean begun;

			@Override
			public NewJob get(int index) {
				if (index == 1000 && !this.begun) {
					this.begun = true;
					atSecond.run();
				}
				return ordered(index, "", "[0]");
			}

			@Override
			public int size() {
				return count;
			}

		};
	}

	/** Return how many calls the server has refused because it lacked their script. */
	private long refused() {
		String count = this.server.serverCommands().info("errorstats").getProperty("errorstat_NOSCRIPT", "count=0");
		return Long.parseLong(count.substring("count=".length()));
	}

}
