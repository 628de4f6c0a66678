package io.github.steadyjobs.dashboard;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Serves the dashboard on the management port, which may have a separate context.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "steadyjobs.dashboard.port", havingValue = "management")
@ConditionalOnBean(Dashboard.class)
final class ManagementPortConfiguration {

	@Bean(DashboardRegistration.BEAN_NAME)
	DashboardRegistration steadyJobsDashboardRegistration(Dashboard dashboard) {
		return new DashboardRegistration(dashboard);
	}

}
