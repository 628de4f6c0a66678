package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.KeySpace.QueueKeys;

/**
 * Removes jobs by numbered calls, of which a late copy removes nothing that has come
 * since: ids of ordered jobs are those of their keys and come again, and a purge takes
 * whatever is in a place. Thread safe.
 */
final class NumberedRemovals {

	private static final int SLOTS = 8;

	private final RedisConnections connections;

	private final CallSlots slots = new CallSlots(SLOTS, CallSlots::randomName);

	NumberedRemovals(RedisConnections connections) {
		this.connections = connections;
	}

	/**
	 * Carry out a call once.
	 * @param arguments adds the arguments after the number of the call
	 * @return the answer
	 */
	String run(JobScript script, QueueKeys shard, Consumer<ScriptCall> arguments) {
		Duration timeout = this.connections.commandTimeout();
		CallSlots.Slot slot = this.slots.take(timeout);
		try {
			ScriptCall call = ScriptCall.of(script, shard).add(slot.name()).add(slot.number());
			arguments.accept(call);
			return read(Answers.text(call.run(this.connections.commands(), timeout), 0));
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
