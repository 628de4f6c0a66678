package io.github.steadyjobs.redis;

/**
 * The permissions that the Redis user of an application needs that enqueues and runs
 * jobs. A test derives them from the sources of all modules, because Redis checks each
 * command of a script.
 */
final class AccessRule {

	private static final String COMMANDS = "+blpop +del +eval +evalsha +exists +get +hdel +hexists +hget +hgetall "
			+ "+hincrby +hkeys +hlen +hmget +hrandfield +hscan +hset +hsetnx +hvals +info +lindex +llen +lpos +lpush "
			+ "+lrange +lrem +ltrim +pexpire +renamenx +rpop +rpush +sadd +scard +set +sismember +smembers +smismember +srem "
			+ "+sscan +time +type +wait +zadd +zcard +zcount +zmscore +zrange +zrem +zscan +zscore";

	private AccessRule() {
	}

	/**
	 * Return the rule as {@code ACL SETUSER} takes it.
	 * @param prefix what all keys begin with
	 */
	static String ofWorker(String prefix) {
		return "~" + prefix + ":* " + COMMANDS;
	}

}
