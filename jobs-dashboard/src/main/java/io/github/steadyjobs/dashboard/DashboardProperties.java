package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configuration properties for the dashboard.
 *
 * @param enabled Whether to serve the dashboard.
 * @param path Path of the dashboard below the context path.
 * @param port Port that serves the dashboard: the port of the application, or the
 * management port.
 * @param title Name of the system or the environment, shown on each page. If not set, the
 * name of the application is shown.
 * @param open Whether everybody who can reach the dashboard may change everything, in an
 * application without Spring Security. If not, only browsers on the same machine may.
 * @param readOnly Whether nobody may change anything.
 * @param showValues When to show arguments, metadata, keys and error messages.
 * @param roles Roles of Spring Security that may use the dashboard.
 * @param lateAfter Time that the oldest job of a queue may wait before the queue counts
 * as late.
 */
@ConfigurationProperties("steadyjobs.dashboard")
record DashboardProperties(@DefaultValue("false") boolean enabled, @DefaultValue("/jobs") String path,
		@DefaultValue("application") Port port, @Nullable String title, @DefaultValue("false") boolean open,
		@DefaultValue("false") boolean readOnly, @DefaultValue("when-authorized") ShowValues showValues,
		@DefaultValue Roles roles, @DefaultValue("1m") Duration lateAfter) {

	static final String PATH = "steadyjobs.dashboard.path";

	private static final Pattern VALID_PATH = Pattern.compile("(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+");

	/**
	 * Return the path, after checking it.
	 * @throws InvalidConfigurationPropertyValueException if no servlet can have this path
	 */
	String checkedPath() {
		// An exception from the constructor would not name the property.
		if (!VALID_PATH.matcher(this.path).matches()) {
			throw new InvalidConfigurationPropertyValueException(PATH, this.path,
					"It must begin with '/', must not end with '/', and may have letters, digits and '._~-', as in '/jobs' or '/admin/jobs'.");
		}
		return this.path;
	}

	/**
	 * Roles of Spring Security that may use the dashboard.
	 *
	 * @param view Roles that may look at the dashboard.
	 * @param operate Roles that may also make changes that can be undone, such as pauses.
	 * @param administer Roles that may also do everything else, such as deleting jobs.
	 */
	record Roles(@DefaultValue("JOBS_VIEW") Set<String> view, @DefaultValue("JOBS_OPERATE") Set<String> operate,
			@DefaultValue("JOBS_ADMINISTER") Set<String> administer) {

	}

	/** The port that serves the dashboard. */
	enum Port {

		/** The port of the application. */
		APPLICATION,

		/** Actuator's port, which is the port of the application unless it is set. */
		MANAGEMENT

	}

	/** The viewers to whom values of jobs are shown. */
	enum ShowValues {

		/** Everybody who may look at the dashboard. */
		ALWAYS,

		/**
		 * Viewers with the role to operate or, without Spring Security, viewers on the
		 * local machine.
		 */
		WHEN_AUTHORIZED,

		/** Nobody. */
		NEVER

	}

}
