package io.github.steadyjobs.support;

import org.awaitility.Awaitility;

/**
 * A server and a replica, with a link between them that can be cut.
 */
public final class ReplicatedRedis implements AutoCloseable {

	private final Closer closer;

	private final OwnRedis primary;

	private final OwnRedis replica;

	private final TcpRelay link;

	private ReplicatedRedis(Closer closer) {
		this.closer = closer;
		this.primary = closer.register(OwnRedis.start("--repl-diskless-sync-delay", "0"));
		this.replica = closer.register(OwnRedis.start());
		this.link = closer.register(TcpRelay.to(this.primary.host(), this.primary.port()));
		this.replica.follow(this.link.host(), this.link.port());
		awaitLink();
	}

	/**
	 * Start both servers.
	 * @return the servers, with the replica connected
	 */
	public static ReplicatedRedis start() {
		return Closer.open(ReplicatedRedis::new);
	}

	public OwnRedis primary() {
		return this.primary;
	}

	public OwnRedis replica() {
		return this.replica;
	}

	/**
	 * Cut the link until {@link #mendLink()} is called.
	 */
	public void cutLink() {
		this.link.refuse();
		Awaitility.await().until(() -> this.primary.info("replication").getProperty("connected_slaves"), "0"::equals);
	}

	/**
	 * Restore the link, and wait until the replica is connected again.
	 */
	public void mendLink() {
		this.link.pass();
		awaitLink();
	}

	private void awaitLink() {
		Awaitility.await()
			.until(() -> this.replica.info("replication").getProperty("master_link_status"), "up"::equals);
		Awaitility.await()
			.until(() -> this.primary.info("replication").getProperty("slave0", ""), (it) -> it.contains("online"));
	}

	@Override
	public void close() {
		this.closer.close();
	}

}
