package io.github.steadyjobs.audit;

import java.util.List;

/**
 * The result of a repair.
 *
 * @param repaired what was repaired
 * @param gone what was no longer wrong
 * @param left what is not repaired; {@link ViolationKind#remedy()} says how to fix it
 */
public record RepairReport(List<Violation> repaired, List<Violation> gone, List<Violation> left) {

	public RepairReport {
		repaired = List.copyOf(repaired);
		gone = List.copyOf(gone);
		left = List.copyOf(left);
	}

}
