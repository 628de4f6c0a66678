package io.github.steadyjobs.audit;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.redis.WrongType;

/**
 * The result of an audit.
 *
 * @param violations the violations that were found; at most {@value #MOST_LISTED} are
 * listed
 * @param counts the number of violations of each kind, listed or not; kinds that did not
 * occur are missing. If not all violations are listed, an id may count once for each of
 * its places
 * @param looked the number of entries of lists, sets and hashes that were examined
 * @param unconfirmed the number of ids that seemed to be in no list or in several lists
 * but were not searched for, because there were too many such ids or the lists were too
 * long; another audit after a repair may examine more of them
 */
public record AuditReport(List<Violation> violations, Map<ViolationKind, Long> counts, long looked, long unconfirmed) {

	/** Maximum number of violations that are listed. */
	public static final int MOST_LISTED = 10_000;

	public AuditReport {
		violations = List.copyOf(violations);
		counts = Map.copyOf(counts);
	}

	/** Return whether there are no violations and no unconfirmed ids. */
	public boolean isClean() {
		return this.counts.isEmpty() && this.unconfirmed == 0;
	}

	/** Gathers the results of an audit, in bounded memory. Not thread safe. */
	static final class Draft {

		private final List<Violation> violations = new ArrayList<>();

		private final Map<ViolationKind, Long> counts = new EnumMap<>(ViolationKind.class);

		/**
		 * The listed violations, kept so that an id counts only once even if it is found
		 * in several places.
		 */
		private final Set<List<String>> listed = new HashSet<>();

		private long looked;

		private long unconfirmed;

		void add(Violation violation) {
			if (this.listed.contains(identity(violation))) {
				return;
			}
			this.counts.merge(violation.kind(), 1L, Long::sum);
			if (this.violations.size() < MOST_LISTED) {
				this.violations.add(violation);
				this.listed.add(identity(violation));
			}
		}

		void add(WrongType wrong) {
			add(new Violation(wrong.queue(), ViolationKind.WRONG_TYPE, "", wrong.key(), wrong.found()));
		}

		private static List<String> identity(Violation violation) {
			// An id counts once for each key with a bad value or a lock, and once for all
			// other violations.
			boolean ofKey = switch (violation.kind()) {
				case BAD_VALUE, LOCK_WITHOUT_JOB, LOST_DUPLICATE -> true;
				default -> violation.id().isEmpty();
			};
			return List.of(violation.queue(), violation.id(), ofKey ? violation.where() : "");
		}

		void looked(int entries) {
			this.looked += entries;
		}

		void unconfirmed(int ids) {
			this.unconfirmed += ids;
		}

		AuditReport report() {
			return new AuditReport(this.violations, this.counts, this.looked, this.unconfirmed);
		}

	}

}
