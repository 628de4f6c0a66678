package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;

/**
 * Stores jobs from a source that keeps them until they are stored. The source itself
 * assigns a name and number to each call. A call can therefore be repeated without
 * storing anything twice, even by another process after this process has died. Thread
 * safe.
 */
public final class JobRelay {

	private final StoreCalls calls;

	/**
	 * Create a relay.
	 * @param prefix the prefix of all keys
	 */
	public JobRelay(RedisConnections connections, String prefix) {
		this.calls = StoreCalls.ofBulk(connections, prefix);
	}

	/**
	 * Store jobs, unless a call with this number or a greater number has already been
	 * executed. Redis remembers the number for at least an hour.
	 * @param source a name of 1 to 64 characters that no other source uses
	 * @param number the number of the call. A source makes one call to a queue at a time.
	 * Each new call has a greater number; a repeated call has the same number and the
	 * same first job.
	 * @param jobs 1 to 1,000 unordered jobs without delays or locks
	 * @throws JobStoreException if Redis refused the call, is not reachable or did not
	 * answer; if Redis did not answer, the jobs may be stored, and the call must be
	 * repeated
	 */
	public void store(String source, long number, String queue, List<NewJob> jobs) {
		ScriptCall call = this.calls.to(Destination.Queue.ENQUEUE, queue)
			.add(source + "/0")
			.add(number)
			.add(jobs.size());
		jobs.forEach((job) -> call.add(job.id()).add(job.payload()));
		// There is no need to wait for this call, because Redis receives it before the
		// call below.
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
