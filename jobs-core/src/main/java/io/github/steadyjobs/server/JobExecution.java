package io.github.steadyjobs.server;

import java.util.List;

import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.JobDeathHandler;
import io.github.steadyjobs.JobErrorHandler;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.PayloadCodec;

/**
 * What it takes to run a job.
 *
 * @param registry the jobs that this process can run
 * @param codec reads and writes payloads
 * @param interceptors called around every run, the first one outermost
 * @param sources have data that some runs need to be new enough
 * @param retryDelay decides when a failed job runs again
 * @param handlers told of what happens
 */
public record JobExecution(JobRegistry registry, PayloadCodec codec, List<ServerInterceptor> interceptors,
		List<ConsistencySource> sources, RetryDelay retryDelay, Handlers handlers) {

	/**
	 * What an application wants to be told.
	 *
	 * @param listeners told of every run, in this order
	 * @param errors told of every failure, in this order
	 * @param deaths told of every death, in this order
	 */
	public record Handlers(List<JobListener> listeners, List<JobErrorHandler> errors, List<JobDeathHandler> deaths) {

		/**
		 * Nobody is told.
		 */
		public static final Handlers NONE = new Handlers(List.of(), List.of(), List.of());

		public Handlers {
			listeners = List.copyOf(listeners);
			errors = List.copyOf(errors);
			deaths = List.copyOf(deaths);
		}

	}

}
