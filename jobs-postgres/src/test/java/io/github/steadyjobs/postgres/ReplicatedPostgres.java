package io.github.steadyjobs.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

import org.awaitility.Awaitility;

import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL primary with two streaming replicas.
 */
final class ReplicatedPostgres implements AutoCloseable {

	private final Path directory;

	private final PostgresServer primary;

	private final List<PostgresServer> replicas;

	private final PostgresServer promoted;

	private final Thread atExit = new Thread(this::stop);

	private ReplicatedPostgres(PostgresPrograms programs) {
		this.directory = programs.createDirectory();
		this.primary = new PostgresServer(programs, this.directory.resolve("primary"));
		this.replicas = List.of(new PostgresServer(programs, this.directory.resolve("replica-1")),
				new PostgresServer(programs, this.directory.resolve("replica-2")));
		this.promoted = new PostgresServer(programs, this.directory.resolve("promoted"));
	}

	/**
	 * Start all three servers.
	 * @return the running servers
	 * @throws IllegalStateException if PostgreSQL is not installed on this machine
	 */
	static ReplicatedPostgres start() {
		ReplicatedPostgres servers = new ReplicatedPostgres(PostgresPrograms.find());
		// The servers do not end on their own when this process ends.
		Runtime.getRuntime().addShutdownHook(servers.atExit);
		try {
			servers.create();
		}
		catch (RuntimeException ex) {
			servers.close();
			throw ex;
		}
		return servers;
	}

	private void create() {
		this.primary.initialize();
		this.primary.start();
		for (PostgresServer replica : this.replicas) {
			replica.copyFrom(this.primary);
			replica.start();
		}
	}

	/**
	 * Return the primary.
	 * @return the server
	 */
	PostgresServer primary() {
		return this.primary;
	}

	/**
	 * Return a replica.
	 * @param number 1 or 2
	 * @return the server
	 */
	PostgresServer replica(int number) {
		return this.replicas.get(number - 1);
	}

	/**
	 * Start a third replica, and promote it. This is possible only once.
	 * @return the server, which has the data that the primary had when this replica was
	 * copied from it
	 */
	PostgresServer startPromoted() {
		this.promoted.copyFrom(this.primary);
		this.promoted.start();
		this.promoted.execute("SELECT pg_promote()");
		return this.promoted;
	}

	/**
	 * Pause the replay of both replicas.
	 */
	void pauseReplay() {
		this.replicas.forEach((replica) -> {
			replica.execute("SELECT pg_wal_replay_pause()");
			Awaitility.await().until(() -> "paused".equals(replica.execute("SELECT pg_get_wal_replay_pause_state()")));
		});
	}

	/**
	 * Resume the replay of both replicas.
	 */
	void resumeReplay() {
		this.replicas.forEach((replica) -> replica.execute("SELECT pg_wal_replay_resume()"));
	}

	/**
	 * Undo the effects of tests. Afterwards, the primary and both replicas are running,
	 * and the replicas have all data.
	 */
	void heal() {
		this.primary.start();
		this.replicas.forEach(PostgresServer::start);
		resumeReplay();
		this.primary.execute("CREATE TABLE IF NOT EXISTS healed (number int)");
		this.primary.execute("TRUNCATE healed");
		this.primary.execute("INSERT INTO healed SELECT 1");
		String end = this.primary.execute("SELECT pg_current_wal_flush_lsn()");
		for (PostgresServer replica : this.replicas) {
			Awaitility.await()
				.until(() -> "t".equals(replica.execute("SELECT pg_last_wal_replay_lsn() >= '" + end + "'")));
		}
	}

	private void stop() {
		this.promoted.crash();
		this.replicas.forEach(PostgresServer::crash);
		this.primary.crash();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		Runtime.getRuntime().removeShutdownHook(this.atExit);
		stop();
	}

}
