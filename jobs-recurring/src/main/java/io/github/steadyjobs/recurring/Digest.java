package io.github.steadyjobs.recurring;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 of texts, so that all processes arrive at the same choices.
 */
final class Digest {

	private Digest() {
	}

	/**
	 * Return 64 bits of a digest as a number.
	 */
	static long number(String text) {
		return ByteBuffer.wrap(of(text)).getLong();
	}

	/**
	 * Return 48 bits of a digest as 12 hex digits.
	 */
	static String hex(String text) {
		return HexFormat.of().formatHex(of(text), 0, 6);
	}

	private static byte[] of(String text) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("SHA-256, which every Java platform has, is missing", ex);
		}
	}

}
