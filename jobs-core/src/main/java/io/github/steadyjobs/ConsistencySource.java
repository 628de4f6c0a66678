package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * A data store that jobs read from, possibly through a copy that lags behind. For jobs
 * that {@linkplain Idempotent#keepConsistency() keep their consistency}, the source
 * reports the position of the data when a job is enqueued, and ensures before the job
 * runs that the data has reached that position.
 * <p>
 * If duplicates of a job were dropped, the newest position among the job and its
 * duplicates is used. Every bean of this type is used. Implementations must be thread
 * safe, because many threads call them concurrently.
 */
public interface ConsistencySource {

	/**
	 * Return the name of the store. Positions are kept under this name.
	 * @return a {@linkplain Names#isName name}, which must never change
	 */
	String name();

	/**
	 * Return the current position of the data. Called just before a job is stored; if the
	 * job waits for a commit, after the commit. Usually called on the thread that
	 * enqueues the job, but on another thread if the job has to wait for Redis. If this
	 * method throws an exception or returns an invalid position, this is logged, and
	 * nothing is guaranteed for this job.
	 * @return 1 to 64 of the characters {@code A-Za-z0-9_.-}, with the same length as
	 * every other position of this store, and greater than all earlier positions when
	 * compared as text; {@code null} to guarantee nothing for this job
	 */
	@Nullable String position();

	/**
	 * Ensure that a run sees data that has reached a position. Called on the thread that
	 * is about to run the job. May wait briefly.
	 * @param position the position that the data must have reached
	 * @return whether the run may begin; otherwise the run is put off for a while, and
	 * this counts neither as a failure nor as a retry
	 * @throws Exception if the position cannot be checked; the run then fails
	 */
	boolean begin(String position) throws Exception;

	/**
	 * Handle the end of a run for which {@link #begin} returned {@code true}. Called on
	 * the same thread.
	 */
	default void end() {
	}

}
