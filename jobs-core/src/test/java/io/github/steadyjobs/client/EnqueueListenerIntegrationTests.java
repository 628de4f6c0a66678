package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link EnqueueListener}.
 */
@RedisTest
class EnqueueListenerIntegrationTests {

	private static final JobRequest JOB = JobRequest.named("a");

	private static final JobRequest REFUSED = JOB.queue("refusing");

	private static final JobRequest ONCE = JOB.queue("once").idempotent(Idempotence.untilExecuted());

	private final List<String> told = new CopyOnWriteArrayList<>();

	private final MemoryTransactionManager transactionManager = new MemoryTransactionManager();

	private final TransactionTemplate transaction = new TransactionTemplate(this.transactionManager);

	private final TestRedis redis;

	private final JobClient client;

	EnqueueListenerIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.client = client();
	}

	private JobClient client(ClientInterceptor... interceptors) {
		return Clients.client(this.redis, List.of(new Failing(), new Noting()), interceptors);
	}

	@BeforeEach
	void refuse() {
		this.redis.template().opsForHash().put(this.redis.key("refusing", "meta"), "schema", "99");
	}

	@Test
	void toldWhenJobsAreEnqueuedOneByOne() {
		this.client.enqueue(JOB);
		this.client.enqueue(JOB.after(Duration.ofDays(1)));
		EnqueueResult first = this.client.enqueue(ONCE);
		this.client.enqueue(ONCE);
		assertThat(this.told).containsExactly("accepted a in default: Enqueued", "accepted a in default: Scheduled",
				"accepted a in once: Enqueued", "duplicate a in once: of " + first.id());
	}

	@Test
	void toldWhenRequestIsRefusedGetsWhatIsThrown() {
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.client.enqueue(REFUSED));
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.client.enqueue(JobRequest.named("a", new Object())));
		assertThat(this.told).containsExactly("refused a in refusing: JobStoreException",
				"refused a in default: InvalidJobException");
	}

	@Test
	void toldWhenBulkPushHasDuplicatesHearsOfEach() {
		List<EnqueueResult> results = this.client.enqueueAll(List.of(JOB, ONCE, ONCE, ONCE));
		String duplicate = "duplicate a in once: of " + results.get(1).id();
		assertThat(this.told).containsExactly("accepted a in default: Enqueued", "accepted a in once: Enqueued",
				duplicate, duplicate);
	}

	@Test
	void toldWhenBulkPushFailsInPartHearsOfEachAsItEnded() {
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.client.enqueueAll(List.of(JOB, REFUSED, REFUSED, JOB.queue("later"))));
		assertThat(this.told).containsExactly("accepted a in default: Enqueued",
				"refused a in refusing: JobStoreException", "refused a in refusing: JobStoreException",
				"refused a in later: JobStoreException");
	}

	@Test
	void toldWhenBulkPushHasAnInvalidRequestHearsThatNoneIsStored() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.client.enqueueAll(List.of(JOB, ONCE, JobRequest.named("a", new Object()), JOB)));
		assertThat(this.told).containsExactly("refused a in default: InvalidJobException",
				"refused a in default: InvalidJobException", "refused a in once: InvalidJobException");
	}

	@Test
	void toldWhenInterceptorFailsInABulkPushHearsThatNoneIsStored() {
		JobClient client = client((request, chain) -> {
			EnqueueResult result = chain.proceed(request);
			if (request.options().tags().contains("late")) {
				throw new IllegalStateException("late");
			}
			return result;
		});
		assertThatIllegalStateException().isThrownBy(() -> client.enqueueAll(List.of(ONCE, JOB.tags("late"))));
		assertThat(this.told).containsExactly("refused a in once: IllegalStateException",
				"refused a in default: IllegalStateException");
	}

	@Test
	void toldWhenTransactionCommitsHearsOfWhatWasStoredThen() {
		this.transaction.executeWithoutResult((status) -> {
			this.client.enqueueAll(List.of(ONCE, ONCE));
			this.client.enqueue(JOB);
			assertThat(this.told).isEmpty();
		});
		assertThat(this.told).hasSize(3)
			.contains("accepted a in once: Enqueued", "accepted a in default: Enqueued")
			.anyMatch((event) -> event.startsWith("duplicate a in once: of "));
	}

	@Test
	void toldWhenRedisRefusesAfterTheCommit() {
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> this.client.enqueue(REFUSED)));
		assertThat(this.told).containsExactly("refused a in refusing: JobStoreException");
	}

	@Test
	void toldWhenTransactionRollsBackHearsNothing() {
		this.transaction.executeWithoutResult((status) -> {
			this.client.enqueue(JOB);
			status.setRollbackOnly();
		});
		assertThat(this.told).isEmpty();
	}

	@Test
	void toldWhenOutcomeOfTheCommitIsUnknownHearsOfARefusal() {
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.client.enqueue(JOB);
				this.transactionManager.failCommit(new TransactionSystemException("no answer"));
			}));
		assertThat(this.told).containsExactly("refused a in default: JobStoreException");
	}

	@Test
	void toldWhenInterceptorStopsOrFails() {
		JobClient client = client((request, chain) -> {
			if (request.options().tags().contains("stop")) {
				return chain.stop();
			}
			throw new IllegalStateException("no");
		});
		client.enqueueAll(List.of(JOB.tags("stop")));
		assertThatIllegalStateException().isThrownBy(() -> client.enqueue(JOB));
		assertThat(this.told).containsExactly("refused a in default: null",
				"refused a in default: IllegalStateException");
	}

	@Test
	void toldWhenInterceptorFailsBehindAStoredJobHearsOfThatOnly() {
		JobClient client = client((request, chain) -> {
			chain.proceed(request);
			throw new IllegalStateException("late");
		});
		assertThatIllegalStateException().isThrownBy(() -> client.enqueue(JOB));
		assertThat(this.told).containsExactly("accepted a in default: Enqueued");
	}

	@Test
	void toldWhenInterceptorMovesTheJobHearsOfItsQueue() {
		client((request, chain) -> chain.proceed(request.queue("other"))).enqueue(JOB);
		assertThat(this.told).containsExactly("accepted a in other: Enqueued");
	}

	private final class Noting implements EnqueueListener {

		@Override
		public void accepted(Requested job, EnqueueResult result, Overlap overlap) {
			assertThat(job.id()).isEqualTo(result.id());
			assertThat(overlap).isEqualTo(Overlap.NONE);
			note("accepted", job, result.getClass().getSimpleName());
		}

		@Override
		public void duplicate(Requested job, EnqueueResult.Duplicate result) {
			assertThat(job.id()).isNotEqualTo(result.id());
			note("duplicate", job, "of " + result.id());
		}

		@Override
		public void refused(Requested job, @Nullable Throwable reason) {
			note("refused", job, (reason != null) ? reason.getClass().getSimpleName() : "null");
		}

		private void note(String event, Requested job, String what) {
			EnqueueListenerIntegrationTests.this.told
				.add("%s %s in %s: %s".formatted(event, job.name(), job.queue(), what));
		}

	}

	/**
	 * Fails on every event. These failures must not affect the job or the next listener.
	 */
	private static final class Failing implements EnqueueListener {

		@Override
		public void accepted(Requested job, EnqueueResult result, Overlap overlap) {
			throw new NoClassDefFoundError("accepted");
		}

		@Override
		public void duplicate(Requested job, EnqueueResult.Duplicate result) {
			throw new IllegalStateException("duplicate");
		}

		@Override
		public void refused(Requested job, @Nullable Throwable reason) {
			throw new IllegalStateException("refused");
		}

	}

}
