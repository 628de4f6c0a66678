package io.github.steadyjobs.server;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.JobStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds jobs that Redis records as held by this process although no capsule of the
 * process holds them. Redis may have come back with older data, in which an answered
 * settlement is missing, or an error in this library may have lost a job. No other
 * process would ever free such a job, because this process is alive. Used by one thread.
 * <p>
 * A job that is merely in transit is not a stray: a stray is a job that two consecutive
 * readings find recorded in Redis but not held here. If a stray is settled before it is
 * given back, its token becomes invalid, and giving the job back has no effect.
 */
final class StrayJobs {

	/** The number of heartbeats between two checks. By default, they take a minute. */
	private static final int ROUNDS_TO_LOOK = 12;

	private static final Logger logger = LoggerFactory.getLogger(StrayJobs.class);

	private final LivenessStore store;

	private final Presence presence;

	private final List<Manager> managers;

	private final Vitals vitals;

	private final JobRecovery recovery;

	/** The suspected strays that the last reading found, by queue. */
	private final Map<String, Set<JobToken>> suspected = new HashMap<>();

	private int rounds;

	private int upsets;

	StrayJobs(LivenessStore store, Presence presence, List<Manager> managers, Vitals vitals, JobRecovery recovery) {
		this.store = store;
		this.presence = presence;
		this.managers = managers;
		this.vitals = vitals;
		this.recovery = recovery;
	}

	/**
	 * Check once a minute by default, when Redis has come back or lost data, and again
	 * after a check that found suspected strays. Called with each heartbeat.
	 */
	void round() {
		int upsets = this.vitals.upsets();
		this.rounds++;
		if (this.rounds % ROUNDS_TO_LOOK == 0 || upsets != this.upsets || !this.suspected.isEmpty()) {
			this.upsets = upsets;
			this.presence.joined().forEach(this::look);
		}
	}

	private void look(String queue, String process) {
		try {
			Set<JobToken> strays = this.store.held(queue, process);
			strays.removeIf((token) -> this.managers.stream().anyMatch((manager) -> manager.fetcher().holds(token)));
			Set<JobToken> found = this.suspected.remove(queue);
			if (found != null) {
				found.retainAll(strays);
				strays.removeAll(found);
				this.recovery.putBack(queue, process, found);
			}
			if (!strays.isEmpty()) {
				this.suspected.put(queue, strays);
			}
		}
		catch (JobStoreException ex) {
			logger.debug("Jobs that this process does not hold are left in queue {} until the next look", queue, ex);
		}
	}

}
