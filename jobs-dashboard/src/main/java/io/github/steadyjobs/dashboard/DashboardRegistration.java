package io.github.steadyjobs.dashboard;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.boot.web.servlet.ServletRegistrationBean;

/**
 * Serves the dashboard on the port of the context that has this bean, and logs the
 * dashboard's address.
 */
final class DashboardRegistration extends ServletRegistrationBean<DashboardServlet> {

	static final String BEAN_NAME = "steadyJobsDashboardRegistration";

	private static final Logger logger = LoggerFactory.getLogger(DashboardRegistration.class);

	private final Dashboard dashboard;

	DashboardRegistration(Dashboard dashboard) {
		super(dashboard.servlet(), dashboard.path() + "/*");
		setName("steadyJobsDashboard");
		this.dashboard = dashboard;
	}

	@Override
	protected ServletRegistration.Dynamic addRegistration(String description, ServletContext servletContext) {
		announce(servletContext.getContextPath() + this.dashboard.path());
		return super.addRegistration(description, servletContext);
	}

	void announce(String path) {
		Access access = this.dashboard.access();
		logger.atLevel(access.isOpen() ? Level.WARN : Level.INFO)
			.log("Jobs dashboard available at '{}' {}", path, access.audience());
	}

}
