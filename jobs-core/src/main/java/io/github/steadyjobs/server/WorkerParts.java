package io.github.steadyjobs.server;

import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;

import io.github.steadyjobs.redis.WorkStore;

/**
 * What the managers of a process share.
 */
record WorkerParts(WorkStore store, JobExecution execution, WorkerSettings settings, JobRetry retry,
		Memberships memberships, Outage outage, ScheduledExecutorService scheduler, LagOrder.Lags lags,
		BooleanSupplier stopping) {

}
