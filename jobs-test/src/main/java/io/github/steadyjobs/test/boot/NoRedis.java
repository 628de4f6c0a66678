package io.github.steadyjobs.test.boot;

import io.lettuce.core.AbstractRedisClient;

import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisSentinelConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The connection factory of a test without Redis. It has no client. If something needs a
 * connection, an exception says what to do.
 */
final class NoRedis extends LettuceConnectionFactory {

	@Override
	public AbstractRedisClient getRequiredNativeClient() {
		throw missing();
	}

	@Override
	public RedisConnection getConnection() {
		throw missing();
	}

	@Override
	public RedisClusterConnection getClusterConnection() {
		throw missing();
	}

	@Override
	public RedisSentinelConnection getSentinelConnection() {
		throw missing();
	}

	private static IllegalStateException missing() {
		return new IllegalStateException("Jobs are kept in memory in this test. What was called needs Redis, as "
				+ "everything does that is about workers, pauses, shards, recurring jobs or administration. "
				+ "Use @AutoConfigureJobs(mode = REAL).");
	}

	@Override
	public void start() {
		// There is no client to start.
	}

	@Override
	public boolean isAutoStartup() {
		return false;
	}

}
