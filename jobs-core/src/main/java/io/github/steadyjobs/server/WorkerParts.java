package io.github.steadyjobs.server;

import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

import io.github.steadyjobs.redis.WorkStore;

/**
 * What the managers of a process share.
 */
record WorkerParts(WorkStore store, JobExecution execution, WorkerSettings settings, JobRetry retry, Burial burial,
		Memberships memberships, SuspectLane suspects, DataWatch data, ClockWatch clock, WorkerEvents events,
		Outage outage, ScheduledExecutorService scheduler, LagOrder.Lags lags, UnaryOperator<String> damage,
		Hooks hooks, BooleanSupplier stopping) {

}
