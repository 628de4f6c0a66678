package io.github.steadyjobs.redis;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Makes names that nobody else has.
 */
final class RandomName {

	private RandomName() {
	}

	static String of(int bytes) {
		byte[] random = new byte[bytes];
		new SecureRandom().nextBytes(random);
		return HexFormat.of().formatHex(random);
	}

}
