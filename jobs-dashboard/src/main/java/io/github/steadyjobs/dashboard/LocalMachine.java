package io.github.steadyjobs.dashboard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes requests from a browser on this machine. Headers of proxies are not trusted:
 * they only show that a request came through a proxy.
 */
final class LocalMachine {

	/**
	 * The names by which a browser on this machine may call this machine. Other names are
	 * refused, because anybody can register a name with the address 127.0.0.1, and a page
	 * of that name could then send requests to the dashboard.
	 */
	private static final Pattern HOST = Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d{1,5})?",
			Pattern.CASE_INSENSITIVE);

	private static final Set<String> OF_PROXIES = Set.of("forwarded", "via", "x-real-ip");

	/** The attribute that Tomcat sets if it took the address from a header. */
	private static final String FORWARDED = "org.apache.tomcat.request.forwarded";

	private LocalMachine() {
	}

	static boolean isOriginOf(HttpServletRequest wrapped) {
		HttpServletRequest request = unwrap(wrapped);
		String host = request.getHeader("Host");
		return isLoopback(request.getRemoteAddr()) && host != null && HOST.matcher(host).matches()
				&& !isForwarded(request);
	}

	/**
	 * Return the original request, because filters may hide headers and change the
	 * address.
	 */
	private static HttpServletRequest unwrap(HttpServletRequest request) {
		HttpServletRequest innermost = request;
		while (innermost instanceof ServletRequestWrapper wrapper
				&& wrapper.getRequest() instanceof HttpServletRequest inner) {
			innermost = inner;
		}
		return innermost;
	}

	private static boolean isForwarded(HttpServletRequest request) {
		// HTTP/1.0 is refused, because no browser uses it. A proxy with the default
		// settings of nginx does, and adds none of these headers.
		return request.getAttribute(FORWARDED) != null || "HTTP/1.0".equals(request.getProtocol())
				|| Collections.list(request.getHeaderNames())
					.stream()
					.map((name) -> name.toLowerCase(Locale.ROOT))
					.anyMatch((name) -> OF_PROXIES.contains(name) || name.startsWith("x-forwarded-"));
	}

	private static boolean isLoopback(@Nullable String address) {
		try {
			// This is the address of a socket, so no name is looked up.
			return address != null && InetAddress.getByName(address).isLoopbackAddress();
		}
		catch (UnknownHostException ex) {
			return false;
		}
	}

}
