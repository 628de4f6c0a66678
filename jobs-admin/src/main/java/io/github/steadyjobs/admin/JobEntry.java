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
 * A job that has not ended, at one moment.
 *
 * @param id the id of the job
 * @param queue its queue
 * @param place where it was
 * @param time when it is due, or when it died, by the clock of Redis; {@code null} in
 * other places
 * @param note why it is parked, the claim of the worker that has it, or the beginning of
 * an unreadable payload; otherwise empty
 * @param payload the job with its arguments, or for an ordered job the arguments of the
 * next payload; {@code null} if it cannot be read
 * @param payloads how many payloads wait for the key of an ordered job; otherwise 1
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
			// A dead payload of an ordered job is stored like any other job.
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

	/** Return the name of the job for messages, which end up in logs. */
	String label() {
		return "Job " + this.id + ((this.payload != null) ? " (" + Names.printable(this.payload.name()) + ")" : "");
	}

}
