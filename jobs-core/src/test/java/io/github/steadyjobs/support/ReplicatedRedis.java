package io.github.steadyjobs.support;

import org.awaitility.Awaitility;

/**
 * A server and a replica, with a link between them that can be cut.
 */
public final class ReplicatedRedis implements AutoCloseable {

	private final OwnRedis primary = OwnRedis.start("--repl-diskless-sync-delay", "0");

	private final OwnRedis replica = OwnRedis.start();

	private final TcpRelay link = TcpRelay.to(this.primary.host(), this.primary.port());

	private ReplicatedRedis() {
	}

	/**
	 * Start both.
	 * @return the servers, once the replica follows
	 */
	public static ReplicatedRedis start() {
		ReplicatedRedis servers = new ReplicatedRedis();
		servers.replica.follow(servers.link.host(), servers.link.port());
		servers.awaitLink();
		return servers;
	}

	public OwnRedis primary() {
		return this.primary;
	}

	public OwnRedis replica() {
		return this.replica;
	}

	/**
	 * Cut the link until {@link #mendLink()}.
	 */
	public void cutLink() {
		this.link.refuse();
		Awaitility.await().until(() -> this.primary.info("replication").getProperty("connected_slaves"), "0"::equals);
	}

	/**
	 * Mend the link and wait until the replica follows again.
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
		this.link.close();
		this.replica.close();
		this.primary.close();
	}

}
