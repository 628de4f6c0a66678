package io.github.steadyjobs.dashboard;

import io.github.steadyjobs.admin.JobLock;
import io.github.steadyjobs.admin.JobLocks;

/**
 * Releases a lock if it is still held by the job that the viewer saw.
 */
final class ReleaseAction extends Action {

	private static final String NAME = "release-lock";

	private final JobLocks locks;

	ReleaseAction(JobLocks locks) {
		super(NAME, Area.LOCKS, Role.ADMINISTER);
		this.locks = locks;
	}

	static String address(JobLock lock) {
		return Address.of(NAME, "queue", lock.queue(), "digest", lock.digest(), "holder", lock.holder());
	}

	@Override
	Question question(Visit visit) {
		String queue = visit.required("queue");
		String digest = visit.required("digest");
		String holder = visit.required("holder");
		return new Question(NAME, NAME, Plain.line(holder), Plain.line(queue)).field(Field.hidden("queue", queue))
			.field(Field.hidden("digest", digest))
			.field(Field.hidden("holder", holder))
			.cannotBeUndone()
			.backTo(back(queue));
	}

	private static String back(String queue) {
		return Address.of(Area.LOCKS.page(), "queue", queue);
	}

	@Override
	Redirect perform(Visit visit) {
		String queue = visit.required("queue");
		Notice notice = switch (this.locks.release(queue, visit.required("digest"), visit.required("holder"))) {
			case RELEASED -> Notice.LOCK_RELEASED;
			case CHANGED -> Notice.LOCK_CHANGED;
			case NOT_LOCKED -> Notice.NOT_LOCKED;
		};
		return new Redirect(back(queue), notice, 0, 0);
	}

}
