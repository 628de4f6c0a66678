package io.github.steadyjobs.admin;

import java.util.ArrayList;
import java.util.List;

/**
 * Gathers what became of violations. Not thread safe.
 */
final class Repairs {

	private final List<Violation> repaired = new ArrayList<>();

	private final List<Violation> gone = new ArrayList<>();

	void add(Violation violation, boolean done) {
		(done ? this.repaired : this.gone).add(violation);
	}

	RepairReport report() {
		return new RepairReport(this.repaired, this.gone);
	}

}
