package io.github.steadyjobs.postgres;

import org.jspecify.annotations.Nullable;

/**
 * How far a server has got, according to itself.
 *
 * @param replica whether it replays the log of another one
 * @param replayed the end of the last record that it replayed, which a server that was
 * promoted keeps; {@code null} if it never replayed any
 * @param pageSize bytes of a page of the log
 */
record Progress(boolean replica, @Nullable WalPosition replayed, long pageSize) {

	/**
	 * Return whether this is a replica that has all data of a position.
	 */
	boolean hasReplayed(WalPosition wanted) {
		return this.replica && this.replayed != null && this.replayed.covers(wanted, this.pageSize);
	}

}
