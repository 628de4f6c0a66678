package io.github.steadyjobs.redis;

/**
 * What the death of a process would mean for the jobs that it runs.
 */
public enum ProcessState {

	/**
	 * Each of them may be to blame.
	 */
	RUNNING(""),

	/**
	 * None is: they were about to be put back anyway.
	 */
	STOPPING("stopping");

	private final String text;

	ProcessState(String text) {
		this.text = text;
	}

	String text() {
		return this.text;
	}

}
