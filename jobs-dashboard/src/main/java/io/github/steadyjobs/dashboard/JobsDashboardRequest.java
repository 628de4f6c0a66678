package io.github.steadyjobs.dashboard;

import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.security.web.servlet.ApplicationContextRequestMatcher;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.context.WebApplicationContext;

/**
 * Matchers of requests for the dashboard, for rules of Spring Security. They match only
 * on the port that serves the dashboard, follow {@code steadyjobs.dashboard.path}, and
 * match nothing if the dashboard is switched off.
 */
public final class JobsDashboardRequest {

	private JobsDashboardRequest() {
	}

	/**
	 * Return a matcher of all requests for the dashboard.
	 * @return a matcher for rules of Spring Security
	 */
	public static RequestMatcher toDashboard() {
		return new Matcher(false);
	}

	/**
	 * Return a matcher of requests for the dashboard that may change something.
	 * @return a matcher for rules of Spring Security
	 */
	public static RequestMatcher toChanges() {
		return new Matcher(true);
	}

	private static final class Matcher extends ApplicationContextRequestMatcher<Dashboard> {

		private final boolean changes;

		private volatile RequestMatcher delegate = (request) -> false;

		Matcher(boolean changes) {
			super(Dashboard.class);
			this.changes = changes;
		}

		@Override
		protected boolean ignoreApplicationContext(WebApplicationContext context) {
			// The other port may serve other pages under this path.
			return !context.containsLocalBean(DashboardRegistration.BEAN_NAME);
		}

		@Override
		protected void initialized(Supplier<Dashboard> dashboard) {
			this.delegate = PathPatternRequestMatcher.pathPattern(dashboard.get().path() + "/**");
		}

		@Override
		protected boolean matches(HttpServletRequest request, Supplier<Dashboard> dashboard) {
			return this.delegate.matches(request) && !(this.changes && isRead(request.getMethod()));
		}

		private static boolean isRead(String method) {
			return method.equals("GET") || method.equals("HEAD");
		}

	}

}
