package io.github.steadyjobs.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.support.ClockedRedis;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for workers when the clock of Redis is changed.
 */
@Tag("installed-redis")
class RedisClockIntegrationTests {

	private static final Duration DEATH_AFTER = Duration.ofSeconds(1);

	private final Runs runs = new Runs();

	@TempDir
	private Path directory;

	private ClockedRedis redis;

	@BeforeEach
	void start() {
		this.redis = ClockedRedis.start(this.directory);
	}

	@AfterEach
	void close() {
		if (this.redis != null) {
			this.redis.close();
		}
	}

	@Test
	@DisplayName("F47: a step of the clock does not make processes count as dead, shifts due times by its size, and is reported")
	void setClockInBothDirectionsMovesWhatIsDueAndNothingElse() {
		TestRedis server = this.redis.server().redis();
		try (WorkerFixture worker = worker(server); WorkerFixture other = worker(server)) {
			worker.client().enqueue(scheduled(0, Duration.ofSeconds(50)));
			worker.client().enqueue(scheduled(1, Duration.ofSeconds(200)));
			awaitBeats(worker, 5);
			this.redis.set(Duration.ofSeconds(60));
			this.runs.awaitEnded(1);
			awaitBeats(worker, 5);
			awaitBeats(worker, 40);
			assertThat(this.runs.ended()).containsExactly(0);
			this.redis.set(Duration.ofSeconds(-300));
			awaitBeats(worker, 5);
			// After a step back, scheduled jobs wait, but ready jobs do not.
			worker.client().enqueue(scheduled(2, Duration.ofSeconds(1)));
			worker.enqueue("q", 3);
			this.runs.awaitEnded(3);
			assertThat(this.runs.ended()).containsExactly(0, 3, 2);
			this.redis.set(Duration.ofSeconds(300));
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactly(0, 3, 2, 1);
			assertThat(List.of(worker, other)).allSatisfy((each) -> {
				assertThat(each.events(WorkerEvent.Recovered.class)).isEmpty();
				assertThat(each.events(WorkerEvent.Fenced.class)).isEmpty();
				assertThat(each.events(WorkerEvent.DataLost.class)).isEmpty();
			});
		}
	}

	private WorkerFixture worker(TestRedis server) {
		return WorkerFixture.on(server).deathAfter(DEATH_AFTER).capsule(2, "q").jobs(this.runs).start();
	}

	private static JobRequest scheduled(int number, Duration delay) {
		return WorkerFixture.request("q", number).after(delay);
	}

	private static void awaitBeats(WorkerFixture worker, int count) {
		int before = worker.events(WorkerEvent.Beat.class).size();
		WorkerFixture.await().until(() -> worker.events(WorkerEvent.Beat.class).size() >= before + count);
	}

}
