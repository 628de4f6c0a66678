package io.github.steadyjobs.redis;

/**
 * The permissions that a Redis user needs if its application enqueues and runs jobs.
 * Redis checks each command of a script, so a test compares this list with the commands
 * in the sources of all modules.
 */
final class AccessRule {

	private static final String COMMANDS = "+blpop +del +eval +evalsha +exists +get +hdel +hexists +hget +hgetall "
			+ "+hincrby +hkeys +hlen +hmget +hrandfield +hscan +hset +hsetnx +hvals +info +lindex +llen +lpos +lpush "
			+ "+lrange +lrem +ltrim +pexpire +renamenx +rpop +rpush +sadd +scard +set +sismember +smembers +smismember +srem "
			+ "+sscan +time +type +wait +zadd +zcard +zcount +zmscore +zrange +zrem +zscan +zscore";

	private AccessRule() {
	}

	/**
	 * Return the rule in the syntax of {@code ACL SETUSER}.
	 * @param prefix the prefix of all keys
	 */
	static String ofWorker(String prefix) {
		return "~" + prefix + ":* " + COMMANDS;
	}

}
