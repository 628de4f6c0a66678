package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The result of adding a job to a queue.
 *
 * @param kind the answer of the queue to the job
 * @param holder the id of the job that holds the lock, if this job was dropped as a
 * duplicate; empty otherwise
 */
public record Admission(Kind kind, String holder) {

	private static final Admission STORED = new Admission(Kind.STORED, "");

	/**
	 * Return whether the job is in the queue.
	 * @return whether the job was stored
	 */
	public boolean isStored() {
		return this.kind != Kind.DUPLICATE && this.kind != Kind.RUNS_ONCE_MORE && this.kind != Kind.FULL;
	}

	/**
	 * Read the answer of the {@code enqueue} script: one letter per job, followed by the
	 * ids of the lock holders, or a single letter for all jobs.
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

	/** The answer of a queue to a job. */
	public enum Kind {

		/** The job was stored. */
		STORED,

		/** The job was stored, and took over the lock of a job that is gone. */
		STORED_FOR_LOST,

		/** The job was stored, because the lock of an existing equal job has expired. */
		STORED_AFTER_EXPIRY,

		/** The job was dropped as a duplicate. */
		DUPLICATE,

		/**
		 * The job is a duplicate of a running job, and will run after that job unless a
		 * newer duplicate replaces it.
		 */
		RUNS_ONCE_MORE,

		/**
		 * The job was merged into the job of its key, or waits for a run of the key to
		 * end.
		 */
		MERGED,

		/**
		 * The job was refused, because the payloads that wait for its key have already
		 * reached a limit.
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
