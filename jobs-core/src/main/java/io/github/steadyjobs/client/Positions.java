package io.github.steadyjobs.client;

import java.util.List;
import java.util.regex.Pattern;

import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.redis.NewLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks all sources how far their data has come. Thread safe.
 */
final class Positions {

	private static final Pattern POSITION = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

	private static final Logger logger = LoggerFactory.getLogger(Positions.class);

	private final List<ConsistencySource> sources;

	Positions(List<ConsistencySource> sources) {
		this.sources = List.copyOf(sources);
	}

	/**
	 * Return a job with the positions that its data should have when it runs.
	 */
	PreparedJob stamp(PreparedJob job) {
		NewLock lock = job.job().lock();
		return (lock == null || !job.keepConsistency()) ? job : job.with(lock.with(now()));
	}

	private String now() {
		StringBuilder positions = new StringBuilder();
		for (ConsistencySource source : this.sources) {
			String position = position(source);
			if (!position.isEmpty()) {
				positions.append(positions.isEmpty() ? "" : ";").append(source.name()).append('=').append(position);
			}
		}
		return positions.toString();
	}

	private static String position(ConsistencySource source) {
		try {
			String position = source.position();
			if (position == null || POSITION.matcher(position).matches()) {
				return (position != null) ? position : "";
			}
			logger.error("Consistency source '{}' returned the position '{}', which is not 1 to 64 of the characters "
					+ "A-Za-z0-9_.-; the job is stored without", source.name(), position);
		}
		catch (RuntimeException ex) {
			// The job may wait for nothing else than to be stored after its commit.
			logger.warn("Consistency source '{}' cannot tell its position, and the job is stored without",
					source.name(), ex);
		}
		return "";
	}

}
