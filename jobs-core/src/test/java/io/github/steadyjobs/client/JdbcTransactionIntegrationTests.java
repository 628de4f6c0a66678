package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Deferred;
import io.github.steadyjobs.EnqueueResult.Enqueued;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a {@link JobClient} inside database transactions.
 */
@RedisTest
class JdbcTransactionIntegrationTests {

	private final JdbcDataSource dataSource = new JdbcDataSource();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	private final JdbcTransactionManager transactionManager = new JdbcTransactionManager(this.dataSource);

	private final TransactionTemplate transaction = new TransactionTemplate(this.transactionManager);

	private final TestRedis redis;

	@AutoClose
	private final TcpRelay relay;

	private final JobClient client;

	JdbcTransactionIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.relay = TcpRelay.to(redis);
		this.client = Clients.client(this.relay.connections(Duration.ofSeconds(5)), redis.prefix(),
				JobClientSettings.DEFAULTS);
		this.dataSource.setURL("jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1");
	}

	@BeforeEach
	void createTable() {
		this.transactionManager.addListener(JobClientFactory.transactionListener());
		this.jdbc.execute("create table orders (id int)");
	}

	@AfterEach
	void dropTable() {
		this.jdbc.execute("drop all objects");
	}

	@Test
	void enqueueWhenTransactionCommitsStoresAfterIt() {
		this.transaction.executeWithoutResult((status) -> {
			insert();
			assertThat(this.client.enqueue(JobRequest.named("a"))).isInstanceOf(Deferred.class);
			assertThat(ready()).isZero();
		});
		assertThat(ready()).isOne();
	}

	@Test
	void enqueueWhenTransactionRollsBackStoresNothing() {
		this.transaction.executeWithoutResult((status) -> {
			insert();
			this.client.enqueue(JobRequest.named("a"));
			status.setRollbackOnly();
		});
		assertThat(rows()).isZero();
		assertThat(ready()).isZero();
	}

	@Test
	void enqueueWhenCalledAfterTheCommitStoresAtOnce() {
		AtomicReference<EnqueueResult> result = new AtomicReference<>();
		this.transaction.executeWithoutResult((status) -> {
			insert();
			afterCommit(() -> {
				result.set(this.client.enqueue(JobRequest.named("a")));
				assertThat(ready()).isOne();
			});
		});
		assertThat(result.get()).isInstanceOf(Enqueued.class);
		assertThat(ready()).isOne();
	}

	@Test
	void enqueueWhenCalledAfterTheCommitWithoutRedisThrows() {
		AtomicReference<Throwable> thrown = new AtomicReference<>();
		this.relay.refuse();
		this.transaction.executeWithoutResult((status) -> {
			insert();
			afterCommit(() -> {
				try {
					this.client.enqueue(JobRequest.named("a"));
				}
				catch (JobStoreException ex) {
					thrown.set(ex);
				}
			});
		});
		assertThat(thrown.get()).isInstanceOf(JobStoreUnavailableException.class);
		assertThat(rows()).isOne();
	}

	@Test
	void commitWithoutRedisStoresOnceItIsBack() {
		this.relay.refuse();
		this.transaction.executeWithoutResult((status) -> {
			insert();
			this.client.enqueue(JobRequest.named("a"));
		});
		assertThat(rows()).isOne();
		assertThat(ready()).isZero();
		this.relay.pass();
		Awaitility.await().until(() -> this.client.waiting() == 0);
		assertThat(ready()).isOne();
	}

	private void insert() {
		this.jdbc.update("insert into orders values (1)");
	}

	private int rows() {
		return this.jdbc.queryForObject("select count(*) from orders", Integer.class);
	}

	private Long ready() {
		return this.redis.template().opsForList().size(this.redis.key("default", "ready"));
	}

	private static void afterCommit(Runnable callback) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				callback.run();
			}

		});
	}

}
