package io.github.steadyjobs.client;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JobRelay}.
 */
@RedisAndClusterTest
class JobRelayIntegrationTests {

	private final TestRedis redis;

	private final JobRelay relay;

	JobRelayIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.relay = new JobRelay(redis.connections(), redis.prefix());
	}

	@Test
	void jobsAreReadyAndTheQueueIsKnown() {
		this.relay.store("source", 1, "mail", jobs(0, 3));
		assertThat(this.redis.contents("mail")).containsEntry("ready", List.of(id(2), id(1), id(0)));
		assertThat((Map<?, ?>) this.redis.contents("mail").get("payloads")).hasSize(3);
		Awaitility.await()
			.until(() -> Set.of("mail").equals(this.redis.contents().get(this.redis.prefix() + ":queues")));
	}

	@Test
	void callThatIsRepeatedByAnotherProcessStoresNothing() {
		this.relay.store("source", 1, "mail", jobs(0, 3));
		Object ready = this.redis.contents("mail").get("ready");
		new JobRelay(this.redis.connections(), this.redis.prefix()).store("source", 1, "mail", jobs(0, 3));
		assertThat(this.redis.contents("mail")).containsEntry("ready", ready);
	}

	@Test
	void callThatIsLateStoresNothing() {
		this.relay.store("source", 7, "mail", jobs(0, 1));
		this.relay.store("source", 6, "mail", jobs(1, 2));
		assertThat(this.redis.contents("mail")).containsEntry("ready", List.of(id(0)));
	}

	@Test
	@DisplayName("The answer to another process's call is not mistaken for the answer to this process's call")
	void callWithANumberOfOtherJobsIsRefused() {
		this.relay.store("source", 7, "mail", jobs(0, 1));
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.relay.store("source", 7, "mail", jobs(1, 2)))
			.withMessage("Other jobs were stored in queue 'mail' as call 7 of 'source'; nothing was stored");
		assertThat(this.redis.contents("mail")).containsEntry("ready", List.of(id(0)));
	}

	@Test
	void numbersAreThoseOfASourceAndAQueue() {
		this.relay.store("source", 7, "mail", jobs(0, 1));
		this.relay.store("other", 1, "mail", jobs(1, 2));
		this.relay.store("source", 1, "low", jobs(2, 3));
		this.relay.store("source", 8, "mail", jobs(3, 4));
		assertThat(this.redis.contents("mail")).containsEntry("ready", List.of(id(3), id(1), id(0)));
		assertThat(this.redis.contents("low")).containsEntry("ready", List.of(id(2)));
	}

	@Test
	void newerLayoutIsRefused() {
		this.redis.template().opsForHash().put(this.redis.key("mail", "meta"), "schema", "3");
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.relay.store("source", 1, "mail", jobs(0, 1)))
			.withMessageContaining("'mail'");
		assertThat(this.redis.contents("mail")).containsOnlyKeys("meta");
	}

	private static List<NewJob> jobs(int from, int to) {
		return IntStream.range(from, to)
			.mapToObj((i) -> new NewJob(id(i), "{}".getBytes(StandardCharsets.UTF_8), null))
			.toList();
	}

	private static String id(int number) {
		return "%024x".formatted(number);
	}

}
