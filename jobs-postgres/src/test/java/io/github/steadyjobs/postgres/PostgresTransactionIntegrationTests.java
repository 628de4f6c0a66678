package io.github.steadyjobs.postgres;

import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PostgresConsistencySource} in Spring transactions.
 */
@PostgresTest
class PostgresTransactionIntegrationTests {

	private final ReplicatedPostgres servers;

	private final CountedDataSource primary;

	private final PostgresConsistencySource source;

	PostgresTransactionIntegrationTests(ReplicatedPostgres servers) {
		this.servers = servers;
		this.primary = new CountedDataSource(servers.primary().dataSource());
		this.source = PostgresConsistencySource.of("orders", this.primary, servers.replica(1).dataSource());
	}

	@BeforeEach
	void createTable() {
		this.servers.primary().execute("CREATE TABLE IF NOT EXISTS orders (number int)");
		this.servers.primary().execute("TRUNCATE orders");
		this.servers.heal();
	}

	@AfterEach
	void end() {
		this.source.end();
	}

	@ParameterizedTest
	@EnumSource
	void positionWhenInTransactionNeedsNoSecondConnection(Kind kind) throws Exception {
		DataSource dataSource = kind.of(this.primary, this.source);
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		// The lazy data source opens one connection to read its defaults.
		orders(jdbc);
		int before = this.primary.asked();
		List<String> positions = new ArrayList<>();
		new TransactionTemplate(new DataSourceTransactionManager(dataSource)).executeWithoutResult((status) -> {
			jdbc.update("INSERT INTO orders VALUES (1)");
			positions.add(this.source.position());
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					positions.add(PostgresTransactionIntegrationTests.this.source.position());
				}

			});
		});
		assertThat(this.primary.asked()).isEqualTo(before + 1);
		assertThat(positions).hasSize(2).isSorted().doesNotHaveDuplicates();
		assertThat(this.source.begin(positions.get(1))).isTrue();
		assertThat(orders(new JdbcTemplate(this.source.dataSource()))).isOne();
	}

	@Test
	void positionWhenTransactionHasFailedAsksOnAnotherConnection() {
		JdbcTemplate jdbc = new JdbcTemplate(this.primary);
		new TransactionTemplate(new DataSourceTransactionManager(this.primary)).executeWithoutResult((status) -> {
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> jdbc.execute("nonsense"));
			assertThat(this.source.position()).startsWith("0000000");
			status.setRollbackOnly();
		});
		assertThat(this.primary.asked()).isEqualTo(2);
	}

	@Test
	void positionWhenTransactionIsOnAReplicaAsksThePrimary() throws Exception {
		assertThat(this.source.begin(this.source.position())).isTrue();
		JdbcTemplate jdbc = new JdbcTemplate(this.source.dataSource());
		int before = this.primary.asked();
		new TransactionTemplate(new DataSourceTransactionManager(this.source.dataSource()))
			.executeWithoutResult((status) -> {
				assertThat(isReplica(jdbc)).isTrue();
				assertThat(this.source.position()).startsWith("0000000");
				// The transaction continues.
				assertThat(orders(jdbc)).isZero();
			});
		assertThat(this.primary.asked()).isEqualTo(before + 1);
	}

	@Test
	void transactionWhenReadOnlyReadsFromTheReplicaOfTheRunAndOthersWrite() throws Exception {
		DataSource dataSource = Kind.READ_ONLY_ROUTED.of(this.primary, this.source);
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		TransactionTemplate reading = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
		reading.setReadOnly(true);
		TransactionTemplate writing = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
		assertThat(reading.<Boolean>execute((status) -> isReplica(jdbc))).isFalse();
		assertThat(this.source.begin(this.source.position())).isTrue();
		assertThat(reading.<Boolean>execute((status) -> isReplica(jdbc))).isTrue();
		writing.executeWithoutResult((status) -> jdbc.update("INSERT INTO orders VALUES (2)"));
		assertThat(isReplica(jdbc)).isFalse();
		this.source.end();
		assertThat(reading.<Boolean>execute((status) -> isReplica(jdbc))).isFalse();
		assertThat(orders(jdbc)).isOne();
	}

	private static boolean isReplica(JdbcTemplate jdbc) {
		return Boolean.TRUE.equals(jdbc.queryForObject("SELECT pg_is_in_recovery()", Boolean.class));
	}

	private static int orders(JdbcTemplate jdbc) {
		return Integer.parseInt(String.valueOf(jdbc.queryForObject("SELECT count(*) FROM orders", String.class)));
	}

	/**
	 * The kind of data source that an application's transaction manager uses.
	 */
	enum Kind {

		PRIMARY {

			@Override
			DataSource of(DataSource primary, PostgresConsistencySource source) {
				return primary;
			}

		},

		THAT_OF_THE_SOURCE {

			@Override
			DataSource of(DataSource primary, PostgresConsistencySource source) {
				return source.dataSource();
			}

		},

		READ_ONLY_ROUTED {

			@Override
			DataSource of(DataSource primary, PostgresConsistencySource source) {
				LazyConnectionDataSourceProxy dataSource = new LazyConnectionDataSourceProxy(primary);
				dataSource.setReadOnlyDataSource(source.dataSource());
				return dataSource;
			}

		};

		abstract DataSource of(DataSource primary, PostgresConsistencySource source);

	}

}
