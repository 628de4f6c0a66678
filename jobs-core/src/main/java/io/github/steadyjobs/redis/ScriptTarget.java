package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;

import io.lettuce.core.protocol.CommandType;

/**
 * A script and the keys that it uses.
 *
 * @param keys the keys, in the order in which the script names them
 * @param head the beginning of each call, encoded for Redis
 */
record ScriptTarget(JobScript script, byte[][] keys, byte[] head) {

	static ScriptTarget of(JobScript script, byte[]... keys) {
		return new ScriptTarget(script, keys, head(CommandType.EVALSHA, script.digest(), keys));
	}

	private static byte[] head(CommandType type, byte[] script, byte[][] keys) {
		byte[][] arguments = new byte[2 + keys.length][];
		arguments[0] = script;
		arguments[1] = Integer.toString(keys.length).getBytes(StandardCharsets.US_ASCII);
		System.arraycopy(keys, 0, arguments, 2, keys.length);
		return CommandBytes.head(type, arguments);
	}

	byte[] headByText() {
		return head(CommandType.EVAL, this.script.source(), this.keys);
	}

	int elements() {
		return 3 + this.keys.length;
	}

}
