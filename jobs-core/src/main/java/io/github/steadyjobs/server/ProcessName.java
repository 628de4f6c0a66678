package io.github.steadyjobs.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * What this process is called in Redis. The random part makes it another process at each
 * start, also where host and process id are always the same, as in a container.
 *
 * @param host name of the host
 * @param pid id of the process
 * @param nonce random part
 */
record ProcessName(String host, long pid, String nonce) {

	static ProcessName create() {
		byte[] random = new byte[6];
		new SecureRandom().nextBytes(random);
		return new ProcessName(hostName(), ProcessHandle.current().pid(), HexFormat.of().formatHex(random));
	}

	private static String hostName() {
		String host;
		try {
			host = InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			host = "localhost";
		}
		// The parts of a token are separated by slashes, words of a claim by spaces.
		return host.replaceAll("[^A-Za-z0-9_.-]", "_");
	}

	@Override
	public String toString() {
		return this.host + ":" + this.pid + ":" + this.nonce;
	}

}
