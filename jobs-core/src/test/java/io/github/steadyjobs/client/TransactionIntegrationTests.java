package io.github.steadyjobs.client;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Deferred;
import io.github.steadyjobs.EnqueueResult.Enqueued;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.client.MailJobs.Welcome;
import io.github.steadyjobs.support.MutableClock;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for a {@link JobClient} inside transactions.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class TransactionIntegrationTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private final MemoryTransactionManager transactionManager = new MemoryTransactionManager();

	private final TransactionTemplate transaction = new TransactionTemplate(this.transactionManager);

	private final TransactionTemplate newTransaction = template(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

	private final TransactionTemplate nested = template(TransactionDefinition.PROPAGATION_NESTED);

	private final MutableClock clock = new MutableClock(NOW);

	private final TestRedis redis;

	private final JobClient client;

	TransactionIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.client = Clients.client(redis, this.clock);
	}

	@Test
	void enqueueWhenTransactionCommitsStoresAfterIt() {
		EnqueueResult result = this.transaction.execute((status) -> {
			EnqueueResult deferred = this.client.enqueue(new Welcome("ann", 1));
			assertThat(this.redis.contents()).isEmpty();
			return deferred;
		});
		assertThat(result).isEqualTo(new Deferred(result.id()));
		assertThat(names("mail")).containsExactly("mail.welcome");
		assertThat(this.client.find(result.id())).isPresent();
	}

	@Test
	void enqueueWhenTransactionRollsBackStoresNothing() {
		this.transaction.executeWithoutResult((status) -> {
			this.client.enqueue(new Welcome("ann", 1));
			this.client.enqueueAll(List.of(JobRequest.named("a"), JobRequest.named("b")));
			status.setRollbackOnly();
		});
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	void enqueueWhenTransactionCommitsKeepsTheOrder() {
		this.transaction.executeWithoutResult((status) -> {
			enqueue("a");
			this.client.enqueueAll(List.of(JobRequest.named("b"), JobRequest.named("x").queue("other")));
			enqueue("c");
		});
		assertThat(names("default")).containsExactly("a", "b", "c");
		assertThat(names("other")).containsExactly("x");
	}

	@Test
	void enqueueWhenRequestDoesNotWaitStoresAtOnce() {
		this.transaction.executeWithoutResult((status) -> {
			EnqueueResult result = this.client.enqueue(JobRequest.named("a").beforeCommit());
			assertThat(result).isEqualTo(new Enqueued(result.id()));
			List<EnqueueResult> results = this.client
				.enqueueAll(List.of(JobRequest.named("b"), JobRequest.named("c").beforeCommit()));
			assertThat(results).extracting(Object::getClass).containsExactly(Deferred.class, Enqueued.class);
			assertThat(names("default")).containsExactly("a", "c");
			status.setRollbackOnly();
		});
		assertThat(names("default")).containsExactly("a", "c");
	}

	@Test
	void enqueueWhenRequestIsInvalidThrowsInTheTransaction() {
		this.transaction.executeWithoutResult((status) -> {
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> this.client.enqueue(JobRequest.named("a", new Object())));
			assertThatExceptionOfType(InvalidJobException.class).isThrownBy(
					() -> this.client.enqueueAll(List.of(JobRequest.named("b"), JobRequest.named("c", new Object()))));
		});
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	void enqueueWhenInterceptedInTransactionShowsDeferred() {
		List<EnqueueResult> seen = new ArrayList<>();
		JobClient client = Clients.client(this.redis, (request, chain) -> {
			EnqueueResult result = chain.proceed(request);
			seen.add(result);
			return result;
		});
		EnqueueResult result = this.transaction.execute((status) -> client.enqueue(JobRequest.named("a")));
		assertThat(seen).containsExactly(new Deferred(result.id()));
	}

	@Test
	void enqueueWhenInterceptorHasItsOwnTransactionStoresAfterThat() {
		JobClient client = Clients.client(this.redis,
				(request, chain) -> this.transaction.execute((status) -> chain.proceed(request)));
		client.enqueue(JobRequest.named("a"));
		client.enqueueAll(List.of(JobRequest.named("b")));
		assertThat(names("default")).containsExactly("a", "b");
	}

	@Test
	void enqueueWhenTransactionsAreNestedFollowsItsOwn() {
		this.transaction.executeWithoutResult((outer) -> {
			enqueue("outer");
			this.newTransaction.executeWithoutResult((inner) -> enqueue("committed"));
			assertThat(names("default")).containsExactly("committed");
			this.newTransaction.executeWithoutResult((inner) -> {
				enqueue("dropped");
				inner.setRollbackOnly();
			});
			enqueue("outer2");
		});
		assertThat(names("default")).containsExactly("committed", "outer", "outer2");
	}

	@Test
	void enqueueWhenOnlyTheOuterTransactionRollsBackKeepsTheInner() {
		this.transaction.executeWithoutResult((outer) -> {
			enqueue("outer");
			this.newTransaction.executeWithoutResult((inner) -> enqueue("inner"));
			outer.setRollbackOnly();
		});
		assertThat(names("default")).containsExactly("inner");
	}

	@Test
	void enqueueWhenSavepointIsRolledBackToDropsWhatCameAfterIt() {
		this.transaction.executeWithoutResult((outer) -> {
			rollBackNested("first");
			enqueue("a");
			rollBackNested("second");
			this.nested.executeWithoutResult((inner) -> enqueue("b"));
			rollBackNested("third");
		});
		assertThat(names("default")).containsExactly("a", "b");
	}

	@Test
	void enqueueWhenCalledAfterTheCommitStoresAtOnce() {
		this.transactionManager.addListener(JobClientFactory.transactionListener());
		this.transaction.executeWithoutResult((status) -> afterCommit(() -> {
			assertThat(this.client.enqueue(JobRequest.named("a"))).isInstanceOf(Enqueued.class);
			assertThat(this.client.enqueueAll(List.of(JobRequest.named("b"), JobRequest.named("c"))))
				.hasOnlyElementsOfType(Enqueued.class);
			assertThat(names("default")).containsExactly("a", "b", "c");
		}));
		assertThat(names("default")).containsExactly("a", "b", "c");
	}

	@Test
	void enqueueWhenCalledAfterTheCommitThrowsWhatPreventsIt() {
		this.transactionManager.addListener(JobClientFactory.transactionListener());
		this.redis.template().opsForHash().put(this.redis.key("default", "meta"), "schema", "99");
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> afterCommit(() -> enqueue("a"))))
			.withMessageContaining("A newer version");
	}

	@Test
	void enqueueWhenCalledAfterTheCommitOfAnUnwatchedTransactionIsNotLost() {
		this.transaction.executeWithoutResult((status) -> afterCommit(() -> enqueue("listener")));
		assertThat(names("default")).containsExactly("listener");
	}

	@Test
	void enqueueWhenCalledAfterTheCompletionStoresAtOnce() {
		this.transaction.executeWithoutResult((status) -> {
			enqueue("a");
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int status) {
					assertThat(TransactionIntegrationTests.this.client.enqueue(JobRequest.named("b")))
						.isInstanceOf(Enqueued.class);
				}

			});
		});
		assertThat(names("default")).containsExactly("a", "b");
	}

	@Test
	void enqueueWhenCalledBeforeOursAreStoredKnowsOfTheCommit() {
		this.transaction.executeWithoutResult((status) -> {
			afterCommit(() -> assertThat(this.client.enqueue(JobRequest.named("b"))).isInstanceOf(Enqueued.class));
			enqueue("a");
		});
		assertThat(names("default")).containsExactly("b", "a");
	}

	@Test
	void enqueueWhenCallbackAfterTheCommitHasItsOwnTransactionFollowsThat() {
		this.transactionManager.addListener(JobClientFactory.transactionListener());
		this.transaction.executeWithoutResult((outer) -> {
			enqueue("a");
			afterCommit(() -> {
				this.newTransaction.executeWithoutResult((inner) -> {
					enqueue("dropped");
					inner.setRollbackOnly();
				});
				this.newTransaction.executeWithoutResult((inner) -> enqueue("committed"));
				assertThat(this.client.enqueue(JobRequest.named("b"))).isInstanceOf(Enqueued.class);
			});
		});
		assertThat(names("default")).containsExactly("a", "committed", "b");
	}

	@Test
	void enqueueWhenCommitFailsIsNotTakenForCommitted() {
		this.transactionManager.addListener(JobClientFactory.transactionListener());
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				afterCommit(() -> enqueue("never"));
				this.transactionManager.failCommit(new TransactionSystemException("no answer"));
			}));
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	void enqueueWhenCalledAfterOursWereStoredStoresAtOnce() {
		this.transaction.executeWithoutResult((status) -> {
			enqueue("a");
			afterCommit(() -> {
				assertThat(this.client.enqueue(JobRequest.named("b"))).isInstanceOf(Enqueued.class);
				assertThat(names("default")).containsExactly("a", "b");
			});
		});
		assertThat(names("default")).containsExactly("a", "b");
	}

	@Test
	void enqueueWhenAnotherCallbackThrowsIsNotLost() {
		assertThatIllegalStateException().isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
			afterCommit(() -> {
				throw new IllegalStateException("not ours");
			});
			enqueue("a");
		})).withMessage("not ours");
		assertThat(names("default")).containsExactly("a");
	}

	@Test
	void enqueueWhenThereIsNoActualTransactionStoresAtOnce() {
		template(TransactionDefinition.PROPAGATION_SUPPORTS).executeWithoutResult((status) -> {
			assertThat(this.client.enqueue(JobRequest.named("a"))).isInstanceOf(Enqueued.class);
			assertThat(names("default")).containsExactly("a");
		});
	}

	@Test
	void enqueueWhenDelayedCountsFromTheCall() {
		this.transaction.executeWithoutResult((status) -> {
			this.client.enqueue(JobRequest.named("later").after(Duration.ofHours(1)));
			this.client.enqueue(JobRequest.named("due").at(NOW.plusSeconds(1200)));
			this.clock.advance(Duration.ofMinutes(20));
		});
		assertThat(names("default")).containsExactly("due");
		Double due = this.redis.template()
			.opsForZSet()
			.rangeWithScores(this.redis.key("default", "scheduled"), 0, 0)
			.iterator()
			.next()
			.getScore();
		assertThat(Duration.ofMillis(due.longValue() - System.currentTimeMillis())).isBetween(Duration.ofMinutes(39),
				Duration.ofMinutes(40));
	}

	@Test
	void enqueueWhenJobExpiresCountsFromTheCall() {
		List<String> ids = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			ids.add(this.client.enqueue(JobRequest.named("a").expires(Duration.ofHours(1))).id());
			this.clock.advance(Duration.ofMinutes(20));
		});
		Instant expiry = this.client.find(ids.get(0)).orElseThrow().limits().expiresAt();
		assertThat(Duration.between(Instant.now(), expiry)).isBetween(Duration.ofMinutes(39), Duration.ofMinutes(40));
	}

	@Test
	void commitWhenItsOutcomeIsUnknownStoresNothingAndSaysSo(CapturedOutput output) {
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				enqueue("a");
				this.transactionManager.failCommit(new TransactionSystemException("no answer"));
			}));
		assertThat(this.redis.contents()).isEmpty();
		assertThat(output).contains("These jobs were not stored: a[");
	}

	private void enqueue(String name) {
		assertThat(this.client.enqueue(JobRequest.named(name)).accepted()).isTrue();
	}

	private void rollBackNested(String name) {
		this.nested.executeWithoutResult((inner) -> {
			enqueue(name);
			inner.setRollbackOnly();
		});
	}

	private static void afterCommit(Runnable callback) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				callback.run();
			}

		});
	}

	private TransactionTemplate template(int propagation) {
		TransactionTemplate template = new TransactionTemplate(this.transactionManager);
		template.setPropagationBehavior(propagation);
		return template;
	}

	/**
	 * Return the names of the ready jobs, the oldest first.
	 */
	private List<String> names(String queue) {
		List<String> ids = new ArrayList<>(
				this.redis.template().opsForList().range(this.redis.key(queue, "ready"), 0, -1));
		Collections.reverse(ids);
		return ids.stream().map(this.client::find).map((job) -> job.map(JobPayload::name).orElse("?")).toList();
	}

}
