package io.github.steadyjobs.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.io.ClassPathResource;

/**
 * The Lua scripts of this package, one file each. The header of a file states its keys,
 * arguments and answers. What several of them do in the same way stands in a file that
 * they include.
 */
enum JobScript {

	ENQUEUE(11), CLAIM(17), ACKNOWLEDGE(13), RETRY(13), BURY(14), RELEASE(13), PARK(12), UNPARK(9), CANCEL(16),
	BEAT(19), RECLAIM(16), SAMPLE(9), INSPECT(21), REPAIR(14), MEND(2), HEAL(13), QUARANTINE(2), HOLDERS(10), UNLOCK(8);

	private final int keys;

	private final byte[] source;

	private final byte[] digest;

	JobScript(int keys) {
		this.keys = keys;
		this.source = withIncluded(read(name().toLowerCase(Locale.ROOT) + ".lua"));
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

	/**
	 * Put shared functions in the place of the lines that ask for them, and so on in
	 * those: a script of Redis is one text.
	 */
	private static byte[] withIncluded(byte[] source) {
		return Pattern.compile("(?m)^ *--#include (\\w+)$")
			.matcher(new String(source, StandardCharsets.UTF_8))
			.replaceAll((match) -> Matcher
				.quoteReplacement(new String(withIncluded(read(match.group(1) + ".lua")), StandardCharsets.UTF_8)))
			.getBytes(StandardCharsets.UTF_8);
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
