package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a {@link JobClient} whose thread is interrupted.
 */
@RedisTest
@Timeout(60)
class InterruptIntegrationTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final MemoryTransactionManager transactionManager = new MemoryTransactionManager();

	private final TransactionTemplate transaction = new TransactionTemplate(this.transactionManager);

	private final TestRedis redis;

	@AutoClose
	private final TcpRelay relay;

	private final JobClient client;

	InterruptIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.relay = TcpRelay.to(redis);
		this.client = Clients.client(this.relay.connections(TIMEOUT), redis.prefix(), JobClientSettings.DEFAULTS);
	}

	@Test
	void commitWhenThreadIsInterruptedStoresItsJobs() {
		Caller caller = new Caller(() -> this.transaction.executeWithoutResult((status) -> {
			this.client.enqueue(JobRequest.named("a"));
			Thread.currentThread().interrupt();
		}));
		assertThat(caller.failure()).isNull();
		assertThat(caller.endedInterrupted).isTrue();
		assertThat(ready()).hasSize(1);
	}

	@Test
	void commitWhenThreadIsInterruptedStoresManyJobs() {
		Caller caller = new Caller(() -> this.transaction.executeWithoutResult((status) -> {
			this.client.enqueueAll(List.of(JobRequest.named("a"), JobRequest.named("b")));
			Thread.currentThread().interrupt();
		}));
		assertThat(caller.failure()).isNull();
		assertThat(caller.endedInterrupted).isTrue();
		assertThat(ready()).hasSize(2);
	}

	@Test
	void commitWhenInterruptedWhileItWaitsForTheAnswerStoresItsJobs() {
		this.client.enqueue(JobRequest.named("first"));
		this.relay.swallow();
		Caller caller = new Caller(
				() -> this.transaction.executeWithoutResult((status) -> this.client.enqueue(JobRequest.named("a"))));
		Awaitility.await().until(() -> this.relay.swallowed() > 0);
		caller.interrupt();
		this.relay.pass();
		this.relay.cut();
		assertThat(caller.failure()).isNull();
		assertThat(caller.endedInterrupted).isTrue();
		assertThat(ready()).hasSize(2);
	}

	@Test
	void enqueueWhenThreadIsInterruptedAfterTheCommitStores() {
		this.transactionManager.addListener(JobClientFactory.transactionListener());
		Caller caller = new Caller(() -> this.transaction.executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						Thread.currentThread().interrupt();
						JobClient client = InterruptIntegrationTests.this.client;
						client.enqueue(JobRequest.named("a"));
						client.enqueueAll(List.of(JobRequest.named("b"), JobRequest.named("c")));
					}

				})));
		assertThat(caller.failure()).isNull();
		assertThat(caller.endedInterrupted).isTrue();
		assertThat(ready()).hasSize(3);
	}

	@Test
	void enqueueWhenInterruptedWhileItWaitsForTheAnswerSaysSo() {
		this.client.enqueue(JobRequest.named("first"));
		this.relay.swallow();
		Caller caller = new Caller(() -> this.client.enqueue(JobRequest.named("a")));
		Awaitility.await().until(() -> this.relay.swallowed() > 0);
		caller.interrupt();
		assertThat(caller.failure()).isInstanceOf(JobStoreTimeoutException.class)
			.hasMessageContaining("interrupted")
			.hasMessageContaining("may have been carried out");
		assertThat(caller.endedInterrupted).isTrue();
	}

	@Test
	void enqueueWhenThreadIsInterruptedAndConnectionIsOpenSends() {
		EnqueueResult first = this.client.enqueue(JobRequest.named("first"));
		Caller caller = new Caller(() -> {
			Thread.currentThread().interrupt();
			this.client.enqueue(JobRequest.named("a"));
		});
		// The answer may have arrived before the thread had to wait for it.
		if (caller.failure() != null) {
			assertThat(caller.failure()).isInstanceOf(JobStoreTimeoutException.class)
				.hasMessageContaining("interrupted");
		}
		Awaitility.await().untilAsserted(() -> assertThat(ready()).hasSize(2).endsWith(first.id()));
	}

	private List<String> ready() {
		return this.redis.template().opsForList().range(this.redis.key("default", "ready"), 0, -1);
	}

	/**
	 * A thread of an application.
	 */
	private static final class Caller {

		private final AtomicReference<Throwable> failure = new AtomicReference<>();

		private final Thread thread;

		private volatile boolean endedInterrupted;

		Caller(Runnable call) {
			this.thread = new Thread(() -> {
				try {
					call.run();
				}
				catch (Throwable ex) {
					this.failure.set(ex);
				}
				this.endedInterrupted = Thread.currentThread().isInterrupted();
			});
			this.thread.start();
		}

		void interrupt() {
			this.thread.interrupt();
		}

		/**
		 * Wait until the call has ended.
		 */
		Throwable failure() {
			Awaitility.await().atMost(TIMEOUT.multipliedBy(2)).until(() -> !this.thread.isAlive());
			return this.failure.get();
		}

	}

}
