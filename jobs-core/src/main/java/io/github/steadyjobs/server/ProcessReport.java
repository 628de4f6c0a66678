package io.github.steadyjobs.server;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.steadyjobs.redis.ProcessRecord;

/**
 * Writes what this process tells people about itself.
 */
final class ProcessReport {

	/**
	 * The record outlives some missed heartbeats, as Sidekiq's does.
	 */
	private static final int BEATS_TO_LIVE = 12;

	/**
	 * Often enough for people, and for a process that has nothing else to say.
	 */
	private static final int BEATS_TO_WRITE = 3;

	private final ProcessRecord record;

	private final ProcessName name;

	private final Supplier<List<CapsuleStatus>> capsules;

	private final Supplier<String> state;

	private final long startedAt;

	private final Clock clock;

	private int beats;

	ProcessReport(ProcessRecord record, ProcessName name, Supplier<List<CapsuleStatus>> capsules,
			Supplier<String> state, Clock clock) {
		this.record = record;
		this.name = name;
		this.capsules = capsules;
		this.state = state;
		this.clock = clock;
		this.startedAt = clock.millis();
	}

	String process() {
		return this.name.toString();
	}

	/**
	 * Tell at a heartbeat what is to be told at that one.
	 */
	void beat(Duration interval) {
		if (this.beats % BEATS_TO_LIVE == 0) {
			this.record.register();
		}
		if (this.beats % BEATS_TO_WRITE == 0) {
			write(interval.multipliedBy(BEATS_TO_LIVE));
		}
		this.beats++;
	}

	private void write(Duration ttl) {
		List<CapsuleStatus> capsules = this.capsules.get();
		Map<String, String> fields = new LinkedHashMap<>();
		fields.put("hostname", this.name.host());
		fields.put("pid", Long.toString(this.name.pid()));
		fields.put("started_at", Long.toString(this.startedAt));
		fields.put("beat_at", Long.toString(this.clock.millis()));
		fields.put("state", this.state.get());
		fields.put("busy", Integer.toString(capsules.stream().mapToInt(CapsuleStatus::busy).sum()));
		fields.put("concurrency", Integer.toString(capsules.stream().mapToInt(CapsuleStatus::concurrency).sum()));
		fields.put("capsules", capsules.stream().map(CapsuleStatus::toString).collect(Collectors.joining("; ")));
		this.record.write(fields, ttl);
	}

	void remove() {
		this.record.remove();
	}

}
