package io.github.steadyjobs.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.AbstractDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link PostgresConsistencySource} without a database, or with one that does
 * not answer.
 */
@ExtendWith(OutputCaptureExtension.class)
class PostgresConsistencySourceTests {

	private static final String SOME = "00000016B374D848";

	private static final String UNKNOWN = "FFFFFFFFFFFFFFFF";

	private final CountedDataSource away = new CountedDataSource(failing(() -> {
		throw new SQLException("Connection refused");
	}));

	@ParameterizedTest
	@ValueSource(strings = { "", "two words", "a=b", "a;b",
			"12345678901234567890123456789012345678901234567890123456789012345" })
	void ofWhenNameIsNoneThrows(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> PostgresConsistencySource.of(name, this.away))
			.withMessageStartingWith(
					"'name' must be 1 to 64 of the characters A-Za-z0-9_.- and no '-' at the start, but is '");
	}

	@Test
	void withPatienceWhenTimeIsNoneThrows() {
		PostgresConsistencySource source = PostgresConsistencySource.of("orders", this.away, this.away);
		assertThatIllegalArgumentException().isThrownBy(() -> source.withPatience(Duration.ofMillis(-1)))
			.withMessage("'patience' must be from 0 s to 60 s, but is PT-0.001S");
		assertThatIllegalArgumentException().isThrownBy(() -> source.withPatience(Duration.ofSeconds(61)))
			.withMessage("'patience' must be from 0 s to 60 s, but is PT1M1S");
	}

	@Test
	void withoutPrimaryWhenThereAreNoReplicasThrows() {
		PostgresConsistencySource source = PostgresConsistencySource.of("orders", this.away);
		assertThatIllegalStateException().isThrownBy(source::withoutPrimary)
			.withMessage("Without the primary, there must be a replica");
	}

	@Test
	void dataSourceWhenSettingsDifferIsTheSame() {
		PostgresConsistencySource source = PostgresConsistencySource.of("orders", this.away, this.away);
		assertThat(source.withPatience(Duration.ZERO).withoutPrimary().dataSource()).isSameAs(source.dataSource());
		assertThat(source.withPatience(Duration.ZERO).name()).isEqualTo("orders");
	}

	@Test
	void beginWhenPositionIsOfAnotherKindOfSourceThrows() {
		PostgresConsistencySource source = PostgresConsistencySource.of("orders", this.away);
		assertThatIllegalArgumentException().isThrownBy(() -> source.begin("mysql-bin.000042"))
			.withMessage("'mysql-bin.000042' is not a position of PostgreSQL");
	}

	@Test
	void askWhenServerIsAwayTellsOnceAndLetsItRest(CapturedOutput output) throws Exception {
		CountedDataSource replica = new CountedDataSource(this.away);
		PostgresConsistencySource source = PostgresConsistencySource.of("orders", this.away, replica);
		assertThat(source.position()).isEqualTo(UNKNOWN);
		assertThat(source.position()).isEqualTo(UNKNOWN);
		assertThat(source.begin(UNKNOWN)).isFalse();
		assertThat(this.away.asked()).isOne();
		assertThat(replica.asked()).isZero();
		assertThat(source.begin(SOME)).isFalse();
		assertThat(source.begin(SOME)).isFalse();
		assertThat(replica.asked()).isOne();
		assertThat(output).containsOnlyOnce("The primary of 'orders' cannot be asked how far it is, and will be asked "
				+ "again: Connection refused");
		assertThat(output).containsOnlyOnce("Replica 1 of 'orders' cannot be asked");
	}

	@Test
	void askWhenPoolCannotBeCreatedTakesTheServerForAway() throws Exception {
		DataSource pool = failing(() -> {
			throw new IllegalStateException("Failed to initialize pool");
		});
		PostgresConsistencySource source = PostgresConsistencySource.of("orders", pool, pool);
		assertThat(source.position()).isEqualTo(UNKNOWN);
		assertThat(source.begin(SOME)).isFalse();
	}

	@Test
	void askWhenThreadWasInterruptedDoesNotBlameTheServer(CapturedOutput output) throws Exception {
		DataSource pool = failing(() -> {
			Thread.currentThread().interrupt();
			throw new SQLException("Interrupted during connection acquisition");
		});
		PostgresConsistencySource source = PostgresConsistencySource.of("orders", pool, pool);
		assertThat(source.begin(SOME)).isFalse();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(output).doesNotContain("cannot be asked");
	}

	private static DataSource failing(Callable<@Nullable Connection> attempt) {
		return new AbstractDataSource() {

			@Override
			public Connection getConnection() throws SQLException {
				try {
					attempt.call();
					throw new AssertionError("It does not fail");
				}
				catch (SQLException | RuntimeException ex) {
					throw ex;
				}
				catch (Exception ex) {
					throw new AssertionError(ex);
				}
			}

			@Override
			public Connection getConnection(String username, String password) throws SQLException {
				return getConnection();
			}

		};
	}

}
