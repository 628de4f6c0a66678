package io.github.steadyjobs.guide.dashboard;

import io.github.steadyjobs.dashboard.JobsDashboardRequest;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Code of {@code docs/dashboard.md}, which the tests of security use.
 */
@Configuration(proxyBeanMethods = false)
public class DashboardPage {

	@Bean
	@Order(1)
	SecurityFilterChain jobs(HttpSecurity http) throws Exception {
		return http.securityMatcher(JobsDashboardRequest.toDashboard())
			.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
			.httpBasic(Customizer.withDefaults())
			.build();
	}

}
