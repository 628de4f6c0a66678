package io.github.steadyjobs.server;

import java.util.List;

import io.github.steadyjobs.redis.WorkStore;

/**
 * What the answers to heartbeats are passed on to.
 */
record HeartbeatParts(WorkStore store, List<String> jobNames, DataWatch data, DeathWatch watch, Reaper reaper,
		Sweeper sweeper, List<FetchWatch> fetching, WorkerEvents events, Outage outage) {

	HeartbeatParts {
		jobNames = List.copyOf(jobNames);
		fetching = List.copyOf(fetching);
	}

}
