package io.github.steadyjobs.audit;

import java.util.List;

/**
 * What a repair has done.
 *
 * @param repaired what was repaired
 * @param gone what was no longer wrong, or must be left alone for now because it runs
 */
public record RepairReport(List<Violation> repaired, List<Violation> gone) {

	public RepairReport {
		repaired = List.copyOf(repaired);
		gone = List.copyOf(gone);
	}

}
