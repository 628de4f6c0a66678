package io.github.steadyjobs.boot;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.admin.JobHistory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.info.BuildProperties;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Marks in history that a new version runs, once for all processes: when the first
 * heartbeat is answered, so it does not matter if Redis is unavailable at the start.
 */
final class DeployMark implements WorkerEvent.Listener {

	private static final Logger logger = LoggerFactory.getLogger(DeployMark.class);

	private final JobHistory history;

	private volatile @Nullable String label;

	/**
	 * Create a mark that is not made yet.
	 * @param label its label; without one, no mark is made
	 */
	DeployMark(JobHistory history, @Nullable String label) {
		this.history = history;
		this.label = label;
	}

	/**
	 * Return the label of the running version.
	 * @return the property or, without it, the name of the application and its version by
	 * the build information or the manifest; {@code null} if the version is not known
	 */
	static @Nullable String label(HistoryProperties properties, @Nullable BuildProperties build,
			Environment environment) {
		if (properties.deployLabel() != null) {
			return StringUtils.hasText(properties.deployLabel()) ? properties.deployLabel() : null;
		}
		String version = RunProperties.version(build, environment);
		if (version.isEmpty()) {
			return null;
		}
		// Applications that share their jobs may have the same version.
		String label = (environment.getProperty("spring.application.name", "") + " " + version).strip();
		return JobHistory.isLabel(label) ? label : null;
	}

	@Override
	public void told(WorkerEvent event) {
		String label = this.label;
		if (label != null && event instanceof WorkerEvent.Beat) {
			try {
				if (this.history.markOnce(label)) {
					logger.info("Marked in the history of jobs: {}", label);
				}
				this.label = null;
			}
			catch (JobStoreException ex) {
				logger.debug("Left for the next heartbeat", ex);
			}
		}
	}

}
