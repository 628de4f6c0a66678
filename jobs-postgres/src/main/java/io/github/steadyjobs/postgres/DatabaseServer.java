package io.github.steadyjobs.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database server that reports its position in the write-ahead log. Logs once when the
 * server stops answering, and once when it answers again. Thread safe.
 */
final class DatabaseServer {

	private static final Logger logger = LoggerFactory.getLogger(DatabaseServer.class);

	/**
	 * Returns NULL on a replica, where {@code pg_current_wal_insert_lsn} would raise an
	 * error and abort the caller's transaction.
	 */
	private static final String POSITION = "SELECT CASE WHEN pg_is_in_recovery() THEN NULL "
			+ "ELSE pg_current_wal_insert_lsn() END";

	private static final String PROGRESS = "SELECT pg_is_in_recovery(), pg_last_wal_replay_lsn(), "
			+ "current_setting('wal_block_size')";

	private final String description;

	private final DataSource dataSource;

	private final long restNanos;

	private volatile boolean away;

	private volatile long restsUntil;

	/**
	 * Create a server.
	 * @param description the name of the server in logs
	 * @param dataSource the data source for its connections
	 * @param rest how long the server is not queried again after it has failed to answer;
	 * otherwise, each caller might wait for the whole timeout of a connection pool
	 */
	DatabaseServer(String description, DataSource dataSource, Duration rest) {
		this.description = description;
		this.dataSource = dataSource;
		this.restNanos = rest.toNanos();
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	/**
	 * Return the current end of the log.
	 * @return the position; {@code null} if the server does not answer or is a replica
	 */
	@Nullable WalPosition position() {
		return ask(DatabaseServer::position);
	}

	/**
	 * Query the {@link #position()} on an existing connection.
	 */
	static @Nullable WalPosition position(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(POSITION)) {
			result.next();
			return position(result.getString(1));
		}
	}

	/**
	 * Return the progress of the server.
	 * @return the progress; {@code null} if the server does not answer
	 */
	@Nullable Progress progress() {
		return ask((connection) -> {
			try (Statement statement = connection.createStatement();
					ResultSet result = statement.executeQuery(PROGRESS)) {
				result.next();
				return new Progress(result.getBoolean(1), position(result.getString(2)), result.getLong(3));
			}
		});
	}

	private static @Nullable WalPosition position(@Nullable String lsn) {
		return (lsn != null) ? WalPosition.ofLsn(lsn) : null;
	}

	private <T> @Nullable T ask(Question<T> question) {
		if (this.away && this.restsUntil - System.nanoTime() > 0) {
			return null;
		}
		try (Connection connection = this.dataSource.getConnection()) {
			T answer = question.ask(connection);
			succeeded();
			return answer;
		}
		// A connection pool that cannot be created throws an exception of its own type.
		catch (SQLException | RuntimeException ex) {
			// If this thread was interrupted, the server did not cause the failure.
			if (!Thread.currentThread().isInterrupted()) {
				failed(ex);
			}
			return null;
		}
	}

	private synchronized void failed(Exception failure) {
		this.restsUntil = System.nanoTime() + this.restNanos;
		if (!this.away) {
			this.away = true;
			logger.warn("{} cannot be asked how far it is, and will be asked again: {}", this.description,
					failure.getMessage());
		}
	}

	private void succeeded() {
		if (this.away) {
			synchronized (this) {
				if (this.away) {
					this.away = false;
					logger.info("{} is back", this.description);
				}
			}
		}
	}

	@FunctionalInterface
	private interface Question<T> {

		@Nullable T ask(Connection connection) throws SQLException;

	}

}
