package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.KeySpace;
import io.github.steadyjobs.redis.PlainCommands;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets processes learn about each other: sends heartbeats, and recovers the jobs of dead
 * processes. All of these calls use a separate connection, so that other traffic does not
 * delay heartbeats. Methods that wait for an answer throw a {@link JobStoreException} if
 * Redis refused the call, is not reachable or did not answer. Thread safe.
 */
final class LivenessStore {

	private static final JobScript BEAT = JobScript.of(LivenessStore.class, "beat");

	private static final JobScript HELD = JobScript.of(LivenessStore.class, "held");

	private static final JobScript RECOVER = JobScript.of(LivenessStore.class, "recover");

	private static final Logger logger = LoggerFactory.getLogger(LivenessStore.class);

	private static final int MOVED_AT_ONCE = 1000;

	private static final int READ_AT_ONCE = 1000;

	private static final Duration PRODUCER_FORGOTTEN_AFTER = Duration.ofHours(1);

	private final StoreCalls calls;

	private final KeySpace keys;

	private final PlainCommands commands;

	private final DeadLimits dead;

	LivenessStore(RedisConnections connections, String prefix, DeadLimits dead) {
		this.dead = dead;
		// A separate connection, because a process looks dead if its heartbeats are
		// delayed for long.
		this.calls = StoreCalls.ofBeats(connections, prefix);
		this.keys = this.calls.keys();
		this.commands = this.calls.commands();
	}

	/**
	 * Send a heartbeat to a queue. The call also removes up to 100 dead jobs that exceed
	 * the maximum number or age. Neither blocks nor throws: the future completes, or
	 * fails with a {@link JobStoreException}, independently of other queues.
	 * @param process the name under which the process has joined the queue or is joining
	 * it
	 * @param join whether this is the first heartbeat
	 * @param state decides whether the running jobs become suspects if the process dies
	 * @param interrupted the runs that this process already knows to interrupt, as listed
	 * in earlier answers
	 */
	CompletableFuture<Beat> beat(String queue, String process, boolean join, Beat.ProcessState state,
			String interrupted) {
		ScriptCall call = this.calls.to(BEAT, queue)
			.add(process)
			.add(join ? "1" : "0")
			.add(state.text())
			.add(PRODUCER_FORGOTTEN_AFTER.toSeconds())
			.add(this.dead.max())
			.add(this.dead.age().toMillis())
			.add(interrupted);
		return this.calls.send(call).thenApply(Beat::of);
	}

	/**
	 * Read the heartbeat counters of queues that this process has not joined, in one
	 * round trip.
	 * @return the counters of the processes as in {@link Beat#counters()}, by queue;
	 * queues whose counters cannot be read are omitted
	 */
	Map<String, Map<String, Long>> counters(Collection<String> queues) {
		List<String> names = List.copyOf(queues);
		Map<String, Map<String, Long>> counters = new LinkedHashMap<>();
		Answers
			.awaitAll(names, this.commands.hashes(this.calls.keys(names, QueuePart.BEATS)), this.commands.deadline(),
					(queue, ex) -> logger.debug("The heartbeats of queue {} cannot be read", queue, ex))
			.forEach((queue, answer) -> counters.put(queue, Beat.counters(answer)));
		return counters;
	}

	/**
	 * Read which jobs of a queue a process holds, in bounded steps.
	 * @param process the name under which the process has joined the queue
	 */
	Set<JobToken> held(String queue, String process) {
		Set<JobToken> held = new LinkedHashSet<>();
		String cursor = "0";
		do {
			List<Object> answer = this.calls.run(this.calls.to(HELD, queue).add(process).add(cursor).add(READ_AT_ONCE));
			cursor = Answers.text(answer, 0);
			for (int i = 1; i < answer.size(); i += 2) {
				held.add(new JobToken(queue, process, Answers.text(answer, i), Answers.text(answer, i + 1)));
			}
		}
		while (!cursor.equals("0"));
		return held;
	}

	/**
	 * Read the stored payload of a job.
	 * @return the payload, or {@code null} if the job is no longer stored, for example
	 * because it was cancelled
	 */
	byte @Nullable [] payload(JobToken token) {
		ScriptCall call = this.calls.to(JobScript.READ, token.queue()).add(1).add(token.id());
		return (byte[]) this.calls.run(call).get(0);
	}

	/**
	 * Remove a dead process from a queue and give its jobs back, in one bounded step.
	 * @param process the name under which the process had joined the queue
	 * @param counter the counter at which the process was found dead
	 * @param crashes the number of crashes after which a job must not run again
	 * @return the answer; the call must be repeated until no job is left
	 */
	RecoveryStep recover(String queue, String process, long counter, int crashes) {
		return recover(queue, process, Beat.observed(counter), crashes);
	}

	/**
	 * Remove this process from a queue and give its jobs back, in one bounded step. Jobs
	 * that earlier claims still deliver after this call must not be started.
	 * @param process the name under which the process has joined the queue
	 * @return the answer; the call must be repeated until no job is left
	 */
	RecoveryStep leave(String queue, String process) {
		return recover(queue, process, "", 1);
	}

	private RecoveryStep recover(String queue, String process, String observed, int crashes) {
		ScriptCall call = this.calls.to(RECOVER, queue).add(process).add(observed).add(MOVED_AT_ONCE).add(crashes);
		return RecoveryStep.of(this.calls.run(call), queue, process);
	}

	/**
	 * Acquire or renew the lease for checking queues that its holder does not serve. The
	 * lease only avoids duplicate work: two holders do no harm.
	 * @param held whether the process held the lease until now
	 * @param time how long the lease lasts
	 * @return whether the process holds the lease
	 */
	boolean lease(String process, boolean held, Duration time) {
		return this.commands.await(this.commands.setIf(this.keys.sweeper(), process, held, time)) != null;
	}

	/**
	 * Acquire or renew the lease for running suspects. The lease only saves capacity: two
	 * holders do no harm.
	 * @param held whether the process held the lease until now
	 * @param time how long the lease lasts
	 * @return whether the process holds the lease
	 */
	boolean leaseSuspects(String process, boolean held, Duration time) {
		return this.commands.await(this.commands.setIf(this.keys.isolating(), process, held, time)) != null;
	}

	void endLeaseOfSuspects() {
		this.commands.await(this.commands.delete(this.keys.isolating()));
	}

	/** Remove the names of processes whose reports have expired. */
	void forgetExpired() {
		Map<String, CompletableFuture<Boolean>> found = new LinkedHashMap<>();
		this.commands.members(this.keys.processNames())
			.forEach((process) -> found.put(process, this.commands.exists(this.keys.process(process))));
		remove(this.keys.processNames(),
				found.entrySet()
					.stream()
					.filter((process) -> !this.commands.await(process.getValue()))
					.map(Map.Entry::getKey)
					.toList());
	}

	/** Remove queues from the set of queue names. */
	void forget(Collection<String> queues) {
		remove(this.keys.queueNames(), queues);
	}

	private void remove(byte[] set, Collection<String> names) {
		names.stream().map((name) -> this.commands.removeMember(set, name)).toList().forEach(this.commands::await);
	}

	/** Add queues to the set of queue names. */
	void register(Collection<String> queues) {
		queues.stream().map(this.calls::register).toList().forEach(this.commands::await);
	}

	/**
	 * Return the names of all queues that have received jobs. Queues that have been
	 * unused for an hour are left out.
	 */
	List<String> queues() {
		return this.calls.queues();
	}

}
