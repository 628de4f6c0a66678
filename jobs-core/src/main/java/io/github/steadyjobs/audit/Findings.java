package io.github.steadyjobs.audit;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.redis.WrongType;

/**
 * Gathers what an audit finds, in bounded memory. Not thread safe.
 */
final class Findings {

	private final List<Violation> violations = new ArrayList<>();

	private final Map<ViolationKind, Long> counts = new EnumMap<>(ViolationKind.class);

	/**
	 * Ids that are listed, so that one which is met in each of its places counts once.
	 */
	private final Set<List<String>> listed = new HashSet<>();

	private long looked;

	private long unconfirmed;

	void add(Violation violation) {
		if (this.listed.contains(identity(violation))) {
			return;
		}
		this.counts.merge(violation.kind(), 1L, Long::sum);
		if (this.violations.size() < AuditReport.MOST_LISTED) {
			this.violations.add(violation);
			this.listed.add(identity(violation));
		}
	}

	void add(WrongType wrong) {
		add(new Violation(wrong.queue(), ViolationKind.WRONG_TYPE, "", wrong.key(), wrong.found()));
	}

	private static List<String> identity(Violation violation) {
		String key = violation.id().isEmpty() || isOfKey(violation.kind()) ? violation.where() : "";
		return List.of(violation.queue(), violation.id(), key);
	}

	/**
	 * Bad values and locks belong to a key; everything else to a job, wherever it is.
	 */
	private static boolean isOfKey(ViolationKind kind) {
		return switch (kind) {
			case BAD_VALUE, LOCK_WITHOUT_JOB, LOST_DUPLICATE -> true;
			default -> false;
		};
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
