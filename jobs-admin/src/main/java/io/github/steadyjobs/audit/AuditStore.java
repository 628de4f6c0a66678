package io.github.steadyjobs.audit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.KeySpace;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import io.github.steadyjobs.redis.WrongType;

/**
 * Reads and repairs data for an audit. Each call is one script of bounded work, and fails
 * with a {@link JobStoreException} if Redis refused, is not reachable or did not answer.
 * Ids are texts with one character per byte, so that foreign ids are found again. Thread
 * safe.
 */
public final class AuditStore {

	/** The most ids that one call takes. */
	static final int IDS_AT_ONCE = 500;

	static final JobScript INSPECT = JobScript.of(AuditStore.class, "inspect");

	static final JobScript REPAIR = JobScript.of(AuditStore.class, "repair");

	static final JobScript HEAL = JobScript.of(AuditStore.class, "heal");

	static final JobScript QUARANTINE = JobScript.of(AuditStore.class, "quarantine");

	private final String prefix;

	private final StoreCalls calls;

	public AuditStore(RedisConnections connections, String prefix) {
		this.prefix = prefix;
		this.calls = StoreCalls.of(connections, prefix);
	}

	/**
	 * Return the names of all queues that were pushed to and not forgotten, including
	 * foreign names.
	 */
	List<String> queues() {
		return this.calls.commands().members(this.calls.keys().queueNames());
	}

	/**
	 * Return whether a name is valid for a queue or a shard. The other methods need a
	 * valid name.
	 */
	static boolean isQueueName(String name) {
		return KeySpace.isQueue(name);
	}

	List<WrongType> wrongTypes(String queue) {
		return WrongType.inQueues(List.of(queue), this.calls);
	}

	List<WrongType> wrongTypesOutsideOfQueues() {
		return WrongType.outsideOfQueues(this.calls);
	}

	/**
	 * Return how many jobs a queue has, whatever their state.
	 * @return how many payloads there are
	 */
	long jobs(String queue) {
		byte[] payloads = this.calls.keys().queue(queue).get(QueuePart.PAYLOADS);
		return this.calls.commands().await(this.calls.commands().hashLengths(List.of(payloads)).get(0));
	}

	/**
	 * Read a page of a key, and find where its ids are.
	 * @param cursor "0", or {@code next} of the previous page
	 * @param count how many entries, about; of a list at most
	 * @return the page, empty for a key of a wrong type
	 */
	public Page page(String queue, QueuePart part, String cursor, int count) {
		return Page.of(this.calls.run(inspectCall(queue, part.text()).add(cursor).add(count)));
	}

	/**
	 * Read a key from end to end, page by page.
	 * @param count how many entries a page has, about
	 */
	void eachEntry(String queue, QueuePart part, int count, Consumer<Entry> consumer) {
		String cursor = "0";
		do {
			Page page = page(queue, part, cursor, count);
			page.entries().forEach(consumer);
			cursor = page.next();
		}
		while (!cursor.equals("0"));
	}

	/**
	 * Find out where ids are, except in lists.
	 * @param ids up to {@link #IDS_AT_ONCE} ids
	 * @return an entry for each
	 */
	Page look(String queue, List<String> ids) {
		return Page.of(this.calls.run(addAll(inspectCall(queue, "ids"), ids)));
	}

	/**
	 * Find out where ids are, lists included. A search through a million ids takes Redis
	 * 10 ms, so the longer the lists, the fewer ids one call looks for.
	 * @param ids up to {@link #IDS_AT_ONCE} ids
	 * @return an entry for each of the first ids, at least for one
	 */
	Page search(String queue, List<String> ids) {
		return Page.of(this.calls.run(addAll(inspectCall(queue, "lists"), ids)));
	}

	/**
	 * Move each id to the one place where it belongs. Repeating it is harmless.
	 * @param ids up to {@link #IDS_AT_ONCE} different ids
	 * @return for each of the first ids, at least for one, whether there was something to
	 * repair
	 * @throws JobStoreException also if a key other than {@link QueuePart#READY} has a
	 * wrong type
	 */
	List<Boolean> repair(String queue, List<String> ids) {
		ScriptCall call = this.calls.to(REPAIR, queue);
		return this.calls.text(addAll(call, ids)).chars().mapToObj((letter) -> letter == 'R').toList();
	}

	/**
	 * End an entry that is kept for locks and would never end by itself. Repeating it is
	 * harmless.
	 * @param part the key that holds it
	 * @param id the field or member
	 * @param value the value as it was found
	 * @return whether there was something to end
	 */
	boolean heal(String queue, QueuePart part, String id, String value) {
		return answersOne(this.calls.to(HEAL, queue).add(part.text()).add(bytes(id)).add(bytes(value)));
	}

	/**
	 * Rename a key whose value is of a wrong type.
	 * @param time when, in milliseconds since the epoch: a part of the new name
	 * @return whether there was something to rename
	 */
	boolean quarantine(WrongType wrong, long time) {
		// In the same slot and below the prefix, because the user may be limited to it.
		String name = wrong.queue().isEmpty() ? "%s:damaged:{%s}:%d".formatted(this.prefix, wrong.key(), time)
				: "%s:damaged:%d".formatted(wrong.key(), time);
		return answersOne(ScriptCall
			.on(QUARANTINE, wrong.key().getBytes(StandardCharsets.UTF_8), name.getBytes(StandardCharsets.UTF_8))
			.add(wrong.expected()));
	}

	private ScriptCall inspectCall(String queue, String what) {
		return this.calls.to(INSPECT, queue).add(what);
	}

	private static ScriptCall addAll(ScriptCall call, List<String> ids) {
		ids.forEach((id) -> call.add(bytes(id)));
		return call;
	}

	private boolean answersOne(ScriptCall call) {
		return this.calls.number(call) == 1;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

	/**
	 * A part of the contents of a queue, and where each of its ids was at that moment.
	 *
	 * @param next where the next page begins, "0" after the last one
	 * @param weight bytes of payloads, or list elements that were compared
	 * @param entries what was found
	 */
	public record Page(String next, long weight, List<Entry> entries) {

		static Page of(List<Object> answer) {
			List<Entry> entries = new ArrayList<>((answer.size() - 2) / 3);
			for (int i = 2; i < answer.size(); i += 3) {
				entries.add(new Entry(Answers.text(answer, i), Answers.text(answer, i + 1),
						new JobState(Answers.text(answer, i + 2))));
			}
			return new Page(Answers.text(answer, 0), Answers.number(answer, 1), entries);
		}

	}

	/**
	 * An entry of a list, set, sorted set or hash.
	 *
	 * @param id the element, member or field, one character per byte
	 * @param value the score or the value, empty for payloads and where there is none
	 * @param state where the id was
	 */
	public record Entry(String id, String value, JobState state) {

	}

}
