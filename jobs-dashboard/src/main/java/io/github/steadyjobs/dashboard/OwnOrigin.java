package io.github.steadyjobs.dashboard;

import java.util.Locale;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes changes that a page of this dashboard has sent from changes that another
 * site makes a browser send.
 */
final class OwnOrigin {

	/** The header with which a browser says where a request comes from. */
	static final String SITE = "Sec-Fetch-Site";

	/** The value of the header for requests that come from the pages themselves. */
	static final String OWN = "same-origin";

	private OwnOrigin() {
	}

	/**
	 * Return whether a change comes from a page of this dashboard.
	 * @param isGuarded whether Spring Security has checked the token of the form
	 */
	static boolean isOriginOf(HttpServletRequest request, boolean isGuarded) {
		String site = request.getHeader(SITE);
		if (site != null) {
			return site.equals(OWN);
		}
		String origin = request.getHeader("Origin");
		return isGuarded || (origin != null && origin.equals(own(request)));
	}

	private static @Nullable String own(HttpServletRequest request) {
		String host = request.getHeader("Host");
		// Browsers omit the default port in both headers.
		return (host != null) ? request.getScheme() + "://" + host.toLowerCase(Locale.ROOT) : null;
	}

}
