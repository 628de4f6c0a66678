package io.github.steadyjobs.server;

import java.util.List;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.ServerInterceptor;

/**
 * The interceptors around the runs of jobs. Thread safe.
 */
final class ServerChain {

	private final List<ServerInterceptor> interceptors;

	ServerChain(List<ServerInterceptor> interceptors) {
		this.interceptors = List.copyOf(interceptors);
	}

	/**
	 * Run a job inside of all interceptors.
	 * @return whether all of them proceeded, so that the job ran
	 * @throws Exception what the job or an interceptor threw
	 */
	boolean run(JobContext job, ServerInterceptor.Chain target) throws Exception {
		Position start = new Position(job, target);
		start.proceed();
		return start.reachedTarget;
	}

	private final class Position implements ServerInterceptor.Chain {

		private final JobContext job;

		private final ServerInterceptor.Chain target;

		private int next;

		private boolean reachedTarget;

		Position(JobContext job, ServerInterceptor.Chain target) {
			this.job = job;
			this.target = target;
		}

		@Override
		public void proceed() throws Exception {
			int current = this.next++;
			if (current < ServerChain.this.interceptors.size()) {
				ServerChain.this.interceptors.get(current).intercept(this.job, this);
			}
			else if (current == ServerChain.this.interceptors.size()) {
				this.reachedTarget = true;
				this.target.proceed();
			}
			else {
				throw new IllegalStateException("An interceptor proceeded more than once with job " + this.job);
			}
		}

	}

}
