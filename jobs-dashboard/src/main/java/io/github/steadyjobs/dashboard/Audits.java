package io.github.steadyjobs.dashboard;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.github.steadyjobs.audit.JobAudit;

/**
 * Lets one viewer at a time audit, because an audit takes memory for each job that waits.
 */
final class Audits {

	private final Lock lock = new ReentrantLock();

	private final JobAudit audit;

	Audits(JobAudit audit) {
		this.audit = audit;
	}

	/**
	 * Use the audit.
	 * @throws RefusedException if somebody else is using it
	 */
	<T> T use(Function<JobAudit, T> use) {
		if (!this.lock.tryLock()) {
			throw RefusedException.conflict(Words.of("refused.audit")).backTo(Area.AUDIT.address());
		}
		try {
			return use.apply(this.audit);
		}
		finally {
			this.lock.unlock();
		}
	}

}
