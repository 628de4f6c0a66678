package io.github.steadyjobs.dashboard;

/**
 * The message about the action that led to a page. The address of the page contains only
 * the name of the message, so nobody can make a link that shows any other text.
 */
enum Notice {

	PAUSED(true), RESUMED(true), ALREADY_PAUSED(false), NOT_PAUSED(false), PAUSE_REPLACED(false), PURGED(true),
	JOB_CHANGED(true), JOB_DELETED(true), JOB_CANCELLED(true), JOBS_CHANGED(true), JOBS_STOPPED(false), TRIGGERED(true),
	RUNS_ONCE_MORE(true), RECURRING_CREATED(true), RECURRING_CHANGED(true), RECURRING_DELETED(true), REVIVED(true),
	LOCK_RELEASED(true), LOCK_CHANGED(false), NOT_LOCKED(false), REPAIRED(true), QUIET_SENT(true), STOP_SENT(true),
	DUMP_SENT(true), PROCESS_GONE(false);

	private final boolean done;

	Notice(boolean done) {
		this.done = done;
	}

	/** Return whether the action changed something. */
	boolean isDone() {
		return this.done;
	}

	String text(long count, long others) {
		return Words.of("notice." + Visit.text(this), count, others);
	}

}
