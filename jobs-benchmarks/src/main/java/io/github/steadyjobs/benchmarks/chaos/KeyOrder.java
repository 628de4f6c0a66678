package io.github.steadyjobs.benchmarks.chaos;

import java.util.List;

/**
 * The findings about ordered jobs in a {@link History}. Violations are described in
 * words.
 *
 * @param payloads number of payloads that were accepted, or that ran although their push
 * was not confirmed
 * @param runs number of runs of keys, each with one or more payloads
 * @param violations payloads that ran after a newer payload of their key
 * @param atOnce payloads that began while another payload of their key was running
 */
record KeyOrder(int payloads, int runs, List<String> violations, List<String> atOnce) {

	boolean isKept() {
		return this.violations.isEmpty() && this.atOnce.isEmpty();
	}

}
