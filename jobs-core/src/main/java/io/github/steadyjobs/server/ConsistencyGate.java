package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import io.github.steadyjobs.ConsistencySource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a run begin once all sources have data that is new enough for it, and puts it off
 * until then. Thread safe.
 */
final class ConsistencyGate {

	/**
	 * Sources have waited for a moment themselves; a replica that lags behind takes
	 * seconds to catch up.
	 */
	private static final Duration PUT_OFF = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(ConsistencyGate.class);

	private final List<ConsistencySource> sources;

	ConsistencyGate(List<ConsistencySource> sources) {
		this.sources = List.copyOf(sources);
	}

	/**
	 * Run, or put the run off.
	 * @param positions by the names of sources; those of unknown ones promise nothing
	 * @throws Exception what the run or a source threw
	 */
	Outcome pass(Map<String, String> positions, Callable<Outcome> run) throws Exception {
		if (positions.isEmpty()) {
			return run.call();
		}
		List<ConsistencySource> begun = new ArrayList<>(this.sources.size());
		try {
			for (ConsistencySource source : this.sources) {
				String position = positions.get(source.name());
				if (position != null) {
					if (!source.begin(position)) {
						logger.debug("Data of '{}' is not as new as {} yet", source.name(), position);
						return new Outcome.PutOff(PUT_OFF);
					}
					begun.add(source);
				}
			}
			return run.call();
		}
		finally {
			begun.forEach(ConsistencyGate::end);
		}
	}

	private static void end(ConsistencySource source) {
		try {
			source.end();
		}
		catch (RuntimeException ex) {
			// How the run ended is known by now.
			logger.warn("Consistency source '{}' failed after a run", source.name(), ex);
		}
	}

}
