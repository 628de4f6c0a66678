package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.github.steadyjobs.support.ClusterRedis;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.RedisUser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link PermissionProbe}, with the users that {@code docs/operations.md} tells
 * to create. Each test runs with flags of scripts and without, as with Redis 6.2.
 */
@TestInstance(Lifecycle.PER_CLASS)
class PermissionProbeIntegrationTests {

	private final OwnRedis redis = OwnRedis.start();

	private final String prefix = this.redis.redis().prefix();

	private final RedisUser jobs = RedisUser.create(this.redis, "jobs");

	private final RedisUser shop = RedisUser.create(this.redis, "shop");

	private final RedisConnections connections = new RedisConnections(this.jobs.connectionFactory());

	private final RedisConnections shopConnections = new RedisConnections(this.shop.connectionFactory());

	private final AccessRule rule = AccessRule.ofWorker(this.prefix);

	private final boolean knowsFlags = new QueueMonitor(this.redis.redis().connections(), this.prefix).serverVersion()
		.hasScriptFlags();

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.redis.redis().contents()).isEmpty();
		this.jobs.reset();
		this.shop.reset();
	}

	@AfterAll
	void close() {
		this.connections.close();
		this.shopConnections.close();
		this.jobs.close();
		this.shop.close();
		this.redis.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void probeWhenUserHasTheRuleOfTheDocumentFindsNothing(boolean flags) {
		assertThat(probe(flags).isEmpty()).isTrue();
		assertThat(shopProbe(flags).isEmpty()).isTrue();
		assertThat(this.jobs.denials()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("commandsOfWorker")
	void probeWhenOneCommandIsTakenFromTheWorkerFindsIt(String command) {
		this.jobs.change("-" + command);
		for (boolean flags : new boolean[] { false, true }) {
			Denials denials = probe(flags);
			assertThat(denials.commands()).containsExactly(command);
			assertThat(denials.keys()).isEmpty();
			assertThat(denials.missing()).isEqualTo("+" + command);
			assertThat(denials.rule()).isEqualTo(this.rule.toString());
		}
	}

	@ParameterizedTest
	@MethodSource("commandsOfProducer")
	void probeWhenOneCommandIsTakenFromTheProducerFindsIt(String command) {
		this.shop.change("-" + command);
		assertThat(shopProbe(false).commands()).containsExactly(command);
		assertThat(shopProbe(true).commands()).containsExactly(command);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void probeWhenSeveralCommandsAreMissingFindsAll(boolean flags) {
		this.jobs.change("-zadd", "-blpop", "-time", "-evalsha");
		assertThat(probe(flags).missing()).isEqualTo("+blpop +evalsha +time +zadd");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void probeWhenKeysAreOfAnotherPrefixFindsThePattern(boolean flags) {
		this.jobs.change("resetkeys", "~other:*");
		Denials denials = probe(flags);
		assertThat(denials.commands()).isEmpty();
		assertThat(denials.keys()).isEqualTo("~" + this.prefix + ":*");
		assertThat(denials.missing()).isEqualTo("~" + this.prefix + ":*");
	}

	@Test
	void probeWhenKeysMayOnlyBeReadFindsThePattern() {
		assumeThat(this.knowsFlags).as("a Redis that tells reading and writing apart").isTrue();
		this.jobs.change("resetkeys", "%R~" + this.prefix + ":*");
		assertThat(probe(true).missing()).isEqualTo("~" + this.prefix + ":*");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void probeWhenMemoryIsFullFindsNothing(boolean flags) {
		this.redis.fillMemory();
		try {
			assertThat(probe(flags).isEmpty()).isTrue();
		}
		finally {
			this.redis.freeMemory();
		}
	}

	/**
	 * Those of today, and what scripts may come to use.
	 */
	static Stream<String> commandsOfTodayAndTomorrow() {
		Stream<String> tomorrow = Stream.of("lrange", "lrem", "hvals", "set", "type", "sscan", "zscan", "incr",
				"zincrby", "unlink", "get", "zrangebyscore");
		return Stream.concat(commandsOfWorker().stream(), tomorrow).distinct();
	}

	@ParameterizedTest
	@MethodSource("commandsOfTodayAndTomorrow")
	void probeWhenNothingIsInPlaceLeavesNothing(String command) {
		this.jobs.change("+del", "+" + command);
		// What the first one deletes must not be what keeps the second from writing.
		AccessRule two = new AccessRule(this.prefix, new TreeSet<>(List.of("eval", "del", command)));
		assertThat(probe(this.connections, two, false).isEmpty()).isTrue();
		assertThat(this.redis.redis().contents()).isEmpty();
		this.jobs.change("-" + command);
		assertThat(probe(this.connections, two, false).commands()).isEqualTo(Set.of(command));
	}

	@Test
	void probeWhenInClusterFindsNothing() {
		try (ClusterRedis cluster = ClusterRedis.start();
				RedisConnections inCluster = new RedisConnections(cluster.connectionFactory())) {
			for (boolean flags : new boolean[] { false, this.knowsFlags }) {
				assertThat(probe(inCluster, this.rule, flags).isEmpty()).isTrue();
			}
		}
	}

	private Denials probe(boolean flags) {
		return probe(this.connections, this.rule, flags && this.knowsFlags);
	}

	private Denials shopProbe(boolean flags) {
		return probe(this.shopConnections, AccessRule.ofProducer(this.prefix), flags && this.knowsFlags);
	}

	private Denials probe(RedisConnections connections, AccessRule rule, boolean flags) {
		byte[] nothing = new KeySpace(this.prefix).nothing();
		return new PermissionProbe(connections.commands().serving(nothing).join(), Duration.ofSeconds(10), nothing)
			.probe(rule, flags);
	}

	static Collection<String> commandsOfWorker() {
		return AccessRule.ofWorker("any").commands();
	}

	static Collection<String> commandsOfProducer() {
		return AccessRule.ofProducer("any").commands();
	}

}
