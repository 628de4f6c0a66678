package io.github.steadyjobs.sidekiq;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link SidekiqClient}: it writes the same data as Sidekiq 6.4.
 */
@RedisTest
class SidekiqClientIntegrationTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.120Z");

	private final SidekiqFixture fixture;

	private final SidekiqClient client;

	SidekiqClientIntegrationTests(TestRedis redis) {
		this.fixture = new SidekiqFixture(redis);
		this.client = new SidekiqClient(this.fixture.sidekiq(), SidekiqFixture.MAPPER,
				Clock.fixed(NOW, ZoneOffset.UTC));
	}

	@Test
	void enqueuePushesAndMakesTheQueueKnown() {
		record Address(String city, int number) {
		}
		String jid = this.client
			.enqueue(SidekiqJob.of("HardWorker", 1, "ü", new Address("Bonn", 2), null).queue("hard").retries(3));
		assertThat(jid).matches("[0-9a-f]{24}");
		assertThat(this.fixture.rubyContents())
			.containsOnly(Map.entry("ruby:queues", Set.of("hard")), Map.entry("ruby:queue:hard", List
				.of("{\"retry\":3,\"queue\":\"hard\",\"class\":\"HardWorker\",\"args\":[1,\"ü\",{\"city\":\"Bonn\",\"number\":2},null],\"jid\":\"%s\",\"created_at\":1767225600.120,\"enqueued_at\":1767225600.120}"
					.formatted(jid))));
	}

	@Test
	void scheduleAddsToTheScheduleWithoutTheTime() {
		String jid = this.client.schedule(NOW.plusMillis(1500), "Invoices::SendJob", 7);
		assertThat(this.fixture.rubyContents()).containsOnly(Map.entry("ruby:schedule", Map
			.of("{\"retry\":true,\"queue\":\"default\",\"class\":\"Invoices::SendJob\",\"args\":[7],\"jid\":\"%s\",\"created_at\":1767225600.120}"
				.formatted(jid), 1767225601.62)));
	}

	@Test
	void scheduleOfThePastPushes() {
		this.client.schedule(NOW, "HardWorker");
		assertThat(this.fixture.rubyContents()).containsOnlyKeys("ruby:queues", "ruby:queue:default");
	}

	@Test
	void enqueueAllKeepsTheOrder() {
		List<String> jids = this.client.enqueueAll(
				IntStream.range(0, 2500).mapToObj((i) -> SidekiqJob.of("HardWorker", i).queue("hard")).toList());
		assertThat(jids).hasSize(2500).doesNotHaveDuplicates();
		List<String> stored = new ArrayList<>(
				this.fixture.redis().template().opsForList().range(this.fixture.ruby("queue:hard"), 0, -1));
		assertThat(stored).hasSize(2500);
		// The last element is the next to be performed.
		assertThat(stored.get(2499)).contains(jids.get(0));
		assertThat(stored.get(0)).contains(jids.get(2499));
	}

	@Test
	void enqueueAllStoresNothingIfAnArgumentCannotBeWritten() {
		Object unwritable = new Object() {

			@SuppressWarnings("unused")
			public String getText() {
				throw new IllegalStateException("no");
			}

		};
		assertThatExceptionOfType(JacksonException.class)
			.isThrownBy(() -> this.client.enqueueAll(List.of(SidekiqJob.of("A", 1), SidekiqJob.of("A", unwritable))));
		assertThat(this.fixture.rubyContents()).isEmpty();
	}

	@Test
	void bridgeReadsWhatTheClientWrites() {
		this.client.enqueue(SidekiqJob.of("HardWorker", 1).queue("hard"));
		assertThat(this.fixture.mover().move(this.fixture.take("b1", 1, 10))).isEmpty();
		assertThat(this.fixture.jobs("mail").values()).singleElement()
			.satisfies((job) -> assertThat(job.createdAt()).isEqualTo(NOW));
	}

	@Test
	void jobWithImpossibleValuesIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.client.enqueue(" "))
			.withMessageContaining("className");
		assertThatIllegalArgumentException().isThrownBy(() -> SidekiqJob.of("A").queue(""))
			.withMessageContaining("queue");
		assertThatIllegalArgumentException().isThrownBy(() -> SidekiqJob.of("A").retries(-1))
			.withMessageContaining("-1");
		assertThatIllegalArgumentException().isThrownBy(() -> SidekiqJob.of("A").at(null)).withMessageContaining("at");
		assertThat(SidekiqJob.of("A", "secret")).asString().doesNotContain("secret");
	}

}
