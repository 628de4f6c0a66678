package io.github.steadyjobs.boot;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Worker of this process.
 *
 * @param enabled Whether this process runs jobs. If not, it only enqueues.
 * @param autoStartup Whether to start running jobs along with the application.
 * @param remoteStop What ends when an operator tells this process to stop.
 * @param signals Whether the signal TSTP makes this process quiet, and TTIN dumps its
 * threads to the log.
 */
record WorkerProperties(@DefaultValue("true") boolean enabled, @DefaultValue("true") boolean autoStartup,
		@DefaultValue("application") RemoteStop remoteStop, @DefaultValue("false") boolean signals) {

	/**
	 * What ends when an operator tells a process to stop.
	 */
	enum RemoteStop {

		/**
		 * The whole application.
		 */
		APPLICATION,

		/**
		 * Only the workers.
		 */
		WORKERS

	}

}
