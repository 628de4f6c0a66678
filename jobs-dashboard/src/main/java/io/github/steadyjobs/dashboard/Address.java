package io.github.steadyjobs.dashboard;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Builds relative addresses. All pages are one level below the dashboard, so a relative
 * address is the same on every page.
 */
final class Address {

	/** The address of the overview. */
	static final String HOME = "./";

	private Address() {
	}

	/**
	 * Return the address of a page.
	 * @param page the name of the page; empty for the overview
	 * @param namesAndValues names of parameters, each followed by its value; a parameter
	 * is left out if its value is {@code null}
	 */
	static String of(String page, @Nullable Object... namesAndValues) {
		StringBuilder address = new StringBuilder(page.isEmpty() ? HOME : page);
		for (int i = 0; i < namesAndValues.length; i += 2) {
			if (namesAndValues[i + 1] != null) {
				address.append((address.indexOf("?") < 0) ? '?' : '&')
					.append(namesAndValues[i])
					.append('=')
					.append(URLEncoder.encode(String.valueOf(namesAndValues[i + 1]), StandardCharsets.UTF_8));
			}
		}
		return address.toString();
	}

}
