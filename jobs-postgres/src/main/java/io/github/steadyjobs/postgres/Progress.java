package io.github.steadyjobs.postgres;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a server in the log, as reported by the server itself.
 *
 * @param replica whether the server replays the log of another server
 * @param replayed the end of the last replayed record, which stays available after a
 * promotion; {@code null} if it has never replayed a record
 * @param pageSize the number of bytes in a page of the log
 */
record Progress(boolean replica, @Nullable WalPosition replayed, long pageSize) {

	/**
	 * Return whether this is a replica that has all data up to a position.
	 */
	boolean hasReplayed(WalPosition wanted) {
		return this.replica && this.replayed != null && this.replayed.covers(wanted, this.pageSize);
	}

}
