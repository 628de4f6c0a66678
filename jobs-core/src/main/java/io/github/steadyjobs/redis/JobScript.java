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

	ENQUEUE(6), CLAIM(13), ACKNOWLEDGE(6), RETRY(7), BURY(7), RELEASE(7), PARK(5), UNPARK(4), CANCEL(8), BEAT(7),
	RECLAIM(11), SAMPLE(9), INSPECT(16), REPAIR(14), MEND(2), QUARANTINE(2);

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
