package io.github.steadyjobs.doctor;

/**
 * A problem that the {@link Doctor} has found.
 *
 * @param check the check that found the problem
 * @param severity the severity of the problem
 * @param problem the problem and its consequences
 * @param action what to do
 */
public record Finding(Check check, Severity severity, String problem, String action) {

	@Override
	public String toString() {
		return this.problem + " " + this.action;
	}

	/** The severity of a finding, from lowest to highest. */
	public enum Severity {

		/** The check is switched off. */
		OFF,

		/** Logged and shown as information. */
		INFO,

		/** Logged and shown as a warning. */
		WARN,

		/** Logged as an error. The health status is DOWN. */
		ERROR,

		/**
		 * The application does not start. If Redis did not answer at start-up, this is
		 * the same as {@link #ERROR}.
		 */
		FAIL

	}

}
