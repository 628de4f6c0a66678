package io.github.steadyjobs.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.steadyjobs.redis.LivenessStore;

/**
 * Writes what this process tells people about itself.
 */
final class ProcessReport {

	/** The report outlives some missed heartbeats, as Sidekiq's does. */
	private static final int BEATS_TO_LIVE = 12;

	/** Often enough for people, and for a process that has nothing else to say. */
	private static final int BEATS_TO_WRITE = 3;

	private final LivenessStore store;

	private final ProcessName name;

	private final Supplier<List<Capsule.Status>> capsules;

	private final Supplier<String> state;

	private final long startedAt;

	private final Clock clock;

	private int beats;

	ProcessReport(LivenessStore store, ProcessName name, Supplier<List<Capsule.Status>> capsules,
			Supplier<String> state, Clock clock) {
		this.store = store;
		this.name = name;
		this.capsules = capsules;
		this.state = state;
		this.clock = clock;
		this.startedAt = clock.millis();
	}

	/**
	 * Register and write the report, at those heartbeats at which it is time to.
	 */
	void beat(Duration interval) {
		if (this.beats % BEATS_TO_LIVE == 0) {
			this.store.registerProcess(this.name.toString());
		}
		if (this.beats % BEATS_TO_WRITE == 0) {
			write(interval.multipliedBy(BEATS_TO_LIVE));
		}
		this.beats++;
	}

	private void write(Duration ttl) {
		List<Capsule.Status> capsules = this.capsules.get();
		Map<String, String> fields = new LinkedHashMap<>();
		fields.put("hostname", this.name.host());
		fields.put("pid", Long.toString(this.name.pid()));
		fields.put("started_at", Long.toString(this.startedAt));
		fields.put("beat_at", Long.toString(this.clock.millis()));
		fields.put("state", this.state.get());
		fields.put("busy", Integer.toString(capsules.stream().mapToInt(Capsule.Status::busy).sum()));
		fields.put("concurrency", Integer.toString(capsules.stream().mapToInt(Capsule.Status::concurrency).sum()));
		fields.put("capsules", capsules.stream().map(Capsule.Status::toString).collect(Collectors.joining("; ")));
		this.store.writeProcess(this.name.toString(), fields, ttl);
	}

	void remove() {
		this.store.removeProcess(this.name.toString());
	}

	/**
	 * What this process is called in Redis. The random part makes it another process at
	 * each start, even where host and process id are always the same, as in a container.
	 */
	record ProcessName(String host, long pid, String nonce) {

		static ProcessName create() {
			byte[] random = new byte[6];
			new SecureRandom().nextBytes(random);
			return new ProcessName(hostName(), ProcessHandle.current().pid(), HexFormat.of().formatHex(random));
		}

		private static String hostName() {
			String host;
			try {
				host = InetAddress.getLocalHost().getHostName();
			}
			catch (UnknownHostException ex) {
				host = "localhost";
			}
			// Slashes separate the parts of a token, and spaces the words of a claim.
			return host.replaceAll("[^A-Za-z0-9_.-]", "_");
		}

		@Override
		public String toString() {
			return this.host + ":" + this.pid + ":" + this.nonce;
		}

	}

}
