package io.github.steadyjobs.postgres;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PostgresConsistencySource} with a primary and two replicas.
 */
@PostgresTest
class PostgresConsistencySourceIntegrationTests {

	private static final Duration REST = Duration.ofMillis(1);

	private static final Duration SHORT = Duration.ofMillis(20);

	private static final Duration LONG = Duration.ofMinutes(1);

	private static final String UNKNOWN = "FFFFFFFFFFFFFFFF";

	private final ReplicatedPostgres servers;

	private final CountedDataSource primary;

	private final CountedDataSource replica;

	private final PostgresConsistencySource source;

	PostgresConsistencySourceIntegrationTests(ReplicatedPostgres servers) {
		this.servers = servers;
		this.primary = new CountedDataSource(servers.primary().dataSource());
		this.replica = new CountedDataSource(servers.replica(1).dataSource());
		this.source = PostgresConsistencySource.of("orders", REST, this.primary, this.replica).withPatience(SHORT);
	}

	@BeforeEach
	void createTable() {
		this.servers.primary().execute("CREATE TABLE IF NOT EXISTS counter (value int)");
		this.servers.primary().execute("TRUNCATE counter");
		this.servers.primary().execute("INSERT INTO counter VALUES (0)");
	}

	@AfterEach
	void end() {
		this.source.end();
	}

	@Test
	@DisplayName("GL-22: positions are sorted correctly as text as the data grows, across segments and four gigabytes of log")
	void positionWhenDataGrowsGrows() {
		List<String> positions = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			count();
			positions.add(this.source.position());
			this.servers.primary().execute("SELECT pg_switch_wal()");
			positions.add(this.source.position());
		}
		assertThat(positions).isSorted().doesNotHaveDuplicates().allMatch((it) -> it.matches("[0-9A-F]{16}"));
		assertThat(positions.get(positions.size() - 1)).startsWith("00000001");
	}

	@Test
	void positionWhenPrimaryIsDownIsUnknownUntilItIsBack() {
		this.servers.primary().crash();
		assertThat(this.source.position()).isEqualTo(UNKNOWN);
		this.servers.primary().start();
		Awaitility.await().until(this.source::position, (it) -> !it.equals(UNKNOWN));
	}

	@Test
	void positionWhenPrimaryWasMadeAReplicaIsUnknown() {
		assertThat(PostgresConsistencySource.of("orders", this.replica).position()).isEqualTo(UNKNOWN);
	}

	@Test
	@DisplayName("GL-22: reads go to a replica that has reached the position")
	void beginWhenReplicaHasThePositionChoosesIt() throws Exception {
		String position = count();
		assertThat(this.source.withPatience(LONG).begin(position)).isTrue();
		assertThat(this.source.dataSource()).satisfies(this::isReplica);
		assertThat(counted()).isOne();
	}

	@Test
	void beginWhenLogWasSwitchedChoosesTheReplica() throws Exception {
		count();
		this.servers.primary().execute("SELECT pg_switch_wal()");
		String position = this.source.withPatience(LONG).position();
		assertThat(this.source.withPatience(Duration.ofSeconds(5)).begin(position)).isTrue();
		assertThat(this.source.dataSource()).satisfies(this::isReplica);
	}

	@Test
	@DisplayName("GL-22: if no replica reaches the position in time, reads go to the primary")
	void beginWhenReplicaStaysBehindChoosesThePrimary() throws Exception {
		this.servers.pauseReplay();
		String position = count();
		assertThat(this.source.begin(position)).isTrue();
		assertThat(this.source.dataSource()).satisfies(this::isPrimary);
		assertThat(counted()).isOne();
	}

	@Test
	void beginWhenPatienceIsZeroAsksOnce() throws Exception {
		this.servers.pauseReplay();
		assertThat(this.source.withPatience(Duration.ZERO).begin(count())).isTrue();
		assertThat(this.source.dataSource()).satisfies(this::isPrimary);
		assertThat(this.replica.asked()).isOne();
	}

	@Test
	@DisplayName("GL-22: a run waits for a replica that reaches the position in time")
	void beginWhenReplicaCatchesUpMeanwhileChoosesIt() throws Exception {
		this.servers.pauseReplay();
		String position = count();
		CompletableFuture<Void> resume = CompletableFuture.runAsync(() -> {
			Awaitility.await().until(() -> this.replica.asked() > 2);
			this.servers.resumeReplay();
		});
		assertThat(this.source.withPatience(LONG).begin(position)).isTrue();
		assertThat(this.source.dataSource()).satisfies(this::isReplica);
		assertThat(counted()).isOne();
		resume.join();
	}

	@Test
	void beginWhenReplicaIsDownChoosesThePrimaryAtOnce() throws Exception {
		String position = count();
		this.servers.replica(1).crash();
		assertThat(this.source.withPatience(LONG).begin(position)).isTrue();
		assertThat(this.source.dataSource()).satisfies(this::isPrimary);
		this.servers.replica(1).start();
		Awaitility.await().untilAsserted(() -> {
			assertThat(this.source.begin(position)).isTrue();
			assertThat(this.source.dataSource()).satisfies(this::isReplica);
		});
	}

	@Test
	@DisplayName("GL-22: if no server has reached the position, the run is postponed")
	void beginWhenPrimaryIsDownAndReplicaIsBehindIsFalse() throws Exception {
		this.servers.pauseReplay();
		String position = count();
		this.servers.primary().crash();
		assertThat(this.source.begin(position)).isFalse();
		this.servers.primary().start();
		assertThat(this.source.dataSource()).satisfies(this::isPrimary);
	}

	@Test
	void beginWhenOnlyPrimaryIsDownChoosesTheReplica() throws Exception {
		String position = count();
		this.servers.heal();
		this.servers.primary().crash();
		assertThat(this.source.begin(position)).isTrue();
		assertThat(this.source.dataSource()).satisfies(this::isReplica);
	}

	@Test
	void beginWhenAllAreDownIsFalse() throws Exception {
		String position = count();
		this.servers.primary().crash();
		this.servers.replica(1).crash();
		assertThat(this.source.begin(position)).isFalse();
		assertThat(this.source.begin(UNKNOWN)).isFalse();
	}

	@Test
	void beginWhenPositionIsUnknownWantsThatOfThePrimary() throws Exception {
		this.servers.pauseReplay();
		count();
		assertThat(this.source.begin(UNKNOWN)).isTrue();
		assertThat(this.source.dataSource()).satisfies(this::isPrimary);
		this.servers.heal();
		assertThat(this.source.withPatience(LONG).begin(UNKNOWN)).isTrue();
		assertThat(this.source.dataSource()).satisfies(this::isReplica);
		assertThat(counted()).isOne();
	}

	@Test
	void beginWhenPrimaryMustNotBeUsedPutsTheRunOff() throws Exception {
		PostgresConsistencySource sparing = this.source.withoutPrimary();
		this.servers.pauseReplay();
		String position = count();
		assertThat(sparing.begin(position)).isFalse();
		assertThat(sparing.begin(UNKNOWN)).isFalse();
		this.servers.heal();
		assertThat(sparing.begin(position)).isTrue();
		assertThat(sparing.dataSource()).satisfies(this::isReplica);
		this.servers.pauseReplay();
		assertThat(sparing.begin(count())).isFalse();
		assertThat(sparing.dataSource()).satisfies(this::isPrimary);
	}

	@Test
	void beginWhenReplicaHasBecomeAPrimaryChoosesThePrimaryAtOnce() throws Exception {
		String position = count();
		this.servers.heal();
		PostgresServer promoted = this.servers.startPromoted();
		CountedDataSource replica = new CountedDataSource(promoted.dataSource());
		PostgresConsistencySource source = PostgresConsistencySource.of("orders", this.primary, replica)
			.withPatience(LONG);
		assertThat(promoted.execute("SELECT pg_last_wal_replay_lsn()")).satisfies(
				(it) -> assertThat(WalPosition.ofLsn(String.valueOf(it)).text()).isGreaterThanOrEqualTo(position));
		assertThat(source.begin(position)).isTrue();
		assertThat(replica.asked()).isOne();
		assertThat(source.dataSource()).satisfies(this::isPrimary);
		assertThat(replica.asked()).isOne();
		source.end();
		promoted.crash();
	}

	@Test
	void beginWhenPrimaryWasMadeAReplicaChecksHowFarItIs() throws Exception {
		PostgresConsistencySource source = PostgresConsistencySource.of("orders", this.replica);
		this.servers.pauseReplay();
		String position = count();
		assertThat(source.begin(position)).isFalse();
		this.servers.heal();
		assertThat(source.begin(position)).isTrue();
		source.end();
	}

	@Test
	void beginWhenThereAreNoReplicasChoosesThePrimary() throws Exception {
		PostgresConsistencySource source = PostgresConsistencySource.of("orders", this.primary);
		assertThat(source.begin(count())).isTrue();
		assertThat(source.dataSource()).satisfies(this::isPrimary);
		source.end();
	}

	@Test
	void beginWhenThereAreTwoReplicasTakesThemInTurn() throws Exception {
		CountedDataSource second = new CountedDataSource(this.servers.replica(2).dataSource());
		PostgresConsistencySource source = PostgresConsistencySource.of("orders", REST, this.primary, this.replica,
				second);
		String position = count();
		this.servers.heal();
		for (int i = 0; i < 4; i++) {
			assertThat(source.begin(position)).isTrue();
		}
		assertThat(this.replica.asked()).isEqualTo(2);
		assertThat(second.asked()).isEqualTo(2);
		this.servers.replica(1).crash();
		for (int i = 0; i < 2; i++) {
			assertThat(source.begin(position)).isTrue();
			assertThat(source.dataSource()).satisfies(this::isReplica);
		}
		source.end();
	}

	@Test
	void beginWhenInterruptedWhileItWaitsThrows() {
		this.servers.pauseReplay();
		String position = count();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> this.source.withPatience(LONG).begin(position));
	}

	@Test
	void endWhenRunHasBegunGivesBackThePrimary() throws Exception {
		String position = count();
		this.servers.heal();
		assertThat(this.source.begin(position)).isTrue();
		assertThat(this.source.dataSource()).satisfies(this::isReplica);
		CompletableFuture.runAsync(() -> assertThat(this.source.dataSource()).satisfies(this::isPrimary)).join();
		this.source.end();
		assertThat(this.source.dataSource()).satisfies(this::isPrimary);
	}

	@Test
	@DisplayName("GL-21: no run sees data that is older than its position, while replicas lag and catch up")
	void runsWhenReplicasLagNeverSeeOlderData() throws Exception {
		PostgresConsistencySource source = PostgresConsistencySource
			.of("orders", REST, this.primary, this.replica, this.servers.replica(2).dataSource())
			.withPatience(SHORT);
		ExecutorService workers = Executors.newFixedThreadPool(4);
		List<Boolean> onReplica = new ArrayList<>();
		try {
			for (int round = 0; round < 10; round++) {
				this.servers.pauseReplay();
				List<Future<Boolean>> runs = IntStream.range(0, 20)
					.mapToObj((i) -> workers.submit(() -> enqueueAndRun(source)))
					.toList();
				for (int i = 0; i < runs.size(); i++) {
					if (i == 5) {
						this.servers.resumeReplay();
					}
					onReplica.add(runs.get(i).get());
				}
			}
		}
		finally {
			workers.shutdown();
		}
		assertThat(onReplica).hasSize(200).contains(false);
		assertThat(enqueueAndRun(source.withPatience(LONG))).isTrue();
	}

	/**
	 * Write data in the same way as an application, and read it in the same way as its
	 * job. Because the commit is not flushed, this shows whether the position covers the
	 * whole log.
	 */
	private boolean enqueueAndRun(PostgresConsistencySource source) throws Exception {
		int written = number(this.primary, "UPDATE counter SET value = value + 1 "
				+ "WHERE set_config('synchronous_commit', 'off', true) = 'off' RETURNING value");
		String position = source.position();
		assertThat(source.begin(position)).isTrue();
		try {
			assertThat(number(source.dataSource(), "SELECT value FROM counter")).isGreaterThanOrEqualTo(written);
			return "t".equals(read(source.dataSource(), "SELECT pg_is_in_recovery()"));
		}
		finally {
			source.end();
		}
	}

	/**
	 * Increment the counter, and return the resulting position.
	 */
	private String count() {
		this.servers.primary().execute("UPDATE counter SET value = value + 1");
		return PostgresConsistencySource.of("orders", this.servers.primary().dataSource()).position();
	}

	private int counted() {
		return number(this.source.dataSource(), "SELECT value FROM counter");
	}

	private void isPrimary(DataSource dataSource) {
		assertThat(read(dataSource, "SELECT pg_is_in_recovery()")).isEqualTo("f");
	}

	private void isReplica(DataSource dataSource) {
		assertThat(read(dataSource, "SELECT pg_is_in_recovery()")).isEqualTo("t");
	}

	private static int number(DataSource dataSource, String sql) {
		return Integer.parseInt(String.valueOf(read(dataSource, sql)));
	}

	private static @Nullable String read(DataSource dataSource, String sql) {
		return PostgresServer.execute(dataSource, sql);
	}

}
