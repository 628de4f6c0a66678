package io.github.steadyjobs.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.admin.PauseResult.Status;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.pause.PauseStore.Order;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link JobPauses}.
 */
@RedisAndClusterTest
class JobPausesIntegrationTests {

	private static final String JOB = "Mail.send";

	private final TestRedis redis;

	private final JobPauses pauses;

	JobPausesIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.pauses = new JobPauses(redis.connections(), redis.prefix());
	}

	@BeforeEach
	void giveQueues() {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "mail", "bills");
	}

	@AfterEach
	void resumeAll() {
		this.pauses.list().forEach(this.pauses::resume);
	}

	@Test
	@DisplayName("SK-31: a queue is paused with a user and a reason, and workers are notified")
	void pauseQueueTellsItAndTheList() {
		Instant before = Instant.now().minusSeconds(1);
		PauseResult result = this.pauses.pauseQueue("mail", "ann", "Wrong letters.\nThey go out again");
		assertThat(result.status()).isEqualTo(Status.PAUSED);
		JobPause pause = result.pause();
		assertThat(pause).usingRecursiveComparison()
			.ignoringFields("since", "version")
			.isEqualTo(new JobPause(JobPause.Kind.QUEUE, "mail", "ann", "Wrong letters.\nThey go out again", before,
					null, false, 0));
		assertThat(pause.since()).isBetween(before, Instant.now().plusSeconds(1));
		assertThat(this.pauses.list()).containsExactly(pause);
		assertThat(meta("mail")).containsEntry("paused", pause.version() + " 0 -");
		assertThat(meta("bills")).doesNotContainKey("paused");
		assertThat(this.pauses.resumeQueue("mail")).isEqualTo(new PauseResult(Status.RESUMED, pause));
		assertThat(this.pauses.list()).isEmpty();
		assertThat(meta("mail")).doesNotContainKey("paused");
		assertThat(this.pauses.resumeQueue("mail")).isEqualTo(new PauseResult(Status.NOT_PAUSED, null));
	}

	@Test
	void pauseJobTellsAllQueues() {
		Instant until = Instant.ofEpochMilli(System.currentTimeMillis() + 3_600_000);
		JobPause pause = this.pauses.pauseJob(JOB, "ann", "why", until).pause();
		assertThat(pause.until()).isEqualTo(until);
		String line = "%d %d - Mail.send\n".formatted(pause.version(), until.toEpochMilli());
		assertThat(meta("mail")).containsEntry("paused-jobs", line);
		assertThat(meta("bills")).containsEntry("paused-jobs", line);
		assertThat(this.pauses.resumeJob(JOB).status()).isEqualTo(Status.RESUMED);
		assertThat(meta("mail")).doesNotContainKey("paused-jobs");
	}

	@Test
	@DisplayName("GL-X11: jobs that were parked while their name was paused continue in their order")
	void resumeJobPutsParkedJobsBackInTheirOrder() {
		assertThat(resumed(1000)).isSortedAccordingTo(Comparator.reverseOrder()).hasSize(1000);
		assertThat(resumed(2500)).doesNotHaveDuplicates().hasSize(2500);
	}

	/**
	 * Pause a job name, park jobs with this name, and resume the name.
	 * @param count the number of jobs to park
	 * @return the ids of the jobs that are ready afterwards
	 */
	private List<String> resumed(int count) {
		this.pauses.pauseJob(JOB, "ann", "why");
		Map<String, String> parked = new HashMap<>();
		Map<String, String> payloads = new HashMap<>();
		List<String> ids = IntStream.range(0, count).mapToObj("%024x"::formatted).toList();
		ids.forEach((id) -> {
			parked.put(id, "paused:" + JOB);
			payloads.put(id, "payload");
		});
		this.redis.template().opsForHash().putAll(this.redis.key("mail", "parked"), parked);
		this.redis.template().opsForHash().putAll(this.redis.key("mail", "payloads"), payloads);
		this.pauses.resumeJob(JOB);
		List<String> ready = new ArrayList<>(
				this.redis.template().opsForList().range(this.redis.key("mail", "ready"), 0, -1));
		assertThat(this.redis.template().hasKey(this.redis.key("mail", "parked"))).isFalse();
		this.redis.template().delete(List.of(this.redis.key("mail", "ready"), this.redis.key("mail", "payloads")));
		return ready;
	}

	@Test
	void pauseWhenPausedAlreadyTellsWhatStands() {
		JobPause first = this.pauses.pauseQueue("mail", "ann", "why").pause();
		assertThat(this.pauses.pauseQueue("mail", "bob", "too"))
			.isEqualTo(new PauseResult(Status.ALREADY_PAUSED, first));
		JobPause second = this.pauses.replace(first, "bob", "takes over", null).pause();
		assertThat(second.who()).isEqualTo("bob");
		assertThat(this.pauses.replace(first, "ann", "again", null)).isEqualTo(new PauseResult(Status.CHANGED, second));
		assertThat(this.pauses.resume(first)).isEqualTo(new PauseResult(Status.CHANGED, second));
		assertThat(this.pauses.resume(second)).isEqualTo(new PauseResult(Status.RESUMED, second));
		assertThat(this.pauses.resume(second)).isEqualTo(new PauseResult(Status.NOT_PAUSED, null));
	}

	@Test
	@DisplayName("GL-X11: if several users act at the same time, one action succeeds, and the other users are informed")
	void pauseWhenManyAtOnceLetsOneWin() {
		List<CompletableFuture<PauseResult>> results = IntStream.range(0, 8)
			.mapToObj((number) -> CompletableFuture.supplyAsync(
					() -> this.pauses.pauseQueue((number % 2 == 0) ? "mail" : "bills", "person " + number, "why")))
			.toList();
		List<PauseResult> all = results.stream().map(CompletableFuture::join).toList();
		assertThat(all.stream().filter((result) -> result.status() == Status.PAUSED)).hasSize(2);
		assertThat(all).allSatisfy((result) -> assertThat(this.pauses.list()).contains(result.pause()));
	}

	@Test
	void pauseWhenItHasEndedCanBeMadeAnew() {
		new PauseStore(this.redis.connections(), this.redis.prefix()).change(Target.queue("mail"), (standing) -> true,
				Order.byPerson(Instant.ofEpochMilli(1), "ann", "why"));
		assertThat(this.pauses.list()).isEmpty();
		assertThat(this.pauses.pauseQueue("mail", "bob", "why").status()).isEqualTo(Status.PAUSED);
	}

	@Test
	void pauseWhenABreakerHasPausedSaysSoAndCanBeReplaced() {
		new PauseStore(this.redis.connections(), this.redis.prefix()).change(Target.job(JOB), (standing) -> true,
				Order.byBreaker(Duration.ofHours(1), "breaker of p", "5 failures"));
		JobPause found = this.pauses.pauseJob(JOB, "ann", "why").pause();
		assertThat(found.byBreaker()).isTrue();
		assertThat(this.pauses.replace(found, "ann", "why", null).pause().byBreaker()).isFalse();
	}

	@Test
	void pauseQueueWhenNobodyKnowsItSaysSo() {
		assertThat(this.pauses.pauseQueue("mial", "ann", "why")).isEqualTo(new PauseResult(Status.UNKNOWN_QUEUE, null));
		assertThat(this.pauses.resumeQueue("mial")).isEqualTo(new PauseResult(Status.UNKNOWN_QUEUE, null));
		this.redis.template().opsForHash().put(this.redis.key("mial", "beats"), "p", "1");
		assertThat(this.pauses.pauseQueue("mial", "ann", "why").status()).isEqualTo(Status.PAUSED);
	}

	@Test
	void pauseQueueWhenItHasShardsTellsAll() {
		this.redis.template().opsForHash().put(this.redis.prefix() + ":shards", "orders", "1 3");
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "orders#1");
		String paused = this.pauses.pauseQueue("orders", "ann", "why").pause().version() + " 0 -";
		assertThat(Stream.of("orders#0", "orders#1", "orders#2"))
			.allSatisfy((shard) -> assertThat(meta(shard)).containsEntry("paused", paused));
		assertThat(meta("orders")).isEmpty();
	}

	@Test
	void pauseWhenDataWereLostHasALaterVersionAllTheSame() {
		long before = this.pauses.pauseQueue("mail", "ann", "why").pause().version();
		this.redis.template().delete(this.redis.prefix() + ":pauses");
		assertThat(this.pauses.resumeQueue("mail").status()).isEqualTo(Status.NOT_PAUSED);
		assertThat(meta("mail")).doesNotContainKey("paused");
		assertThat(this.pauses.pauseQueue("mail", "ann", "why").pause().version()).isGreaterThan(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "-x", "orders#0" })
	void pauseQueueWhenNoQueueCanBeCalledSoRefuses(String queue) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.pauses.pauseQueue(queue, "ann", "why"))
			.withMessageStartingWith("Queue '" + queue + "' must be ");
	}

	@Test
	void pauseWhenArgumentsAreImpossibleSaysWhich() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.pauses.pauseJob("a b", "ann", "why"))
			.withMessage("Job 'a b' must be 1 to 255 characters without white space and control characters");
		assertThatIllegalArgumentException().isThrownBy(() -> this.pauses.pauseJob(JOB, "ann\n", "why"))
			.withMessageStartingWith("'who' must be ");
		assertThatIllegalArgumentException().isThrownBy(() -> this.pauses.pauseJob(JOB, "ann", " "))
			.withMessageStartingWith("'why' must be ");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.pauses.pauseJob(JOB, "ann", "why", Instant.ofEpochMilli(1)))
			.withMessage("'until' must be in the future, but is 1970-01-01T00:00:00.001Z");
	}

	private Map<Object, Object> meta(String queue) {
		return this.redis.template().opsForHash().entries(this.redis.key(queue, "meta"));
	}

}
