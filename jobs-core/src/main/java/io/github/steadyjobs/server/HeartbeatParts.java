package io.github.steadyjobs.server;

import java.util.List;
import java.util.function.Consumer;

import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.WorkStore;

/**
 * What the answers to heartbeats are passed on to.
 *
 * @param look makes capsules look at a queue at once
 */
record HeartbeatParts(WorkStore store, JobRegistry registry, DataWatch data, DeathWatch watch, Reaper reaper,
		Sweeper sweeper, List<FetchWatch> fetching, Consumer<String> look, WorkerEvents events, Outage outage) {

	HeartbeatParts {
		fetching = List.copyOf(fetching);
	}

}
