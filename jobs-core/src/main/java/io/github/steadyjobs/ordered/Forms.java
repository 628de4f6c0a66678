package io.github.steadyjobs.ordered;

import java.util.function.Supplier;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.ordered.Form.Rest;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueRef;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the form of a job: those in parts of a queue are ordered.
 */
public final class Forms {

	private Forms() {
	}

	/**
	 * Read what is stored for a job.
	 * @param queue the queue or the part of a queue that has it
	 * @throws InvalidJobException if it is unreadable
	 */
	public static Form read(PayloadCodec codec, String queue, byte[] stored) {
		return QueueRef.isPart(queue) ? new OrderedPayloads(codec, stored) : new OnePayload(codec.read(stored));
	}

	/**
	 * Take an unreadable job out, as it is stored. An ordered one gets another id: its
	 * own id is that of its key, which continues.
	 * @param id makes an id
	 * @return what that leaves, {@code null} if the job ends as a whole
	 */
	public static @Nullable Rest withoutAll(String queue, byte[] stored, Supplier<String> id) {
		return QueueRef.isPart(queue) ? new Rest(new NewJob(id.get(), stored, null), null, new byte[0], null) : null;
	}

	/**
	 * Return whether a job may go back to its queue only when its run has returned,
	 * because otherwise its key might run twice at once.
	 */
	public static boolean runsAlone(String queue) {
		return QueueRef.isPart(queue);
	}

}
