package io.github.steadyjobs.doctor;

/**
 * A problem that the {@link Doctor} has found.
 *
 * @param check the check that found it
 * @param severity how bad it is
 * @param problem the problem and its consequences
 * @param action what to do
 */
public record Finding(Check check, Severity severity, String problem, String action) {

	@Override
	public String toString() {
		return this.problem + " " + this.action;
	}

	/** How bad a finding is, from harmless to worst. */
	public enum Severity {

		/** Not looked for. */
		OFF,

		/** Logged and shown as information. */
		INFO,

		/** Logged and shown as a warning. */
		WARN,

		/** Logged as an error. Health is down. */
		ERROR,

		/**
		 * The application does not start. Where Redis did not answer at start-up, the
		 * same as {@link #ERROR}.
		 */
		FAIL

	}

}
