package io.github.steadyjobs.server;

import java.util.List;

import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.gate.Gate;
import io.github.steadyjobs.redis.PayloadCodec;

/**
 * Everything needed to run a job.
 *
 * @param registry the jobs that this process can run
 * @param codec reads and writes payloads
 * @param interceptors called around every run; the first interceptor is the outermost
 * @param sources the sources of data for runs that require recent data
 * @param retryDelay decides when a failed job runs again
 * @param listeners notified of runs and failures, in this order
 * @param gates create the gates, which decide in this order whether a job may begin
 */
public record JobExecution(JobRegistry registry, PayloadCodec codec, List<ServerInterceptor> interceptors,
		List<ConsistencySource> sources, RetryDelay retryDelay, List<JobListener> listeners, List<Gate.Maker> gates) {

	public JobExecution {
		listeners = List.copyOf(listeners);
		gates = List.copyOf(gates);
	}

}
