package io.github.steadyjobs.benchmarks.chaos;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChaosCommand} with a real worker process. The faults themselves are
 * left to the program: what counts here is that it notices.
 */
class ChaosCommandIntegrationTests {

	@Test
	void runWhenJobVanishesFindsItLostAndLeavesNoKey() throws Exception {
		try (EmbeddedRedisServer server = EmbeddedRedisServer.start()) {
			LettuceConnectionFactory factory = new LettuceConnectionFactory(server.host(), server.port());
			factory.afterPropertiesSet();
			factory.start();
			StringRedisTemplate redis = new StringRedisTemplate(factory);
			CompletableFuture<ChaosResult> run = CompletableFuture.supplyAsync(() -> run(server.uri().toString()));
			Awaitility.await().atMost(java.time.Duration.ofMinutes(2)).until(() -> removeScheduledJob(redis));
			ChaosResult result = run.join();
			assertThat(result.verdict().lost()).isOne();
			assertThat(result.verdict().accepted()).isEqualTo(result.verdict().executed() + 1).isEqualTo(300);
			assertThat(result.verdict().duplicates().all()).isZero();
			assertThat(result.isClean()).isFalse();
			assertThat(redis.keys("*")).isEmpty();
			factory.destroy();
		}
	}

	private static ChaosResult run(String redis) {
		try {
			return ChaosCommand.run(ChaosOptions.parse(new String[] { "--redis", redis, "--jobs", "300", "--workers",
					"1", "--seconds", "3", "--faults", "none", "--beat", "1s", "--death-after", "6s" }));
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean removeScheduledJob(StringRedisTemplate redis) {
		List<String> keys = redis.keys("chaos-*:scheduled").stream().toList();
		String id = keys.isEmpty() ? null
				: redis.opsForZSet().reverseRange(keys.get(0), 0, 0).stream().findFirst().orElse(null);
		return id != null && redis.opsForZSet().remove(keys.get(0), id) == 1
				&& redis.opsForHash().delete(keys.get(0).replace(":scheduled", ":payloads"), id) == 1;
	}

}
