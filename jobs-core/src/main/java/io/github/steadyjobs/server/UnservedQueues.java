package io.github.steadyjobs.server;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.QueueMonitor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports queues with jobs that no process serves, each once.
 */
final class UnservedQueues {

	private static final Logger logger = LoggerFactory.getLogger(UnservedQueues.class);

	private final QueueMonitor monitor;

	private final Set<String> served;

	private final Vitals vitals;

	private final Set<String> reported = new HashSet<>();

	UnservedQueues(QueueMonitor monitor, Set<String> served, Vitals vitals) {
		this.monitor = monitor;
		this.served = served;
		this.vitals = vitals;
	}

	void start(ScheduledExecutorService scheduler) {
		scheduler.scheduleWithFixedDelay(this::look, 10, 60, TimeUnit.SECONDS);
	}

	void look() {
		try {
			List<String> unserved = this.monitor.unserved(this.served);
			this.monitor.sample(unserved).forEach((queue, sample) -> {
				if (sample.ready() > 0 && this.reported.add(queue)) {
					logger.warn("{} jobs wait in queue {}, which no process serves. Add it to 'steadyjobs.queues' or "
							+ "to a capsule", sample.ready(), queue);
				}
			});
			this.reported.retainAll(unserved);
		}
		catch (JobStoreException ex) {
			logger.debug("Could not look for queues that nobody serves", ex);
		}
		catch (Throwable ex) {
			// An exception would end the schedule.
			logger.error("Looking for queues that nobody serves failed, trying again", ex);
			this.vitals.unexpected(ex);
		}
	}

}
