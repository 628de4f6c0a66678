package io.github.steadyjobs.audit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import io.github.steadyjobs.redis.WrongType;

/**
 * Reads and repairs data for an audit. Each call runs one script that does bounded work.
 * A call fails with a {@link JobStoreException} if Redis refused it, is not reachable or
 * did not answer. Ids are strings with one character per byte, so that ids written by
 * other programs are preserved exactly. Thread safe.
 */
public final class AuditStore {

	/** Maximum number of ids in one call. */
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
	 * Return the names of all queues to which jobs were pushed and that have not been
	 * forgotten. Invalid names are included, although the other methods do not accept
	 * them.
	 */
	List<String> queues() {
		return this.calls.commands().members(this.calls.keys().queueNames());
	}

	List<WrongType> wrongTypes(String queue) {
		return WrongType.inQueues(List.of(queue), this.calls);
	}

	List<WrongType> wrongTypesOutsideOfQueues() {
		return WrongType.outsideOfQueues(this.calls);
	}

	/** Return the number of jobs in a queue, in all states. */
	long jobs(String queue) {
		byte[] payloads = this.calls.keys().queue(queue).get(QueuePart.PAYLOADS);
		return this.calls.commands().await(this.calls.commands().hashLengths(List.of(payloads)).get(0));
	}

	/**
	 * Read a page of a key, and find out in which places its ids are.
	 * @param cursor "0", or {@code next} of the previous page
	 * @param count the approximate number of entries (for a list, the maximum number)
	 * @return the page; empty if the key has the wrong type
	 */
	public Page page(String queue, QueuePart part, String cursor, int count) {
		return Page.of(this.calls.run(inspectCall(queue, part.text()).add(cursor).add(count)));
	}

	/**
	 * Read a key from end to end, page by page.
	 * @param count the approximate number of entries on a page
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
	 * Find out where ids are, but do not search the lists.
	 * @param ids up to {@link #IDS_AT_ONCE} ids
	 */
	Page look(String queue, List<String> ids) {
		return Page.of(this.calls.run(addAll(inspectCall(queue, "ids"), ids)));
	}

	/**
	 * Find out where ids are, and search the lists too. Redis takes 10 ms to search a
	 * million elements, so a call looks for fewer ids if the lists are longer.
	 * @param ids up to {@link #IDS_AT_ONCE} ids
	 * @return the entries of the first ids, at least one entry
	 */
	Page search(String queue, List<String> ids) {
		return Page.of(this.calls.run(addAll(inspectCall(queue, "lists"), ids)));
	}

	/**
	 * Move each id to the one place where it belongs. Repeating the call is harmless.
	 * @param ids up to {@link #IDS_AT_ONCE} different ids
	 * @return for each of the first ids, at least one, whether there was anything to
	 * repair
	 * @throws JobStoreException also if a key other than {@link QueuePart#READY} has the
	 * wrong type
	 */
	List<Boolean> repair(String queue, List<String> ids) {
		ScriptCall call = this.calls.to(REPAIR, queue);
		return this.calls.text(addAll(call, ids)).chars().mapToObj((letter) -> letter == 'R').toList();
	}

	/**
	 * Repair an entry of a lock or of an ordered job that would otherwise stay for ever.
	 * Repeating the call is harmless.
	 * @param value the value as it was found
	 */
	boolean heal(String queue, QueuePart part, String id, String value) {
		return answersOne(this.calls.to(HEAL, queue).add(part.text()).add(bytes(id)).add(bytes(value)));
	}

	/**
	 * Rename a key whose value has the wrong type.
	 * @param time the current time in milliseconds since the epoch, which becomes part of
	 * the new name
	 */
	boolean quarantine(WrongType wrong, long time) {
		// The new name is in the same slot and starts with the prefix, because the Redis
		// user may be limited to keys with that prefix.
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
	 * Some entries of a queue, with a snapshot of the places of each id.
	 *
	 * @param next where the next page begins; "0" after the last page
	 * @param weight the total size of the payloads in bytes or, for a search, the number
	 * of list elements that were compared; otherwise 0
	 * @param entries the entries that were found
	 */
	public record Page(String next, long weight, List<Entry> entries) {

		static Page of(List<Object> answer) {
			List<Entry> entries = new ArrayList<>((answer.size() - 2) / 3);
			for (int i = 2; i < answer.size(); i += 3) {
				entries
					.add(new Entry(Answers.text(answer, i), Answers.text(answer, i + 1), Answers.text(answer, i + 2)));
			}
			return new Page(Answers.text(answer, 0), Answers.number(answer, 1), entries);
		}

	}

	/**
	 * An entry of a list, set, sorted set or hash.
	 *
	 * @param id the element, member or field, with one character per byte
	 * @param value the score or the value; empty for payloads and for entries without a
	 * value
	 * @param letters the places of the id, in the notation of {@code inspect.lua}
	 */
	public record Entry(String id, String value, String letters) {

		private static final Map<Character, QueuePart> PLACES = new TreeMap<>(Map.of('W', QueuePart.WORKING, 'M',
				QueuePart.WORKING, 'G', QueuePart.WORKING, 'S', QueuePart.SCHEDULED, 'T', QueuePart.RETRIES, 'D',
				QueuePart.DEAD, 'K', QueuePart.PARKED, 'L', QueuePart.READY, 'Q', QueuePart.SUSPECTS));

		/**
		 * Return the places of the id. A place that holds the id twice is listed twice.
		 * Lists are included only if they were searched.
		 */
		List<QueuePart> places() {
			List<QueuePart> places = new ArrayList<>(2);
			for (int i = 0; i < this.letters.length(); i++) {
				QueuePart place = PLACES.get(this.letters.charAt(i));
				if (place != null) {
					places.add(place);
				}
			}
			Collections.sort(places);
			return places;
		}

		/** Return a copy of this entry with the list as an additional place of the id. */
		Entry in(QueuePart list) {
			return new Entry(this.id, this.value, this.letters + ((list == QueuePart.READY) ? 'L' : 'Q'));
		}

		boolean hasPayload() {
			return has('P');
		}

		/**
		 * Return whether the id is cancelled and will be dropped when it is next claimed.
		 */
		boolean isCancelled() {
			return has('C');
		}

		/** Return whether the id is being worked on under a token that cannot be read. */
		boolean hasUnreadableToken() {
			return has('M');
		}

		/** Return whether the id or claim belongs to a process without a heartbeat. */
		boolean belongsToNobody() {
			return has('G');
		}

		/** Return whether crashes are counted or a time is stored for the id. */
		boolean isCounted() {
			return has('X') || has('N');
		}

		/**
		 * Return whether the entry belongs to a lock or to an ordered job, and would stay
		 * for ever without a repair.
		 */
		boolean isOrphan() {
			return has('O');
		}

		private boolean has(char letter) {
			return this.letters.indexOf(letter) >= 0;
		}

	}

}
