package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueRef;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a job that has not ended.
 *
 * @param id the id of the job
 * @param queue the name of the queue of the job
 * @param place the place of the job
 * @param time when the job is due or, in the dead set, died, by the clock of Redis;
 * {@code null} in places without a time
 * @param note the reason why it is parked, the claim of the worker that runs it, or the
 * beginning of an unreadable payload; otherwise empty
 * @param payload the job with its arguments (for an ordered job, the arguments of the
 * next payload); {@code null} if it cannot be read
 * @param payloads for an ordered job, the number of payloads of its key; 1 for other jobs
 */
public record JobEntry(String id, String queue, JobPlace place, @Nullable Instant time, String note,
		@Nullable JobPayload payload, int payloads) {

	private static final int LONGEST_NOTE = 200;

	static JobEntry of(String id, String part, JobPlace place, String detail, byte[] stored, PayloadCodec codec) {
		Instant time = place.isSorted() ? Instant.ofEpochMilli((long) Double.parseDouble(detail)) : null;
		String note = place.isSorted() ? "" : detail;
		JobPayload payload = null;
		int payloads = 1;
		try {
			// A dead payload of an ordered job is stored like a job that is not ordered.
			if (QueueRef.isPart(part) && place != JobPlace.DEAD) {
				Gathered gathered = Gathered.read(stored);
				payload = gathered.first(codec);
				payloads = gathered.size();
			}
			else {
				payload = codec.read(stored);
			}
		}
		catch (InvalidJobException ex) {
			note = new String(Arrays.copyOf(stored, Math.min(stored.length, LONGEST_NOTE)), StandardCharsets.UTF_8);
		}
		return new JobEntry(id, QueueRef.queueOf(part), place, time, note, payload, payloads);
	}

	/** Return a name for the job that is safe to use in messages, which may be logged. */
	String label() {
		return "Job " + this.id + ((this.payload != null) ? " (" + Names.printable(this.payload.name()) + ")" : "");
	}

}
