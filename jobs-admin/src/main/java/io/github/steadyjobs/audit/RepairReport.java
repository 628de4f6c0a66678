package io.github.steadyjobs.audit;

import java.util.List;

/**
 * The result of a repair.
 *
 * @param repaired the violations that were repaired
 * @param gone the violations that no longer existed
 * @param left the violations that were not repaired; see {@link ViolationKind#remedy()}
 * for how to fix them
 */
public record RepairReport(List<Violation> repaired, List<Violation> gone, List<Violation> left) {

	public RepairReport {
		repaired = List.copyOf(repaired);
		gone = List.copyOf(gone);
		left = List.copyOf(left);
	}

}
