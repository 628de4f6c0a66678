package io.github.steadyjobs.benchmarks.chaos;

import java.util.List;

/**
 * What a {@link History} says about ordered jobs. Violations are described in words.
 *
 * @param payloads number of payloads that were accepted, or ran without a confirmation
 * @param runs number of runs of keys, each with one payload or several
 * @param violations payloads that came after a newer one of their key
 * @param atOnce payloads that began while another one of their key was running
 */
record KeyOrder(int payloads, int runs, List<String> violations, List<String> atOnce) {

	boolean isKept() {
		return this.violations.isEmpty() && this.atOnce.isEmpty();
	}

}
