package io.github.steadyjobs.observation;

import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An observation and its scope. They cannot disturb the observed job, because exceptions
 * of conventions, filters and handlers are only logged. Used by one thread.
 */
final class GuardedObservation {

	private static final Logger logger = LoggerFactory.getLogger(GuardedObservation.class);

	/** Whether a failure was logged as a warning. More warnings would fill the log. */
	private static volatile boolean warned;

	private final ObservationRegistry registry;

	private final Observation.@Nullable Scope outer;

	private Observation observation = Observation.NOOP;

	private Observation.@Nullable Scope scope;

	private GuardedObservation(ObservationRegistry registry) {
		this.registry = registry;
		this.outer = registry.getCurrentObservationScope();
	}

	/** Start an observation, and open its scope. */
	static GuardedObservation start(ObservationRegistry registry, Supplier<Observation> unstarted) {
		GuardedObservation guarded = new GuardedObservation(registry);
		guarded.start(unstarted);
		return guarded;
	}

	private void start(Supplier<Observation> unstarted) {
		try {
			Observation created = unstarted.get();
			if (!created.isNoop()) {
				this.observation = created.start();
				this.scope = created.openScope();
			}
		}
		catch (Throwable ex) {
			failed(ex);
			this.registry.setCurrentObservationScope(this.outer);
		}
	}

	/** Close the scope. */
	void leave() {
		try {
			if (this.scope != null) {
				this.scope.close();
			}
		}
		catch (Throwable ex) {
			failed(ex);
			this.registry.setCurrentObservationScope(this.outer);
		}
	}

	/** Stop the observation. */
	void stop(@Nullable Throwable error) {
		try {
			if (error != null) {
				this.observation.error(error);
			}
			this.observation.stop();
		}
		catch (Throwable ex) {
			failed(ex);
		}
	}

	private static void failed(Throwable failure) {
		if (warned) {
			logger.debug("An observation of jobs has failed", failure);
			return;
		}
		warned = true;
		logger.warn("An observation of jobs has failed, which changes nothing for the jobs. Further failures are "
				+ "logged at debug level", failure);
	}

}
