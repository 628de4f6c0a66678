package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * The Lua scripts that read and change queues, one file each, which states the keys,
 * arguments and answers. What several of them do in the same way stands in a file that
 * they include.
 */
enum JobScript {

	ENQUEUE, CLAIM, ACKNOWLEDGE, RETRY, BURY, REQUEUE, PARK, UNPARK, CANCEL, BEAT, RECOVER, SAMPLE, INSPECT, REPAIR,
	MEND, HEAL, QUARANTINE, HOLDERS, RELEASE_LOCK;

	private final ScriptSource source;

	private final byte[] digest;

	JobScript() {
		this.source = ScriptSource.read(file());
		this.digest = sha1(this.source.text());
	}

	/**
	 * Return the name of the file, without its ending.
	 */
	String file() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Return the names of the keys, in the order in which the script takes them.
	 */
	List<String> keys() {
		return this.source.keys();
	}

	byte[] source() {
		return this.source.text();
	}

	byte[] digest() {
		return this.digest;
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
