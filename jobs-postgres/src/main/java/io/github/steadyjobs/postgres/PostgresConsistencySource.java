package io.github.steadyjobs.postgres;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A PostgreSQL database with streaming replicas, from which jobs can read without missing
 * data that existed when they were enqueued. Declare this source as a bean, and make jobs
 * that {@linkplain io.github.steadyjobs.Idempotent#keepConsistency() keep their
 * consistency} read through {@link #dataSource()}.
 * <p>
 * When a job is enqueued, the current log position is read from the primary, which costs
 * one round trip per enqueued job. Before the job runs, a replica is chosen that has
 * replayed the log up to that position. If there is no such replica, the run waits up to
 * 500 milliseconds for such a replica and then uses the primary. If the primary does not
 * answer either, the run is postponed. So the run sees all data that was committed before
 * the position was read. A transaction that has not committed yet is not covered, because
 * its commit comes later in the log.
 * <p>
 * If the primary does not answer when a job is enqueued, the job is enqueued
 * nevertheless, but it does not run until the primary answers. A server that did not
 * answer is not queried again for 5 seconds. The time it takes to detect a server that
 * does not answer depends on its data source, whose timeouts should be short: by default,
 * a connection pool may wait for 30 seconds.
 * <p>
 * Each data source must lead to one server, because servers behind a load balancer differ
 * in their positions. Replicas must be physical, because logical replicas have their own
 * log. If a replica restarts or is replaced during a run, its position is not checked
 * again.
 * <p>
 * Needs PostgreSQL 10 or newer, and {@code spring-jdbc}. Inside a Spring transaction, the
 * connection of that transaction is used if the transaction manager uses the primary,
 * {@link #dataSource()} or a {@code DelegatingDataSource} for one of these. Immutable and
 * thread safe.
 */
public final class PostgresConsistencySource implements ConsistencySource {

	private static final Duration PATIENCE = Duration.ofMillis(500);

	private static final Duration MOST_PATIENCE = Duration.ofMinutes(1);

	private static final Duration REST = Duration.ofSeconds(5);

	private final String name;

	private final DatabaseServer primary;

	private final List<DatabaseServer> replicas;

	private final RunDataSource dataSource;

	private final boolean usesPrimary;

	private final CallerTransaction caller;

	private final ReplicaSearch search;

	private PostgresConsistencySource(String name, DatabaseServer primary, List<DatabaseServer> replicas,
			RunDataSource dataSource, Duration patience, boolean usesPrimary) {
		this.name = name;
		this.primary = primary;
		this.replicas = replicas;
		this.dataSource = dataSource;
		this.usesPrimary = usesPrimary;
		this.caller = new CallerTransaction(primary.dataSource());
		this.search = new ReplicaSearch(replicas, patience);
	}

	/**
	 * Create a source that waits up to 500 milliseconds for a replica and then uses the
	 * primary.
	 * @param name the name of the source, which must not change while jobs wait: a
	 * {@linkplain Names#isName name}
	 * @param primary the data source for connections to the primary
	 * @param replicas the data sources for connections to the replicas, one for each
	 * replica; if there are no replicas, all jobs read from the primary
	 * @return the source
	 * @throws IllegalArgumentException if the name is not valid
	 */
	public static PostgresConsistencySource of(String name, DataSource primary, DataSource... replicas) {
		return of(name, REST, primary, replicas);
	}

	/** Create a source with a configurable pause after failures, for quick tests. */
	static PostgresConsistencySource of(String name, Duration rest, DataSource primary, DataSource... replicas) {
		Assert.notNull(name, "'name' must not be null");
		Assert.isTrue(Names.isName(name), () -> "'name' must be %s, but is '%s'".formatted(Names.RULE, name));
		Assert.notNull(primary, "'primary' must not be null");
		Assert.notNull(replicas, "'replicas' must not be null");
		Assert.noNullElements(replicas, "'replicas' must not contain null");
		List<DatabaseServer> servers = IntStream.range(0, replicas.length)
			.mapToObj((i) -> new DatabaseServer("Replica %d of '%s'".formatted(i + 1, name), replicas[i], rest))
			.toList();
		return new PostgresConsistencySource(name, new DatabaseServer("The primary of '" + name + "'", primary, rest),
				servers, new RunDataSource(primary), PATIENCE, true);
	}

	/**
	 * Set how long a run waits for a replica. The run occupies its worker while it waits.
	 * @param patience the time, up to a minute; with zero, each replica is queried once
	 * @return a source with this setting and the same {@link #dataSource()}
	 * @throws IllegalArgumentException if the time is negative or too long
	 */
	public PostgresConsistencySource withPatience(Duration patience) {
		Assert.notNull(patience, "'patience' must not be null");
		Assert.isTrue(!patience.isNegative() && patience.compareTo(MOST_PATIENCE) <= 0,
				() -> "'patience' must be from 0 s to 60 s, but is " + patience);
		return new PostgresConsistencySource(this.name, this.primary, this.replicas, this.dataSource, patience,
				this.usesPrimary);
	}

	/**
	 * Postpone a run when no replica has caught up, instead of using the primary.
	 * @return a source with this setting and the same {@link #dataSource()}
	 * @throws IllegalStateException if there are no replicas
	 */
	public PostgresConsistencySource withoutPrimary() {
		Assert.state(!this.replicas.isEmpty(), "Without the primary, there must be a replica");
		return new PostgresConsistencySource(this.name, this.primary, this.replicas, this.dataSource,
				this.search.patience(), false);
	}

	/**
	 * Return the data source through which jobs read. On a thread that runs a job that
	 * keeps its consistency, it returns connections to the server that was chosen for the
	 * run. If that server is a replica, these connections are read-only. On all other
	 * threads, and in all other jobs, it returns connections to the primary.
	 * @return the data source, always the same
	 */
	public DataSource dataSource() {
		return this.dataSource;
	}

	@Override
	public String name() {
		return this.name;
	}

	/**
	 * Return the current position in the primary's log.
	 * @return 16 upper-case hexadecimal digits; all {@code F} if the primary does not
	 * answer, in which case the run queries the primary again
	 */
	@Override
	public String position() {
		WalPosition position = this.caller.position();
		if (position == null) {
			position = this.primary.position();
		}
		return ((position != null) ? position : WalPosition.UNKNOWN).text();
	}

	/**
	 * Choose the server for the run on the current thread, until {@link #end()}.
	 * @param position the position that the server must have reached
	 * @return whether there is such a server
	 * @throws IllegalArgumentException if the position was not returned by a source of
	 * this type
	 * @throws InterruptedException if the thread is interrupted while waiting
	 */
	@Override
	public boolean begin(String position) throws InterruptedException {
		this.dataSource.clear();
		DataSource chosen = choose(WalPosition.ofText(position));
		if (chosen == null) {
			return false;
		}
		this.dataSource.choose(chosen);
		return true;
	}

	private @Nullable DataSource choose(WalPosition position) throws InterruptedException {
		WalPosition wanted = position.equals(WalPosition.UNKNOWN) ? this.primary.position() : position;
		if (wanted == null) {
			return null;
		}
		DatabaseServer replica = this.search.find(wanted);
		if (replica != null) {
			return replica.dataSource();
		}
		return (this.usesPrimary && isUpToDate(this.primary.progress(), wanted)) ? this.primary.dataSource() : null;
	}

	/**
	 * Return whether the primary is still a primary, or has become a replica that has
	 * caught up.
	 */
	private static boolean isUpToDate(@Nullable Progress primary, WalPosition wanted) {
		return primary != null && (!primary.replica() || primary.hasReplayed(wanted));
	}

	@Override
	public void end() {
		this.dataSource.clear();
	}

}
