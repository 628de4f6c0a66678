package io.github.steadyjobs.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.Beat;
import io.github.steadyjobs.redis.WorkStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings jobs back that were {@linkplain Parking parked}, if this process may run them.
 * Thread safe.
 */
final class ParkedJobs {

	private static final Logger logger = LoggerFactory.getLogger(ParkedJobs.class);

	private final WorkStore store;

	private final JobRegistry registry;

	private final Consumer<String> look;

	private final Executor chores;

	private final Map<String, Long> everParked = new ConcurrentHashMap<>();

	/**
	 * Create parked jobs.
	 * @param registry the jobs that this process knows
	 * @param look makes capsules look at a queue at once
	 * @param chores where jobs are brought back
	 */
	ParkedJobs(WorkStore store, JobRegistry registry, Consumer<String> look, Executor chores) {
		this.store = store;
		this.registry = registry;
		this.look = look;
		this.chores = chores;
	}

	/**
	 * Take note of the answer to a heartbeat.
	 */
	void seen(String queue, Beat beat) {
		// Only after more were parked: looking through parked jobs takes a while, and
		// some may wait for a job that this process will never have.
		Long before = this.everParked.put(queue, beat.everParked());
		if (beat.parked() > 0 && (before == null || before != beat.everParked())) {
			this.chores.execute(() -> bringBack(queue, before == null));
		}
	}

	private void bringBack(String queue, boolean first) {
		try {
			long moved = this.store.unpark(queue, Parking.reasonsOfOthers(this.registry, first));
			if (moved > 0) {
				this.look.accept(queue);
				logger.info("{} parked jobs of queue {} go on, as this process may be able to run them", moved, queue);
			}
		}
		catch (JobStoreException ex) {
			if (first) {
				this.everParked.remove(queue);
			}
			else {
				this.everParked.put(queue, -1L);
			}
			logger.debug("Parked jobs of queue {} will be looked at again", queue, ex);
		}
	}

}
