package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.ClusterRedis;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.RedisUser;
import io.github.steadyjobs.support.Repository;
import io.github.steadyjobs.support.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.WorkerFixture.await;
import static io.github.steadyjobs.server.WorkerFixture.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that the users described in {@code docs/redis.md} have all permissions that jobs
 * need.
 */
class LeastPrivilegeIntegrationTests {

	private final OwnRedis redis = OwnRedis.start();

	@AfterEach
	void close() {
		this.redis.close();
	}

	@Test
	void workWhenUserHasTheRuleOfTheDocumentIsNeverDenied() throws Exception {
		CountDownLatch both = new CountDownLatch(2);
		try (RedisUser user = RedisUser.create(this.redis, "jobs");
				RedisConnections connections = new RedisConnections(user.connectionFactory())) {
			QueueMonitor monitor = new QueueMonitor(connections, this.redis.redis().prefix());
			try (WorkerFixture fixture = fixture(connections, both)) {
				String cancelled = fixture.client().enqueue(request("a", 1).after(Duration.ofDays(1))).id();
				assertThat(fixture.client().find(cancelled)).isPresent();
				assertThat(fixture.client().cancel(cancelled)).isTrue();
				fixture.client().enqueue(JobRequest.named("unknown").queue("a"));
				fixture.client().enqueue(request("a", 2).after(Duration.ofMillis(1)));
				fixture.client().enqueueAll(IntStream.range(3, 50).mapToObj((number) -> request("a", number)).toList());
				fixture.client().enqueue(JobRequest.named(TestJobs.NAME, -1).queue("b").retries(0));
				fixture.start();
				assertThat(both.await(30, TimeUnit.SECONDS)).isTrue();
				await().untilAsserted(
						() -> assertThat(monitor.sample(List.of("a", "b")).values()).satisfiesExactly((a) -> {
							assertThat(a.ready() + a.working() + a.retries() + a.scheduled()).isZero();
							assertThat(a.parked()).isOne();
						}, (b) -> assertThat(b.dead()).isOne()));
				// Once no wake token is left, the capsule is waiting for jobs. Heartbeats
				// have been sent too.
				await().untilAsserted(() -> assertThat(this.redis.redis().contents("a")).doesNotContainKey("wake"));
				assertThat(monitor.unserved(Set.of())).isEmpty();
				assertThat(monitor.serverVersion().isKnown()).isTrue();
				fixture.enqueue("a", 50);
				await().until(() -> monitor.sample(List.of("a")).get("a").working() == 0);
			}
			assertThat(user.denials()).isEmpty();
		}
	}

	@Test
	void enqueueWhenProducerHasTheRuleOfTheDocumentIsNeverDenied() {
		try (RedisUser user = RedisUser.create(this.redis, "shop");
				RedisConnections connections = new RedisConnections(user.connectionFactory());
				WorkerFixture fixture = fixture(connections, new CountDownLatch(2))) {
			String id = fixture.enqueue("a", 1);
			String cancelled = fixture.client().enqueue(request("b", 2).after(Duration.ofDays(1))).id();
			fixture.client().enqueueAll(List.of(request("a", 3), request("a", 4)));
			fixture.client().enqueue(request("a", 5).durability(Durability.REPLICATED));
			assertThat(fixture.client().find(id)).isPresent();
			assertThat(fixture.client().cancel(cancelled)).isTrue();
			QueueMonitor monitor = new QueueMonitor(connections, this.redis.redis().prefix());
			assertThat(monitor.sample(monitor.queues())).hasSize(2);
			assertThat(monitor.serverVersion().isKnown()).isTrue();
			assertThat(user.denials()).isEmpty();
		}
	}

	@Test
	void connectWhenDatabaseIsNotTheFirstNeedsOneMorePermission() {
		assertThat(Repository.read("docs/redis.md")).contains("- **Database.**", "add `+select`");
		try (RedisUser user = RedisUser.create(this.redis, "shop");
				RedisClient client = RedisClient.create(user.url() + "/1")) {
			assertThatExceptionOfType(RedisConnectionException.class).isThrownBy(client::connect)
				.withStackTraceContaining("'select'");
			user.change("+select");
			assertThat(client.connect().isOpen()).isTrue();
		}
	}

	@Test
	void enqueueWhenPermissionIsMissingSaysWhichRuleIsNeeded() {
		try (RedisUser user = RedisUser.create(this.redis, "jobs");
				RedisConnections connections = new RedisConnections(user.connectionFactory());
				WorkerFixture fixture = fixture(connections, new CountDownLatch(2))) {
			user.change("-lpush");
			assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> fixture.enqueue("a", 1))
				.withMessageStartingWith("The user of Redis lacks a permission")
				.withMessageContaining("ACL SETUSER <user> ~<steadyjobs.prefix>:* +blpop +del ");
		}
	}

	@Test
	void workWhenInClusterIsNeverDenied() throws Exception {
		CountDownLatch done = new CountDownLatch(1);
		try (ClusterRedis cluster = ClusterRedis.start();
				TestRedis view = new TestRedis(cluster.connectionFactory(), cluster.node());
				RedisUser user = RedisUser.create(cluster, view, "jobs");
				RedisConnections connections = new RedisConnections(user.connectionFactory());
				WorkerFixture fixture = WorkerFixture.on(view)
					.connections(connections)
					.capsule(2, "a", "b")
					.jobs((number, job) -> done.countDown())
					.start()) {
			fixture.enqueue("b", 1);
			assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
			fixture.awaitEmpty("a", "b");
			assertThat(user.denials()).isEmpty();
		}
	}

	private WorkerFixture fixture(RedisConnections connections, CountDownLatch both) {
		return WorkerFixture.on(this.redis.redis())
			.connections(connections)
			.capsule(2, "a", "b")
			.jobs((number, job) -> {
				both.countDown();
				if (number < 0 || (number == 2 && job.attempt() == 1)) {
					throw new IllegalStateException("to be retried, or dead");
				}
			})
			.build();
	}

}
