package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;

/**
 * Stores jobs from a source that keeps them until they are stored. The source names and
 * numbers each call itself. So a call can be repeated, even by another process after this
 * one has died, without storing anything twice. Thread safe.
 */
public final class JobRelay {

	private final StoreCalls calls;

	/**
	 * Create a relay.
	 * @param prefix what all keys begin with
	 */
	public JobRelay(RedisConnections connections, String prefix) {
		this.calls = StoreCalls.ofBulk(connections, prefix);
	}

	/**
	 * Store jobs, unless a call with this or a greater number has been carried out. Redis
	 * remembers the number for at least an hour.
	 * @param source a name of 1 to 64 characters that no other source has
	 * @param number of the call; a source makes one call to a queue at a time, each with
	 * a greater number, or with the same number and the same first job when it is
	 * repeated
	 * @param jobs 1 to 1,000 jobs without delay, lock and order
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer; the
	 * jobs may be stored if it did not answer, and the call has to be repeated
	 */
	public void store(String source, long number, String queue, List<NewJob> jobs) {
		ScriptCall call = this.calls.to(Destination.Queue.ENQUEUE, queue)
			.add(source + "/0")
			.add(number)
			.add(jobs.size());
		jobs.forEach((job) -> call.add(job.id()).add(job.payload()));
		// Not waited for: the two travel in this order.
		this.calls.register(queue);
		String answer = this.calls.text(call);
		if (answer.equals("UPGRADE")) {
			throw new JobStoreException(
					"A newer version of Steady Jobs has changed the layout of queue '%s'; nothing ".formatted(queue)
							+ "was stored. Update this application.");
		}
		if (answer.equals("OTHER")) {
			throw new JobStoreException("Other jobs were stored in queue '%s' as call %d of '%s'; nothing was stored"
				.formatted(queue, number, source));
		}
	}

}
