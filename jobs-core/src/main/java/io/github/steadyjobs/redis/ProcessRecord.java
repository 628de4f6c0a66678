package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.Map;

/**
 * What a process tells people about itself. Nothing is decided from it. Thread safe.
 */
public final class ProcessRecord {

	private final PlainCommands commands;

	private final KeySpace keys;

	private final String process;

	ProcessRecord(PlainCommands commands, KeySpace keys, String process) {
		this.commands = commands;
		this.keys = keys;
		this.process = process;
	}

	/**
	 * Make the record known. Waits neither for a connection nor for the answer, and
	 * throws nothing.
	 */
	public void register() {
		this.commands.addToSet(this.keys.processNames(), this.process);
	}

	/**
	 * Write the record. Waits neither for a connection nor for the answer, and throws
	 * nothing.
	 * @param fields what there is to tell
	 * @param ttl how long it stays if it is not written again
	 */
	public void write(Map<String, String> fields, Duration ttl) {
		this.commands.writeHash(this.keys.process(this.process), fields);
		this.commands.expire(this.keys.process(this.process), ttl);
	}

	/**
	 * Remove the record. Waits for the answer.
	 * @throws io.github.steadyjobs.JobStoreException if Redis is not reachable or did not
	 * answer
	 */
	public void remove() {
		this.commands.delete(this.keys.process(this.process));
		this.commands.await(this.commands.removeFromSet(this.keys.processNames(), this.process));
	}

}
