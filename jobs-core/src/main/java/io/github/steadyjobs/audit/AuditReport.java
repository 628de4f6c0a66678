package io.github.steadyjobs.audit;

import java.util.List;
import java.util.Map;

/**
 * What an audit has found.
 *
 * @param violations what is wrong, at most {@value #MOST_LISTED} of all
 * @param counts how much is wrong, listed or not; a kind that did not occur is missing.
 * Where more is wrong than is listed, an id may count once for each of its places
 * @param looked how many entries of lists, sets and hashes were looked at
 * @param unconfirmed how many ids looked as if they were in no list or in several, and
 * were not searched for, as too many were to be searched for in too long lists; another
 * audit after a repair gets further
 */
public record AuditReport(List<Violation> violations, Map<ViolationKind, Long> counts, long looked, long unconfirmed) {

	/**
	 * How many violations are listed.
	 */
	public static final int MOST_LISTED = 10_000;

	public AuditReport {
		violations = List.copyOf(violations);
		counts = Map.copyOf(counts);
	}

	/**
	 * Return whether nothing is wrong.
	 * @return whether there is neither a violation nor an unconfirmed id
	 */
	public boolean isClean() {
		return this.counts.isEmpty() && this.unconfirmed == 0;
	}

}
