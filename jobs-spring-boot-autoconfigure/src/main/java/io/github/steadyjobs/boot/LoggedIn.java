package io.github.steadyjobs.boot;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.jspecify.annotations.Nullable;

/**
 * Finds the user who is logged in.
 */
@FunctionalInterface
interface LoggedIn {

	/**
	 * Return the name of the user of the current thread.
	 * @return the name; {@code null} if nobody is logged in
	 */
	@Nullable String name();

	/**
	 * Return the name for changes that no user has made: the application and its host.
	 */
	static String process(String application) {
		try {
			String host = InetAddress.getLocalHost().getHostName();
			return application.isEmpty() ? host : application + "@" + host;
		}
		catch (UnknownHostException ex) {
			return application.isEmpty() ? "localhost" : application + "@localhost";
		}
	}

}
