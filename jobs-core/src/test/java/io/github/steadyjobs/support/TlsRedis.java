package io.github.steadyjobs.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.stream.Stream;

/**
 * A server for a single test that speaks TLS on one port and plain text on another. Its
 * self-signed certificate is valid for the loopback address. Needs an installed
 * redis-server with TLS, because the bundled one does not support TLS. Tests that use
 * this class have the tag {@code installed-redis}.
 */
public final class TlsRedis implements AutoCloseable {

	private static final String HOW_TO = "Profile 'installed-redis' needs a redis-server with TLS on the PATH. Install "
			+ "it (apt-get install redis-server), or leave the profile out";

	private static final String PASSWORD = "change-me";

	private final OwnRedis server;

	private final int tlsPort;

	private final Path certificate;

	private final Path key;

	private TlsRedis(Path directory, String... arguments) throws IOException, GeneralSecurityException {
		KeyStore keys = generateKeys(directory.resolve("keys.p12"));
		this.certificate = write(directory.resolve("redis.crt"), "CERTIFICATE",
				keys.getCertificate("redis").getEncoded());
		this.key = write(directory.resolve("redis.key"), "PRIVATE KEY",
				keys.getKey("redis", PASSWORD.toCharArray()).getEncoded());
		this.tlsPort = SentinelRedis.freePort();
		String[] tls = { "--tls-port", Integer.toString(this.tlsPort), "--tls-cert-file", this.certificate.toString(),
				"--tls-key-file", this.key.toString(), "--tls-ca-cert-file", this.certificate.toString() };
		this.server = OwnRedis.startExecutable(executable(),
				Stream.of(tls, arguments).flatMap(Stream::of).toArray(String[]::new));
	}

	/**
	 * Start a server.
	 * @param directory an empty directory
	 * @param arguments additional arguments, such as "--tls-auth-clients", "no"
	 * @return the running server
	 * @throws IllegalStateException if no redis-server is installed; the message says how
	 * to install it
	 */
	public static TlsRedis start(Path directory, String... arguments) {
		try {
			return new TlsRedis(directory, arguments);
		}
		catch (IOException | GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Path executable() {
		Path executable = ClockedRedis.onPath("redis-server");
		if (executable == null) {
			throw new IllegalStateException(HOW_TO);
		}
		return executable;
	}

	private static KeyStore generateKeys(Path file) throws IOException, GeneralSecurityException {
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-keystore", file.toString(), "-storepass", PASSWORD, "-alias", "redis", "-keyalg", "EC",
				"-dname", "CN=redis", "-ext", "SAN=ip:127.0.0.1,dns:localhost")
			.redirectErrorStream(true)
			.redirectOutput(Redirect.INHERIT)
			.start();
		if (keytool.onExit().join().exitValue() != 0) {
			throw new IllegalStateException("keytool could not create a certificate");
		}
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream input = Files.newInputStream(file)) {
			keys.load(input, PASSWORD.toCharArray());
		}
		return keys;
	}

	private static Path write(Path file, String kind, byte[] content) throws IOException {
		String lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content);
		return Files.writeString(file, "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(kind, lines, kind));
	}

	/**
	 * Return the server.
	 * @return the server, which accepts plain text on its other port
	 */
	public OwnRedis server() {
		return this.server;
	}

	/**
	 * Return the port on which the server speaks TLS.
	 * @return the port
	 */
	public int tlsPort() {
		return this.tlsPort;
	}

	/**
	 * Return the certificate of the server. The server also accepts this certificate from
	 * clients.
	 * @return a file in PEM format
	 */
	public Path certificate() {
		return this.certificate;
	}

	/**
	 * Return the private key of the certificate.
	 * @return a file in PEM format
	 */
	public Path key() {
		return this.key;
	}

	@Override
	public void close() {
		this.server.close();
	}

}
