package io.github.steadyjobs.doctor;

/**
 * Something that was found.
 *
 * @param check what was looked at
 * @param severity how bad it is
 * @param problem what is the case, and what follows from it
 * @param action what to do
 */
public record Finding(Check check, Severity severity, String problem, String action) {

	@Override
	public String toString() {
		return this.problem + " " + this.action;
	}

}
