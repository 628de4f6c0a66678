package io.github.steadyjobs.benchmarks.chaos;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The faults that can be injected into workers, connections and the server.
 */
enum Fault {

	/**
	 * Kill a worker. A new worker replaces it after a while.
	 */
	KILL,

	/**
	 * Stop a worker in the same way as a deployment does, and start a new one.
	 */
	STOP,

	/**
	 * Pause a worker, often long enough to be declared dead.
	 */
	PAUSE,

	/**
	 * Break the connections of a worker or of the producer.
	 */
	CUT,

	/**
	 * Delay each reply to all workers and the producer.
	 */
	SLOW,

	/**
	 * Kill the server, and start it again with the data that it has on disk.
	 */
	REDIS_RESTART,

	/**
	 * Make the server forget all scripts.
	 */
	SCRIPT_FLUSH,

	/**
	 * Make the server close the connections of all workers and of the producer.
	 */
	CLIENT_KILL,

	/**
	 * Kill the cluster master that serves a queue, and start it again after a replica has
	 * taken over.
	 */
	MASTER_KILL,

	/**
	 * Kill a server, and start it again with the data that it had on disk some seconds
	 * earlier, as after a failover to a lagging replica. Everything that the server has
	 * confirmed since then is lost.
	 */
	OLDER_DATA;

	static final String DEFAULTS = "kill,pause,cut,redis-restart,script-flush,client-kill";

	static final String DEFAULTS_WITH_CLUSTER = "kill,pause,cut,master-kill,script-flush,client-kill";

	private static final String NONE = "none";

	static Set<Fault> parseAll(String text) {
		Set<Fault> faults = EnumSet.noneOf(Fault.class);
		if (!text.equals(NONE)) {
			for (String name : text.split(",")) {
				faults.add(parse(name.trim()));
			}
		}
		return faults;
	}

	private static Fault parse(String name) {
		return Arrays.stream(values())
			.filter((fault) -> fault.toString().equals(name))
			.findFirst()
			.orElseThrow(
					() -> new IllegalArgumentException("'%s' is no fault. There are: %s, or '%s' alone".formatted(name,
							Arrays.stream(values()).map(Fault::toString).collect(Collectors.joining(", ")), NONE)));
	}

	/**
	 * Return whether a worker cannot run jobs for a while after this fault.
	 */
	boolean takesWorkerAway() {
		return this == KILL || this == STOP || this == PAUSE;
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
