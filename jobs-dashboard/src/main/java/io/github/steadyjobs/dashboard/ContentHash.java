package io.github.steadyjobs.dashboard;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Computes short hashes, by which equal content is recognized.
 */
final class ContentHash {

	private static final int LENGTH = 8;

	private ContentHash() {
	}

	/** Return the hash of some content, as 16 hexadecimal digits. */
	static String of(byte[] content) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
			return HexFormat.of().formatHex(hash, 0, LENGTH);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("SHA-256, which every Java platform has, is missing", ex);
		}
	}

}
