package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.github.steadyjobs.redis.Answers;

/**
 * The answer from Redis to the settlement of a job.
 */
enum Settlement {

	/** The settlement was carried out. */
	DONE,

	/** The job was cancelled while it was running, and has ended. */
	CANCELLED,

	/** The settlement had been carried out before, but its answer was lost. */
	ALREADY,

	/** Another claim holds the job. Nothing was changed. */
	STALE;

	/** Convert an answer that has one letter per job, or one letter for all jobs. */
	static List<Settlement> of(List<Object> answer, int count) {
		String letters = Answers.text(answer, 0);
		if (letters.length() == 1) {
			return Collections.nCopies(count, of(letters.charAt(0)));
		}
		List<Settlement> settlements = new ArrayList<>(letters.length());
		for (int i = 0; i < letters.length(); i++) {
			settlements.add(of(letters.charAt(i)));
		}
		return settlements;
	}

	private static Settlement of(char letter) {
		return switch (letter) {
			case 'D' -> DONE;
			case 'C' -> CANCELLED;
			case 'A' -> ALREADY;
			case 'S' -> STALE;
			default -> throw new IllegalStateException("A script answered '" + letter + "'");
		};
	}

}
