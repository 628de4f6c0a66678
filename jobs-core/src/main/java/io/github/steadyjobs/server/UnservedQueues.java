package io.github.steadyjobs.server;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.QueueRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports queues that have jobs but are not served by any process. A queue is reported
 * once, and again if a process has served it in the meantime.
 */
final class UnservedQueues {

	private static final Logger logger = LoggerFactory.getLogger(UnservedQueues.class);

	private static final String OF_QUEUE = "{} in queue {}, which no process serves. Add it to "
			+ "'steadyjobs.queues' or to a capsule";

	private static final String OF_SHARDS = "{} in shards of queue {}, which no process serves. Start a worker "
			+ "that has the job; where 'steadyjobs.sequential.nodes' splits shards up, every node has to run";

	private final QueueMonitor monitor;

	private final Set<String> served;

	private final Set<String> reported = new HashSet<>();

	UnservedQueues(QueueMonitor monitor, Set<String> served) {
		this.monitor = monitor;
		this.served = served;
	}

	void look() {
		List<String> unserved = this.monitor.unserved(this.served);
		Map<String, Long> waiting = new TreeMap<>();
		Set<String> sharded = new HashSet<>();
		this.monitor.sample(unserved).forEach((name, sample) -> {
			// Count retries too, because only workers of the queue make them ready.
			waiting.merge(QueueRef.queueOf(name), sample.ready() + sample.retries(), Long::sum);
			if (QueueRef.isPart(name)) {
				sharded.add(QueueRef.queueOf(name));
			}
		});
		waiting.forEach((queue, jobs) -> {
			if (jobs > 0 && this.reported.add(queue)) {
				logger.warn(sharded.contains(queue) ? OF_SHARDS : OF_QUEUE,
						(jobs == 1) ? "1 job waits" : jobs + " jobs wait", queue);
			}
		});
		this.reported.retainAll(waiting.keySet());
	}

}
