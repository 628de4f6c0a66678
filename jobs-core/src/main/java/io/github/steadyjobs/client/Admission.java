package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How a queue took a job.
 *
 * @param kind whether the job was stored
 * @param holder the id of the job that has the lock, if this one was not stored; empty
 * otherwise
 */
public record Admission(Kind kind, String holder) {

	private static final Admission STORED = new Admission(Kind.STORED, "");

	/**
	 * Return whether the job is in the queue.
	 * @return whether it was stored
	 */
	public boolean isStored() {
		return this.kind != Kind.DUPLICATE && this.kind != Kind.RUNS_ONCE_MORE && this.kind != Kind.FULL;
	}

	/**
	 * Read the answer of {@code enqueue}: a letter per job, then the holders; or one
	 * letter for all jobs.
	 */
	public static List<Admission> of(String answer, int count) {
		if (answer.equals("S")) {
			return Collections.nCopies(count, STORED);
		}
		int jobs = answer.indexOf(' ');
		String letters = (jobs < 0) ? answer : answer.substring(0, jobs);
		String[] holders = (jobs < 0) ? new String[0] : answer.substring(jobs + 1).split(" ");
		List<Admission> admissions = new ArrayList<>(letters.length());
		int next = 0;
		for (int i = 0; i < letters.length(); i++) {
			Kind kind = Kind.of(letters.charAt(i));
			if (kind == Kind.STORED) {
				admissions.add(STORED);
			}
			else {
				boolean held = kind == Kind.DUPLICATE || kind == Kind.RUNS_ONCE_MORE;
				admissions.add(new Admission(kind, held ? holders[next++] : ""));
			}
		}
		return admissions;
	}

	/**
	 * How a queue takes a job.
	 */
	public enum Kind {

		/** It was stored. */
		STORED,

		/** It was stored, and has the lock of a job that is gone. */
		STORED_FOR_LOST,

		/** It was stored because the lock of a job that is still there has expired. */
		STORED_AFTER_EXPIRY,

		/** It was dropped as a duplicate. */
		DUPLICATE,

		/**
		 * It was dropped as a duplicate of a running job, and runs after that unless a
		 * newer duplicate does.
		 */
		RUNS_ONCE_MORE,

		/** It joined what waits for its key, or waits while that runs. */
		MERGED,

		/**
		 * It was refused, because the limit of payloads that wait for its key is reached.
		 */
		FULL;

		private static Kind of(char letter) {
			return switch (letter) {
				case 'S' -> STORED;
				case 'T' -> STORED_FOR_LOST;
				case 'X' -> STORED_AFTER_EXPIRY;
				case 'D' -> DUPLICATE;
				case 'R' -> RUNS_ONCE_MORE;
				case 'M' -> MERGED;
				case 'F' -> FULL;
				default -> throw new IllegalStateException("A script answered '" + letter + "'");
			};
		}

	}

}
