package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.BulkEnqueueException;
import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Enqueued;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.client.JobClientSettings.Outage;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for a {@link JobClient} whose Redis is unavailable or refuses calls.
 */
@RedisTest
@Timeout(10)
@ExtendWith(OutputCaptureExtension.class)
class RedisOutageIntegrationTests {

	private final TestRedis redis;

	@AutoClose
	private final TcpRelay relay;

	private final JobClient client;

	RedisOutageIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.relay = TcpRelay.to(redis);
		this.client = Clients.client(this.relay.connections(Duration.ofSeconds(5)), redis.prefix(),
				JobClientSettings.DEFAULTS);
	}

	@Test
	void enqueueWhenRedisIsAwayFailsAtOnce() {
		this.relay.refuse();
		assertThatExceptionOfType(JobStoreUnavailableException.class)
			.isThrownBy(() -> this.client.enqueue(JobRequest.named("a")))
			.withMessageStartingWith("Redis is not reachable at 127.0.0.1:%d, database 0 (Connection refused)"
				.formatted(this.relay.port()))
			.withMessageContaining("nothing was sent");
		assertThatExceptionOfType(BulkEnqueueException.class)
			.isThrownBy(() -> this.client.enqueueAll(List.of(JobRequest.named("a"), JobRequest.named("b"))))
			.withCauseInstanceOf(JobStoreUnavailableException.class)
			.withMessageContaining("2 of 2 jobs were not stored (2 not sent): Redis is not reachable")
			.satisfies((ex) -> assertThat(ex.results()).containsExactly(null, null))
			.satisfies((ex) -> assertThat(ex.outcomes()).containsOnly(Outcome.NOT_SENT));
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	void enqueueWhenServerNeverAnswersSaysWhichOne() {
		this.relay.swallow();
		assertThatExceptionOfType(JobStoreUnavailableException.class)
			.isThrownBy(() -> this.client.enqueue(JobRequest.named("a")))
			.withMessageContaining("at 127.0.0.1:%d, database 0".formatted(this.relay.port()));
	}

	@Test
	void enqueueWhenPasswordIsMissingOrWrongSaysWhichProperty() {
		try (OwnRedis own = OwnRedis.start()) {
			own.configure("requirepass", "right");
			assertRefused(own.url(), "Redis at 127.0.0.1:%d, database 0 wants a password (NOAUTH".formatted(own.port()),
					"Set 'spring.data.redis.password'");
			assertRefused(own.url().replace("//", "//:wrong@"),
					"Redis at 127.0.0.1:%d, database 0 does not accept the password (WRONGPASS".formatted(own.port()),
					"Correct 'spring.data.redis.password'");
		}
	}

	private static void assertRefused(String url, String... texts) {
		TestRedis refusing = TestRedis.shared(url, "p");
		try (RedisConnections connections = refusing.connections()) {
			JobClient client = Clients.client(connections, "p", JobClientSettings.DEFAULTS);
			// The server closes refused connections, sometimes before Lettuce has read
			// the reason.
			Awaitility.await()
				.untilAsserted(() -> assertThatExceptionOfType(JobStoreUnavailableException.class)
					.isThrownBy(() -> client.enqueue(JobRequest.named("a")))
					.satisfies((ex) -> assertThat(ex).message().contains(texts).doesNotContain("right", "wrong")));
		}
		finally {
			refusing.connectionFactory().destroy();
		}
	}

	@Test
	void enqueueWhenRedisWentAwayStoresOnceItIsBack() {
		this.client.enqueue(JobRequest.named("a"));
		this.relay.refuse();
		// The subtype of the exception depends on how much was sent before the cut was
		// noticed.
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.client.enqueue(JobRequest.named("b")));
		this.relay.pass();
		EnqueueResult result = Awaitility.await()
			.ignoreExceptionsMatching(JobStoreException.class::isInstance)
			.until(() -> this.client.enqueue(JobRequest.named("c")), EnqueueResult::accepted);
		assertThat(this.client.find(result.id())).isPresent();
	}

	@Test
	void enqueueWhenTransactionWaitsSendsNothingBeforeTheCommit() {
		this.relay.refuse();
		new TransactionTemplate(new MemoryTransactionManager()).executeWithoutResult((status) -> {
			this.client.enqueue(JobRequest.named("a"));
			status.setRollbackOnly();
		});
		assertThat(this.relay.accepted()).isZero();
	}

	@Test
	void commitWhenRedisIsAwayAndNothingIsKeptThrowsAndNamesTheJob(CapturedOutput output) {
		JobClient client = Clients.client(this.relay.connections(Duration.ofSeconds(5)), this.redis.prefix(),
				new Outage(Duration.ZERO, 0, DataSize.ofMegabytes(1), false, Duration.ZERO));
		List<String> ids = new ArrayList<>();
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> new TransactionTemplate(new MemoryTransactionManager()).executeWithoutResult((status) -> {
				ids.add(client.enqueue(JobRequest.named("a", "secret")).id());
				this.relay.refuse();
			}))
			.withMessageStartingWith("The transaction HAS committed, so do not repeat it.")
			.withMessageContaining("did not confirm 1 of its jobs: a[" + ids.get(0) + "]")
			.withMessageContaining("nothing was sent")
			.withCauseInstanceOf(JobStoreUnavailableException.class)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.UNREACHABLE));
		assertThat(output).contains("ERROR")
			.contains("The transaction has committed, but Redis did not confirm 1 of its jobs: a[" + ids.get(0) + "]")
			.doesNotContain("secret");
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	void commitWhenAQueueRefusesThrowsAndNamesOnlyItsJob(CapturedOutput output) {
		this.redis.template().opsForHash().put(this.redis.key("bad", "meta"), "schema", "99");
		List<String> ids = new ArrayList<>();
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> new TransactionTemplate(new MemoryTransactionManager()).executeWithoutResult((status) -> {
				ids.add(this.client.enqueue(JobRequest.named("a", "secret").queue("good")).id());
				ids.add(this.client.enqueue(JobRequest.named("b", "secret").queue("bad")).id());
			}))
			.withMessageStartingWith("The transaction HAS committed, so do not repeat it.")
			.satisfies((ex) -> assertThat(ex).message().doesNotContain("secret"))
			.havingCause()
			.asInstanceOf(InstanceOfAssertFactories.type(BulkEnqueueException.class))
			.satisfies((ex) -> assertThat(ex.results()).containsExactly(new Enqueued(ids.get(0)), null));
		assertThat(output).contains("did not confirm 1 of its jobs: b[" + ids.get(1) + "]").doesNotContain(ids.get(0));
	}

}
