package io.github.steadyjobs.doctor;

/**
 * How bad a finding is, from harmless to worst.
 */
public enum Severity {

	/**
	 * Not looked for.
	 */
	OFF,

	/**
	 * Logged and shown as information.
	 */
	INFO,

	/**
	 * Logged and shown as a warning.
	 */
	WARN,

	/**
	 * Logged as an error. Health is down.
	 */
	ERROR,

	/**
	 * The application does not start. Where Redis did not answer at start-up, the same as
	 * {@link #ERROR}.
	 */
	FAIL

}
