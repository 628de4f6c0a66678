package io.github.steadyjobs.boot;

import java.util.function.Supplier;

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
 * Sets a mark in the history when a new version begins to run. All processes of the
 * version together set a single mark. The mark is set after a heartbeat was answered, so
 * Redis may be unavailable at start-up.
 */
final class DeployMark implements WorkerEvent.Listener {

	private static final Logger logger = LoggerFactory.getLogger(DeployMark.class);

	private final Supplier<JobHistory> history;

	private volatile @Nullable String label;

	/**
	 * Create a listener that will set the mark.
	 * @param label the label of the mark; {@code null} to set no mark
	 */
	DeployMark(Supplier<JobHistory> history, @Nullable String label) {
		this.history = history;
		this.label = label;
	}

	/**
	 * Return the label of the running version.
	 * @return the property, if it is set; otherwise the name and the version of the
	 * application, where the version comes from the build information or the manifest;
	 * {@code null} if the property is empty, the version is unknown, or the name and the
	 * version are not a valid label
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
		// The name distinguishes applications that share jobs and have the same version.
		String label = (environment.getProperty("spring.application.name", "") + " " + version).strip();
		return JobHistory.isLabel(label) ? label : null;
	}

	@Override
	public void told(WorkerEvent event) {
		String label = this.label;
		if (label != null && event instanceof WorkerEvent.Beat) {
			try {
				if (this.history.get().markOnce(label)) {
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
