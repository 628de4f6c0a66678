package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChaosCommand} with a real worker process. The tests do not check the
 * faults themselves, but whether the program detects the effects of faults.
 */
class ChaosCommandIntegrationTests {

	/** Reverses the two waiting payloads of a key, if they are in the right order. */
	private static final RedisScript<Long> TURN = RedisScript.of("""
			local stored = redis.call('HGET', KEYS[2], redis.call('ZRANGE', KEYS[1], 0, 0)[1] or '')
			local head, first, rest = string.match(stored or '', '^([^\\n]+\\n)([^\\n]+\\n)([^\\n]+\\n)$')
			if not head or tonumber(string.match(first, '%S+')) > tonumber(string.match(rest, '%S+')) then
			  return 0
			end
			return 1 - redis.call('HSET', KEYS[2], redis.call('ZRANGE', KEYS[1], 0, 0)[1], head .. rest .. first)
			""", Long.class);

	private final EmbeddedRedisServer server = EmbeddedRedisServer.start();

	private final LettuceConnectionFactory factory = new LettuceConnectionFactory(this.server.host(),
			this.server.port());

	private final StringRedisTemplate redis = new StringRedisTemplate(this.factory);

	@BeforeEach
	void connect() {
		this.factory.afterPropertiesSet();
		this.factory.start();
		this.redis.afterPropertiesSet();
	}

	@AfterEach
	void close() {
		this.factory.destroy();
		this.server.close();
	}

	@Test
	void runWhenJobVanishesFindsItLostAndLeavesNoKey() {
		CompletableFuture<ChaosResult> run = CompletableFuture.supplyAsync(this::run);
		Awaitility.await().atMost(Duration.ofMinutes(2)).until(this::removeScheduledJob);
		ChaosResult result = run.join();
		assertThat(result.verdict().lost()).isOne();
		assertThat(result.verdict().accepted()).isEqualTo(result.verdict().executed() + 1).isEqualTo(300);
		assertThat(result.verdict().duplicates().all()).isZero();
		assertThat(result.order().isKept()).isTrue();
		assertThat(result.order().payloads()).isBetween(1, 299);
		assertThat(result.isClean()).isFalse();
		assertThat(this.redis.keys("*")).isEmpty();
	}

	@Test
	void runWhenPayloadsAreStoredInWrongOrderFindsOrderViolated() {
		CompletableFuture<ChaosResult> run = CompletableFuture.supplyAsync(() -> run("--ordered", "100"));
		// Reverse the payloads repeatedly, because each payload that is added sorts them
		// again.
		Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> {
			turnPayloads();
			return run.isDone();
		});
		ChaosResult result = run.join();
		assertThat(result.verdict().lost()).isZero();
		assertThat(result.order().payloads()).isEqualTo(300);
		assertThat(result.order().violations()).isNotEmpty();
		assertThat(result.order().atOnce()).isEmpty();
		assertThat(result.isClean()).isFalse();
	}

	private ChaosResult run(String... more) {
		List<String> options = new ArrayList<>(
				List.of("--redis", this.server.uri().toString(), "--jobs", "300", "--operator", "false", "--workers",
						"1", "--seconds", "3", "--faults", "none", "--beat", "1s", "--death-after", "6s"));
		options.addAll(List.of(more));
		try {
			return ChaosCommand.run(ChaosOptions.parse(options.toArray(String[]::new)));
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private boolean removeScheduledJob() {
		List<String> keys = this.redis.keys("chaos-*:{chaos-?}:scheduled").stream().toList();
		String id = keys.isEmpty() ? null
				: this.redis.opsForZSet().reverseRange(keys.get(0), 0, 0).stream().findFirst().orElse(null);
		return id != null && this.redis.opsForZSet().remove(keys.get(0), id) == 1
				&& this.redis.opsForHash().delete(keys.get(0).replace(":scheduled", ":payloads"), id) == 1;
	}

	private void turnPayloads() {
		for (String scheduled : this.redis.keys("chaos-*:{chaos-ordered#?}:scheduled")) {
			this.redis.execute(TURN, List.of(scheduled, scheduled.replace(":scheduled", ":payloads")));
		}
	}

}
