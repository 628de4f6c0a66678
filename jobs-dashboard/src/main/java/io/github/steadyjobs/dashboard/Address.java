package io.github.steadyjobs.dashboard;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Makes relative addresses. All pages are one level below the dashboard, so the address
 * of one is right on any other.
 */
final class Address {

	/** The first page. */
	static final String HOME = "./";

	private Address() {
	}

	/**
	 * Return the address of a page.
	 * @param page the page
	 * @param namesAndValues names of parameters, each followed by its value; those
	 * without a value are left out
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
