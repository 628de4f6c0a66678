package io.github.steadyjobs.redis;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A lock as it stands in Redis, and what its job does at that moment.
 *
 * @param digest what is locked
 * @param kind what the lock keeps away
 * @param expiry when it counts no more, in milliseconds since the epoch; 0 for a mutex
 * @param holder the id of the job that has the lock
 * @param place where that job is, or {@code null} if it is gone
 * @param again whether a duplicate is to run once more
 * @param waiting ids of jobs that wait for the mutex, at most 100
 */
public record LockEntry(String digest, LockKind kind, long expiry, String holder, @Nullable QueuePart place,
		boolean again, List<String> waiting) {

	public LockEntry {
		waiting = List.copyOf(waiting);
	}

	static List<LockEntry> listOf(List<Object> answer) {
		List<LockEntry> entries = new ArrayList<>();
		for (Object entry : answer.subList(1, answer.size())) {
			entries.add(of((List<?>) entry));
		}
		return entries;
	}

	private static LockEntry of(List<?> fields) {
		List<String> waiting = ((List<?>) fields.get(6)).stream().map(Answers::ascii).toList();
		return new LockEntry(Answers.ascii(fields.get(0)), LockKind.of(Answers.ascii(fields.get(1)).charAt(0)),
				Long.parseLong(Answers.ascii(fields.get(2)), 16), Answers.ascii(fields.get(3)),
				place(Answers.ascii(fields.get(4))), (Long) fields.get(5) == 1, waiting);
	}

	private static @Nullable QueuePart place(String letter) {
		return switch (letter) {
			case "W" -> QueuePart.WORKING;
			case "S" -> QueuePart.SCHEDULED;
			case "T" -> QueuePart.RETRIES;
			case "K" -> QueuePart.PARKED;
			case "D" -> QueuePart.DEAD;
			case "R" -> QueuePart.READY;
			default -> null;
		};
	}

}
