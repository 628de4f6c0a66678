package io.github.steadyjobs.admin;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.KeySpace.QueueKeys;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.NumberedCalls;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes jobs for operators. Each script call does bounded work, and calls for
 * several queues are sent in one flush. All methods fail with a {@link JobStoreException}
 * if Redis refused a request, is not reachable or did not answer. Thread safe.
 */
final class AdminStore {

	/** Maximum number of jobs that one script call changes. */
	static final int CHANGED_AT_ONCE = 500;

	/** Maximum number of jobs that one call deletes from one place. */
	static final int PURGED_AT_ONCE = 1000;

	/** A page gets no more payloads once their total size reaches this limit. */
	private static final int MOST_BYTES = 1_000_000;

	static final JobScript BROWSE = JobScript.of(AdminStore.class, "browse");

	static final JobScript DESCRIBE = JobScript.of(AdminStore.class, "describe");

	static final JobScript CHANGE = JobScript.of(AdminStore.class, "change");

	static final JobScript PURGE = JobScript.of(AdminStore.class, "purge");

	static final JobScript EDIT = JobScript.of(AdminStore.class, "edit");

	private final StoreCalls calls;

	private final NumberedCalls removals;

	AdminStore(RedisConnections connections, String prefix, NumberedCalls removals) {
		this.calls = StoreCalls.of(connections, prefix);
		this.removals = removals;
	}

	/**
	 * Return the queues to which jobs were pushed and that have not been forgotten, with
	 * each shard listed separately.
	 * @param queue restricts the result to this queue or its shards; {@code null} for all
	 * queues
	 */
	List<String> parts(@Nullable String queue) {
		return this.calls.queues()
			.stream()
			.filter((part) -> queue == null || QueueRef.queueOf(part).equals(queue))
			.toList();
	}

	/**
	 * Return whether jobs can be moved to a queue. This is the case if the queue has no
	 * ordered jobs and is no shard, and jobs were pushed to it or a process serves it.
	 */
	boolean isPlainQueue(String queue) {
		if (QueueRef.isPart(queue)) {
			return false;
		}
		QueueKeys keys = this.calls.keys().queue(queue);
		List<CompletableFuture<Long>> processes = this.calls.commands().hashLengths(List.of(keys.get(QueuePart.BEATS)));
		boolean isKnown = this.calls.queues().contains(queue) || this.calls.commands().await(processes.get(0)) > 0;
		return isKnown && this.calls.commands()
			.await(this.calls.commands().hashValues(List.of(this.calls.keys().shards()), queue).get(0)) == null;
	}

	/**
	 * List some of the jobs in one place, in one round trip.
	 * @param after where to begin in each part: the third and fourth arguments of
	 * {@code browse.lua}, separated by a space if both are given; empty to begin at the
	 * start
	 * @param wanted the desired number of jobs from each part, 1 to 1,000
	 */
	Map<String, Listing> browse(QueuePart place, List<String> parts, Function<String, String> after, int wanted) {
		Map<String, Listing> listings = new LinkedHashMap<>();
		this.calls.runAll(parts, (part) -> {
			String[] position = after.apply(part).split(" ", 2);
			return this.calls.to(BROWSE, part)
				.add(place.text())
				.add(wanted)
				.add(position[0])
				.add((position.length > 1) ? position[1] : "");
		}).forEach((part, answer) -> listings.put(part, Listing.of(answer)));
		return listings;
	}

	/**
	 * Read payloads, in one round trip.
	 * @return payloads by id, {@code null} for a job without a payload. If the payloads
	 * are too large in total, the last payloads of a part are missing, but there is at
	 * least one payload for each part
	 */
	Map<String, byte @Nullable []> read(Map<String, List<String>> ids) {
		Map<String, byte @Nullable []> payloads = new LinkedHashMap<>();
		this.calls.runAll(ids.keySet(), (part) -> {
			ScriptCall call = this.calls.to(JobScript.READ, part).add(MOST_BYTES / ids.size());
			return withAll(call, ids.getOrDefault(part, List.of()));
		}).forEach((part, answer) -> {
			List<String> asked = ids.getOrDefault(part, List.of());
			for (int i = 0; i < answer.size(); i++) {
				payloads.put(asked.get(i), (byte[]) answer.get(i));
			}
		});
		return payloads;
	}

	/** Find a job by querying all given parts of queues in one round trip. */
	Optional<Description> describe(Collection<String> parts, String id) {
		return this.calls.runAll(parts, (part) -> this.calls.to(DESCRIBE, part).addText(id))
			.entrySet()
			.stream()
			.filter((answer) -> !answer.getValue().isEmpty())
			.findFirst()
			.map((answer) -> Description.of(answer.getKey(), answer.getValue()));
	}

	/**
	 * Make jobs ready to run.
	 * @param toHead whether the jobs go to the head of the queue
	 */
	Changed runNow(String part, QueuePart from, boolean toHead, List<String> ids) {
		return changed(this.calls.text(change(part, toHead ? "head" : "end", from, ids)));
	}

	/** Move jobs to the dead set. */
	Changed kill(String part, QueuePart from, DeadLimits limits, List<String> ids) {
		return changed(this.calls.text(kill(part, from, ids, limits)));
	}

	/**
	 * Move the first payload of an ordered job to the dead set.
	 * @param job the job as it was read before
	 * @param dead the job to add to the dead set, with only that payload
	 * @param rest the job with the remaining payloads; empty if there are none
	 * @return whether the job was still there and unchanged
	 */
	boolean killPayload(String id, Description job, NewJob dead, byte[] rest, DeadLimits limits) {
		ScriptCall call = kill(job.part(), job.place(), List.of(id), limits).add(JobScript.sha1(job.payload()))
			.add(dead.id())
			.add(dead.payload())
			.add(rest);
		return this.calls.text(call).equals("D");
	}

	/** Delete jobs. */
	Changed delete(String part, QueuePart from, List<String> ids) {
		return changed(this.removals.remove(CHANGE, part, (call) -> change(call, "deleted", from, ids)));
	}

	private ScriptCall kill(String part, QueuePart from, List<String> ids, DeadLimits limits) {
		return change(part, "dead", from, ids).add(limits.max()).add(limits.age().toMillis());
	}

	private ScriptCall change(String part, String goal, QueuePart from, List<String> ids) {
		return change(this.calls.to(CHANGE, part).add("").add(""), goal, from, ids);
	}

	private static ScriptCall change(ScriptCall call, String goal, QueuePart from, List<String> ids) {
		return withAll(call.add(goal).add(from.text()).add(ids.size()), ids);
	}

	private static Changed changed(String letters) {
		return new Changed(count(letters, 'D'), count(letters, 'G'));
	}

	private static int count(String letters, char wanted) {
		return (int) letters.chars().filter((letter) -> letter == wanted).count();
	}

	/**
	 * Delete the first jobs of one place, in one bounded step.
	 * @return the number of jobs that were deleted, and the number of jobs that are left
	 */
	long[] purge(String part, QueuePart place) {
		String answer = this.removals.remove(PURGE, part, (call) -> call.add(place.text()).add(PURGED_AT_ONCE));
		return Arrays.stream(answer.split(" ")).mapToLong(Long::parseLong).toArray();
	}

	/**
	 * Change a job that is not running.
	 * @param job the job as it was read before
	 * @param digest the new lock of the job; empty for no change
	 * @param due the new due time, in milliseconds since the epoch; {@code null} for no
	 * change
	 * @return the answer of {@code edit.lua}
	 */
	String edit(String id, Description job, byte[] payload, String digest, @Nullable Long due) {
		ScriptCall call = this.calls.to(EDIT, job.part())
			.add(id)
			.add(JobScript.sha1(job.payload()))
			.add(payload)
			.add(digest)
			.add((due != null) ? job.place().text() : "");
		return this.calls.text((due != null) ? call.add(due) : call.add(""));
	}

	private static ScriptCall withAll(ScriptCall call, List<String> ids) {
		ids.forEach(call::addText);
		return call;
	}

	/**
	 * The result of a change to jobs. Jobs that are not counted here have moved to
	 * another place.
	 *
	 * @param done the number of jobs that were changed
	 * @param gone the number of jobs that have ended, or that were cancelled but are
	 * still listed
	 */
	record Changed(int done, int gone) {

	}

	/**
	 * A page of the jobs in one place.
	 *
	 * @param next where the next page begins; empty or {@code @0} after the last page
	 * @param jobs for each job, by id, its time (in a sorted set) or its value (in a
	 * hash); an empty text in a list
	 */
	record Listing(String next, Map<String, String> jobs) {

		private static Listing of(List<Object> answer) {
			Map<String, String> jobs = new LinkedHashMap<>();
			for (int i = 1; i < answer.size(); i += 2) {
				jobs.put(Answers.utf8(answer.get(i)), Answers.utf8(answer.get(i + 1)));
			}
			return new Listing(Answers.text(answer, 0), jobs);
		}

	}

	/**
	 * A snapshot of a job.
	 *
	 * @param part the queue or the shard
	 * @param place the place of the job
	 * @param detail its time or value in that place, or an empty text
	 * @param payload the payload; empty for a running job that was cancelled
	 * @param crash its value in {@code crashes}; empty if it has no such value
	 * @param holder the id of the job for which it waits; empty if there is no such job
	 * @param paused the pause of its queue; empty if the queue is not paused
	 * @param processes the number of processes that serve its queue
	 * @param isDue whether the time at which it is due has passed
	 */
	record Description(String part, QueuePart place, String detail, byte[] payload, String crash, String holder,
			String paused, long processes, boolean isDue) {

		private static Description of(String part, List<Object> answer) {
			return new Description(part, QueuePart.of(Answers.text(answer, 0)), Answers.utf8(answer.get(1)),
					(byte[]) answer.get(2), Answers.utf8(answer.get(3)), Answers.text(answer, 4),
					Answers.utf8(answer.get(5)), Answers.number(answer, 6), Answers.number(answer, 7) == 1);
		}

	}

}
