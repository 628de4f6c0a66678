package io.github.steadyjobs.dashboard;

import java.util.Locale;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes changes that a page of this dashboard has sent from changes that another
 * site makes a browser send.
 */
final class OwnOrigin {

	private OwnOrigin() {
	}

	/**
	 * Return whether a change comes from a page of this dashboard.
	 * @param isGuarded whether Spring Security has checked the token of the form
	 */
	static boolean isOriginOf(HttpServletRequest request, boolean isGuarded) {
		String site = request.getHeader("Sec-Fetch-Site");
		if (site != null) {
			return site.equals("same-origin");
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
