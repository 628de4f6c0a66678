package io.github.steadyjobs.dashboard;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.github.steadyjobs.audit.JobAudit;

/**
 * Lets one viewer at a time run an audit, which takes memory for each waiting job.
 */
final class Audits {

	private final Lock lock = new ReentrantLock();

	private final JobAudit audit;

	Audits(JobAudit audit) {
		this.audit = audit;
	}

	/**
	 * Call a function with the audit, and return the result.
	 * @throws RefusedException if somebody else is using the audit
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
