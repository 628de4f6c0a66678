package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;

/**
 * Removes jobs by numbered calls, of which a late copy removes nothing that has come
 * since: ids of ordered jobs are those of their keys and come again, and a purge takes
 * whatever is in a place. Thread safe.
 */
public final class NumberedRemovals {

	private static final int SLOTS = 8;

	private final StoreCalls calls;

	private final Duration timeout;

	private final CallSlots slots = new CallSlots(SLOTS, CallSlots::randomName);

	public NumberedRemovals(RedisConnections connections, String prefix) {
		this.timeout = connections.commandTimeout();
		this.calls = StoreCalls.of(connections, prefix);
	}

	/**
	 * Carry out a call once.
	 * @param arguments adds the arguments after the number of the call
	 */
	public String run(JobScript script, String queue, Consumer<ScriptCall> arguments) {
		CallSlots.Slot slot = this.slots.take(this.timeout);
		try {
			ScriptCall call = this.calls.to(script, queue).add(slot.name()).add(slot.number());
			arguments.accept(call);
			return read(this.calls.text(call));
		}
		finally {
			this.slots.giveBack(slot);
		}
	}

	private String read(String answer) {
		if (answer.equals("UPGRADE")) {
			throw new JobStoreException("A newer version of Steady Jobs has changed the layout of this queue; "
					+ "nothing was removed. Update this application.");
		}
		this.slots.checkName(answer);
		return answer;
	}

}
