package io.github.steadyjobs.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A server of {@link ReplicatedPostgres}.
 */
final class PostgresServer {

	/**
	 * Settings for quick tests: the data does not have to survive a crash of the machine,
	 * and a replica that has lost its primary reconnects quickly.
	 */
	private static final String CONFIGURATION = """
			port = %d
			listen_addresses = '127.0.0.1'
			unix_socket_directories = ''
			fsync = off
			max_connections = 50
			shared_buffers = 16MB
			wal_keep_size = 256MB
			wal_retrieve_retry_interval = 100ms
			""";

	private final PostgresPrograms programs;

	private final Path data;

	private final int port;

	private boolean running;

	PostgresServer(PostgresPrograms programs, Path data) {
		this.programs = programs;
		this.data = data;
		this.port = freePort();
	}

	/**
	 * Create a database whose log position is just below a multiple of four gigabytes,
	 * where the first half of a position changes.
	 */
	void initialize() {
		run("initdb", "-D", path(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
		run("pg_resetwal", "-D", path(), "-l", "0000000100000000000000FF");
		configure();
	}

	/**
	 * Create a replica by copying a server.
	 */
	void copyFrom(PostgresServer primary) {
		run("pg_basebackup", "-h", "127.0.0.1", "-p", Integer.toString(primary.port), "-U", "postgres", "-D", path(),
				"-R", "-c", "fast", "-X", "stream", "--no-sync");
		configure();
	}

	private void configure() {
		try {
			Files.writeString(this.data.resolve("postgresql.conf"), CONFIGURATION.formatted(this.port),
					StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Start the server if it is not running, and wait until it answers.
	 */
	void start() {
		if (!this.running) {
			run("pg_ctl", "-D", path(), "-l", this.data.resolve("server.log").toString(), "-w", "start");
			this.running = true;
		}
	}

	/**
	 * Stop the server as in a crash, if it is running.
	 */
	void crash() {
		if (this.running) {
			run("pg_ctl", "-D", path(), "-m", "immediate", "-w", "stop");
			this.running = false;
		}
	}

	/**
	 * Return a data source that opens a new connection for each request.
	 * @return the data source
	 */
	DataSource dataSource() {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setURL("jdbc:postgresql://127.0.0.1:" + this.port + "/postgres");
		dataSource.setUser("postgres");
		return dataSource;
	}

	/**
	 * Execute a statement.
	 * @param sql the statement
	 * @return the first column of the first row, {@code null} if there is no row
	 */
	@Nullable String execute(String sql) {
		return execute(dataSource(), sql);
	}

	/**
	 * Execute a statement on any data source.
	 * @param dataSource where to execute it
	 * @param sql the statement
	 * @return the first column of the first row, {@code null} if there is no row
	 */
	static @Nullable String execute(DataSource dataSource, String sql) {
		try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
			if (!statement.execute(sql)) {
				return null;
			}
			try (ResultSet result = statement.getResultSet()) {
				return result.next() ? result.getString(1) : null;
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(sql + ": " + ex.getMessage(), ex);
		}
	}

	private void run(String program, String... arguments) {
		this.programs.run(this.data.getParent(), program, arguments);
	}

	private String path() {
		return this.data.toString();
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
