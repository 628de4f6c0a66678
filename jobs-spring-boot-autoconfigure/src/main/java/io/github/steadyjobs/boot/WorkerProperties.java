package io.github.steadyjobs.boot;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings for the workers of this process.
 *
 * @param enabled Whether this process runs jobs. If not, it only enqueues jobs.
 * @param autoStartup Whether to start running jobs when the process starts.
 * @param remoteStop Scope of a stop that an operator orders: the whole process or only
 * its workers.
 * @param signals Whether this process reacts to signals: TSTP makes it quiet, and TTIN
 * dumps its threads to the log.
 */
record WorkerProperties(@DefaultValue("true") boolean enabled, @DefaultValue("true") boolean autoStartup,
		@DefaultValue("application") RemoteStop remoteStop, @DefaultValue("false") boolean signals) {

	/**
	 * The parts of this process that stop when an operator orders it to stop.
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
