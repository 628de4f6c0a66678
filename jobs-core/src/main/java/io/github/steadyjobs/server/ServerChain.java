package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.ServerInterceptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The chain of calls around a run. The sources are called first, and put off the run
 * until their data is recent enough. The interceptors follow. Thread safe.
 */
final class ServerChain {

	/**
	 * How long a run is put off. Sources have already waited briefly, and a lagging
	 * replica takes seconds to catch up.
	 */
	private static final Duration PUT_OFF = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(ServerChain.class);

	private final ServerInterceptor[] interceptors;

	private final List<ConsistencySource> sources;

	ServerChain(List<ServerInterceptor> interceptors, List<ConsistencySource> sources) {
		this.interceptors = interceptors.toArray(ServerInterceptor[]::new);
		this.sources = List.copyOf(sources);
	}

	/** Create a run of a job inside all interceptors. */
	Run run(JobContext job, ServerInterceptor.Chain target) {
		return new Run(job, target);
	}

	/** A single run of a job. Used only once, by one thread. */
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
		 * Run the job, or put it off if the data of a source is not recent enough yet.
		 * Positions of unknown sources are ignored.
		 * @throws Exception if the job, an interceptor or a source throws an exception
		 */
		Outcome startOnceConsistent() throws Exception {
			Map<String, String> positions = this.job.consistency();
			if (positions.isEmpty()) {
				return start();
			}
			List<ConsistencySource> begun = new ArrayList<>(ServerChain.this.sources.size());
			try {
				for (ConsistencySource source : ServerChain.this.sources) {
					String position = positions.get(source.name());
					if (position != null) {
						if (!source.begin(position)) {
							logger.debug("Data of '{}' is not as new as {} yet", source.name(), position);
							return new Outcome.PutOff(PUT_OFF);
						}
						begun.add(source);
					}
				}
				return start();
			}
			finally {
				begun.forEach(Run::end);
			}
		}

		private static void end(ConsistencySource source) {
			try {
				source.end();
			}
			catch (RuntimeException ex) {
				// The result of the run is already known.
				logger.warn("Consistency source '{}' failed after a run", source.name(), ex);
			}
		}

		/**
		 * Run the job.
		 * @return {@code DONE}, or {@code SKIPPED} if an interceptor did not proceed
		 * @throws Exception if the job or an interceptor throws an exception
		 */
		Outcome start() throws Exception {
			proceed();
			return this.reachedTarget ? Outcome.DONE : Outcome.SKIPPED;
		}

		/**
		 * Return the log context in which the exception was first thrown. Interceptors
		 * have cleared that context by now.
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
			ServerInterceptor[] interceptors = ServerChain.this.interceptors;
			if (current < interceptors.length) {
				interceptors[current].intercept(this.job, this);
			}
			else if (current == interceptors.length) {
				this.reachedTarget = true;
				this.target.proceed();
			}
			else {
				throw new IllegalStateException("An interceptor proceeded more than once with job " + this.job);
			}
		}

	}

}
