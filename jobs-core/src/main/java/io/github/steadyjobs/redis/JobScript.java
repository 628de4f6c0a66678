package io.github.steadyjobs.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

import org.springframework.core.io.ClassPathResource;

/**
 * The Lua scripts of this package, one file each. The header of a file states its keys,
 * arguments and answers.
 */
enum JobScript {

	ENQUEUE(6), CLAIM(12), ACKNOWLEDGE(4), RETRY(6), BURY(5), RELEASE(6), PARK(4), UNPARK(4), CANCEL(7), BEAT(5),
	LEAVE(8), SAMPLE(8);

	private final int keys;

	private final byte[] source;

	private final byte[] digest;

	JobScript(int keys) {
		this.keys = keys;
		this.source = read(name().toLowerCase(Locale.ROOT) + ".lua");
		this.digest = sha1(this.source);
	}

	int keys() {
		return this.keys;
	}

	byte[] source() {
		return this.source;
	}

	byte[] digest() {
		return this.digest;
	}

	private static byte[] read(String file) {
		try {
			return new ClassPathResource(file, JobScript.class).getContentAsByteArray();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static byte[] sha1(byte[] text) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-1");
			return HexFormat.of().formatHex(digest.digest(text)).getBytes(StandardCharsets.US_ASCII);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("SHA-1, by which Redis names scripts, is missing", ex);
		}
	}

}
