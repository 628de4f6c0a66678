package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * A store whose data a job reads, possibly from a copy that lags behind. It says how far
 * the data has come when a job is enqueued, and makes sure of that before the job runs,
 * for jobs that {@linkplain Idempotent#keepConsistency() keep their consistency}.
 * <p>
 * The newest position of a job and all of its dropped duplicates counts. Every bean of
 * this type takes part. Called by many threads at once.
 */
public interface ConsistencySource {

	/**
	 * Return the name of the store, under which positions are kept.
	 * @return a {@linkplain Names#isName name}, always the same
	 */
	String name();

	/**
	 * Return how far the data has come. Called on the thread that enqueues a job, inside
	 * its transaction if there is one.
	 * @return 1 to 64 of the characters {@code A-Za-z0-9_.-}, as long as any other
	 * position of this store and greater as a text than all earlier ones; {@code null} to
	 * promise nothing about this job
	 */
	@Nullable String position();

	/**
	 * Make sure, on the thread that is about to run a job, that the run sees data of at
	 * least a position. May wait for a moment.
	 * @param position the newest position that is known
	 * @return whether the run may begin; otherwise it is put off for a while, which
	 * counts neither as a failure nor as a retry
	 * @throws Exception if it cannot tell; the run then fails
	 */
	boolean begin(String position) throws Exception;

	/**
	 * Take note, on the same thread, that a run for which {@link #begin} returned
	 * {@code true} has ended.
	 */
	default void end() {
	}

}
