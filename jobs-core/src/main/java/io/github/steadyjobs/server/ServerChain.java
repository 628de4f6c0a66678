package io.github.steadyjobs.server;

import java.util.List;
import java.util.Map;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.ServerInterceptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The interceptors around the runs of jobs. Thread safe.
 */
final class ServerChain {

	private final List<ServerInterceptor> interceptors;

	ServerChain(List<ServerInterceptor> interceptors) {
		this.interceptors = List.copyOf(interceptors);
	}

	/**
	 * Create a run of a job inside of all interceptors.
	 */
	Run run(JobContext job, ServerInterceptor.Chain target) {
		return new Run(job, target);
	}

	/**
	 * One run of a job. Used by one thread, once.
	 */
	final class Run implements ServerInterceptor.Chain {

		private final JobContext job;

		private final ServerInterceptor.Chain target;

		private int next;

		private boolean reachedTarget;

		private @Nullable Map<String, String> logContext;

		private Run(JobContext job, ServerInterceptor.Chain target) {
			this.job = job;
			this.target = target;
		}

		/**
		 * Run the job.
		 * @return whether all interceptors proceeded, so that the job ran
		 * @throws Exception what the job or an interceptor threw
		 */
		boolean start() throws Exception {
			proceed();
			return this.reachedTarget;
		}

		/**
		 * Return the log context in which something was thrown first, which interceptors
		 * have cleared by now.
		 */
		@Nullable Map<String, String> logContext() {
			return this.logContext;
		}

		@Override
		public void proceed() throws Exception {
			try {
				call(this.next++);
			}
			catch (Throwable ex) {
				if (this.logContext == null) {
					this.logContext = MDC.getCopyOfContextMap();
				}
				throw ex;
			}
		}

		private void call(int current) throws Exception {
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
