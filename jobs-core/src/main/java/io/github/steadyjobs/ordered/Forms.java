package io.github.steadyjobs.ordered;

import java.util.function.Supplier;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.ordered.Form.Rest;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueRef;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the form of a job. Jobs in a part of a queue are ordered; all other jobs are
 * not.
 */
public final class Forms {

	private Forms() {
	}

	/**
	 * Read a stored job.
	 * @param queue the queue or the part of a queue that holds the job
	 * @throws InvalidJobException if the job is unreadable
	 */
	public static Form read(PayloadCodec codec, String queue, byte[] stored) {
		return QueueRef.isPart(queue) ? new OrderedPayloads(codec, stored) : new OnePayload(codec.read(stored));
	}

	/**
	 * Take out an unreadable job, exactly as it is stored. An ordered job gets a new id,
	 * because its own id belongs to its key, and later jobs of that key still use that
	 * id.
	 * @param id creates a new id
	 * @return the rest of the job, {@code null} if the job ends as a whole
	 */
	public static @Nullable Rest withoutAll(String queue, byte[] stored, Supplier<String> id) {
		return QueueRef.isPart(queue) ? new Rest(new NewJob(id.get(), stored, null), null, new byte[0], null) : null;
	}

	/**
	 * Return whether a job of a queue may go back to the queue only after its run has
	 * returned. If an ordered job went back earlier, the next run of its key might begin
	 * while this run continues.
	 */
	public static boolean runsAlone(String queue) {
		return QueueRef.isPart(queue);
	}

}
