package io.github.steadyjobs.boot;

import io.github.steadyjobs.admin.JobHistory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import static io.github.steadyjobs.boot.JobsPropertyException.throwUnless;

/**
 * Configuration properties for the history of runs.
 *
 * @param enabled Whether this process counts the runs of its jobs and marks the
 * deployment of new versions.
 * @param deployLabel Label of the mark that is set for a deployment. If not set, the name
 * and the version of the application are used. If empty, no mark is set.
 */
@ConfigurationProperties("steadyjobs.history")
record HistoryProperties(@DefaultValue("true") boolean enabled, @Nullable String deployLabel) {

	HistoryProperties {
		throwUnless(deployLabel == null || deployLabel.isEmpty() || JobHistory.isLabel(deployLabel),
				"steadyjobs.history.deploy-label", deployLabel,
				"Set it to 1 to %d characters without control characters, as in 'shop 1.4'."
					.formatted(JobHistory.LONGEST_LABEL));
	}

}
