package io.github.steadyjobs.client;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link EnqueueCounter}.
 */
@RedisTest
class EnqueueCounterIntegrationTests {

	private static final JobRequest JOB = JobRequest.named("a");

	private static final JobRequest REFUSED = JOB.queue("refusing");

	private static final JobRequest ONCE = JOB.queue("once").idempotent(Idempotence.untilExecuted());

	private final Map<String, Integer> counts = new ConcurrentHashMap<>();

	private final MemoryTransactionManager transactionManager = new MemoryTransactionManager();

	private final TransactionTemplate transaction = new TransactionTemplate(this.transactionManager);

	private final TestRedis redis;

	private final JobClient client;

	EnqueueCounterIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.client = Clients.client(redis, this::count);
		redis.template().opsForHash().put(redis.key("refusing", "meta"), "schema", "99");
	}

	private void count(String job, String queue, String result) {
		this.counts.merge(job + " " + queue + " " + result, 1, Integer::sum);
	}

	@AfterEach
	void clear() {
		this.redis.clear();
	}

	@Test
	void countWhenJobsAreEnqueuedOneByOne() {
		this.client.enqueue(JOB);
		this.client.enqueue(ONCE);
		this.client.enqueue(ONCE);
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.client.enqueue(REFUSED));
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.client.enqueue(JobRequest.named("a", new Object())));
		assertThat(this.counts).isEqualTo(Map.of("a default enqueued", 1, "a once enqueued", 1, "a once duplicate", 1,
				"a refusing failed", 1, "a default failed", 1));
	}

	@Test
	void countWhenBulkPushFailsInPartCountsEachAsItEnded() {
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.client.enqueueAll(List.of(JOB, ONCE, ONCE, REFUSED, REFUSED, JOB.queue("later"))));
		assertThat(this.counts).isEqualTo(Map.of("a default enqueued", 1, "a once enqueued", 1, "a once duplicate", 1,
				"a refusing failed", 2, "a later failed", 1));
	}

	@Test
	void countWhenTransactionCommitsCountsWhatWasStoredThen() {
		this.transaction.executeWithoutResult((status) -> {
			this.client.enqueueAll(List.of(ONCE, ONCE));
			this.client.enqueue(JOB);
			assertThat(this.counts).isEmpty();
		});
		assertThat(this.counts).isEqualTo(Map.of("a once enqueued", 1, "a once duplicate", 1, "a default enqueued", 1));
	}

	@Test
	void countWhenRedisRefusesAfterTheCommitCountsAFailure() {
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> this.client.enqueue(REFUSED)));
		assertThat(this.counts).isEqualTo(Map.of("a refusing failed", 1));
	}

	@Test
	void countWhenTransactionRollsBackCountsNothing() {
		this.transaction.executeWithoutResult((status) -> {
			this.client.enqueue(JOB);
			status.setRollbackOnly();
		});
		assertThat(this.counts).isEmpty();
	}

	@Test
	void countWhenOutcomeOfTheCommitIsUnknownCountsAFailure() {
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.client.enqueue(JOB);
				this.transactionManager.failCommit(new TransactionSystemException("no answer"));
			}));
		assertThat(this.counts).isEqualTo(Map.of("a default failed", 1));
	}

	@Test
	void countWhenInterceptorStopsOrFailsCountsThat() {
		JobClient client = Clients.client(this.redis, this::count, (request, chain) -> {
			if (request.options().tags().contains("stop")) {
				return chain.stop();
			}
			throw new IllegalStateException("no");
		});
		client.enqueueAll(List.of(JOB.tags("stop")));
		assertThatIllegalStateException().isThrownBy(() -> client.enqueue(JOB));
		assertThat(this.counts).isEqualTo(Map.of("a default stopped", 1, "a default failed", 1));
	}

	@Test
	void countWhenItFailsChangesNothing() {
		JobClient client = Clients.client(this.redis, (EnqueueCounter) (job, queue, result) -> {
			throw new IllegalStateException("broken");
		});
		assertThat(client.enqueue(JOB).accepted()).isTrue();
	}

}
