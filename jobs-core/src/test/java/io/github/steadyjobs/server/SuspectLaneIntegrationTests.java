package io.github.steadyjobs.server;

import java.time.Duration;

import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.LivenessStore;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.WorkStore;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SuspectLane}.
 */
@RedisTest
class SuspectLaneIntegrationTests {

	private final TestRedis redis;

	private final TcpRelay relay;

	private final RedisConnections connections;

	private final WorkerEvents events = new WorkerEvents((event) -> {
	});

	private final Memberships memberships;

	private final SuspectLane lane;

	SuspectLaneIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.relay = TcpRelay.to(redis);
		this.connections = new RedisConnections(this.relay.connectionFactory(Duration.ofSeconds(1)));
		LivenessStore store = new WorkStore(this.connections, redis.prefix())
			.liveness(new DeadLimits(10, Duration.ofDays(1)));
		this.memberships = new Memberships(store, "p", new DataWatch(this.events), this.events);
		this.lane = new SuspectLane(this.memberships);
		this.memberships.nameIn("q");
		this.memberships.nameIn("other");
	}

	@AfterEach
	void close() {
		this.events.close();
		this.connections.close();
		this.relay.close();
		this.redis.clear();
	}

	@Test
	void enterTellsAllQueuesBeforeItReturns() {
		assertThat(this.lane.enter()).isTrue();
		assertThat(this.lane.isFree()).isFalse();
		assertThat(state("q")).isEqualTo("suspect");
		assertThat(state("other")).isEqualTo("suspect");
	}

	@Test
	void enterWhenTakenIsRefused() {
		this.lane.enter();
		assertThat(this.lane.enter()).isFalse();
	}

	@Test
	void leaveTellsTheQueuesWithTheNextHeartbeat() {
		this.lane.enter();
		this.lane.leave();
		assertThat(this.lane.isFree()).isTrue();
		this.memberships.beat().forEach((sign) -> Waits.on(sign.answer()));
		assertThat(state("q")).isNull();
		assertThat(this.lane.enter()).isTrue();
	}

	@Test
	void enterWhenAQueueMayNotHaveHeardOfItIsRefusedAndLeavesTheLaneFree() {
		this.relay.refuse();
		assertThat(this.lane.enter()).isFalse();
		assertThat(this.lane.isFree()).isTrue();
		this.relay.pass();
		WorkerFixture.await().until(this.lane::enter);
		assertThat(state("other")).isEqualTo("suspect");
	}

	private Object state(String queue) {
		return this.redis.template().opsForHash().get(this.redis.key(queue, "claims"), "p.1/");
	}

}
