package io.github.steadyjobs.doctor;

import java.util.Optional;

/**
 * What is wrong with one server.
 *
 * @param atMost the worst severity that this can have, whatever is set
 * @param problem what is the case, and what follows from it
 * @param action what to do
 */
record Verdict(Severity atMost, String problem, String action) {

	static Optional<Verdict> of(String problem, String action) {
		return Optional.of(new Verdict(Severity.FAIL, problem, action));
	}

}
