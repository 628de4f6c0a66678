package io.github.steadyjobs.client;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.steadyjobs.BulkEnqueueException;
import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Enqueued;
import io.github.steadyjobs.EnqueueResult.Scheduled;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.client.MailJobs.Welcome;
import io.github.steadyjobs.support.MutableClock;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JobClient#enqueueAll}.
 */
@RedisAndClusterTest
class BulkEnqueueIntegrationTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private final TestRedis redis;

	private final MutableClock clock = new MutableClock(NOW);

	private final JobClient client;

	BulkEnqueueIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.client = Clients.client(redis, this.clock);
	}

	@Test
	void enqueueAllWhenThereAreManyStoresThemInOrder() {
		// SK-64: the connections are closed, so several chunks have to wait until new
		// connections are open.
		this.redis.connections().close();
		List<JobRequest> requests = new ArrayList<>();
		for (int i = 0; i < 2500; i++) {
			requests.add(JobRequest.of(new Welcome("ann", i)));
		}
		List<EnqueueResult> results = this.client.enqueueAll(requests);
		List<String> ids = results.stream().map(EnqueueResult::id).toList();
		assertThat(ids).hasSize(2500).isSorted().doesNotHaveDuplicates();
		List<String> stored = new ArrayList<>(ready("mail"));
		Collections.reverse(stored);
		assertThat(stored).isEqualTo(ids);
		assertThat(this.client.find(ids.get(1234))).get().asString().isEqualTo("mail.welcome[" + ids.get(1234) + "]");
	}

	@Test
	void enqueueAllWhenQueuesAreMixedAnswersInOrderOfTheRequests() {
		List<EnqueueResult> results = this.client.enqueueAll(
				List.of(JobRequest.named("a").queue("x"), JobRequest.named("b").queue("y").after(Duration.ofHours(1)),
						JobRequest.named("c").queue("x"), JobRequest.named("d").queue("y")));
		String a = results.get(0).id();
		String b = results.get(1).id();
		String c = results.get(2).id();
		String d = results.get(3).id();
		assertThat(results).containsExactly(new Enqueued(a), new Scheduled(b, NOW.plusSeconds(3600)), new Enqueued(c),
				new Enqueued(d));
		assertThat(ready("x")).containsExactly(c, a);
		assertThat(ready("y")).containsExactly(d);
		assertThat(this.redis.template().opsForZSet().range(this.redis.key("y", "scheduled"), 0, -1))
			.containsExactly(b);
	}

	@Test
	@DisplayName("SK-64: each job of a bulk push may have its own time")
	void enqueueAllWhenRequestsHaveTimesSchedulesEachForItsOwn() {
		Instant time = Instant.now().plus(Duration.ofDays(2)).truncatedTo(ChronoUnit.MILLIS);
		List<EnqueueResult> results = this.client
			.enqueueAll(List.of(JobRequest.named("a").at(time), JobRequest.named("b"),
					JobRequest.named("c").after(Duration.ofDays(1)), JobRequest.named("d").at(Instant.EPOCH)));
		assertThat(results).extracting(Object::getClass)
			.containsExactly(Scheduled.class, Enqueued.class, Scheduled.class, Enqueued.class);
		assertThat(((Scheduled) results.get(0)).at()).isEqualTo(time);
		Map<?, ?> scheduled = (Map<?, ?>) this.redis.contents("default").get("scheduled");
		assertThat(scheduled.keySet()).isEqualTo(Set.of(results.get(0).id(), results.get(2).id()));
	}

	@Test
	void enqueueAllWhenThereAreNoneReturnsNone() {
		assertThat(this.client.enqueueAll(List.of())).isEmpty();
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	void enqueueAllWhenOneIsInvalidStoresNone() {
		List<JobRequest> requests = List.of(JobRequest.named("a"), JobRequest.named("b", new Object()));
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.client.enqueueAll(requests));
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	void enqueueAllWhenAnInterceptorStopsSomeStoresTheOthers() {
		JobClient client = Clients.client(this.redis,
				(request, chain) -> request.options().tags().isEmpty() ? chain.proceed(request) : chain.stop());
		List<EnqueueResult> results = client
			.enqueueAll(List.of(JobRequest.named("a"), JobRequest.named("b").tags("no"), JobRequest.named("c")));
		assertThat(results).extracting(EnqueueResult::accepted).containsExactly(true, false, true);
		assertThat(ready("default")).containsExactly(results.get(2).id(), results.get(0).id());
	}

	@Test
	void enqueueAllWhenAQueueRefusesTellsWhatWasStored() {
		this.redis.template().opsForHash().put(this.redis.key("y", "meta"), "schema", "99");
		List<JobRequest> requests = List.of(JobRequest.named("a").queue("x"), JobRequest.named("b").queue("y"),
				JobRequest.named("c").queue("z"), JobRequest.named("d").queue("x"));
		assertThatExceptionOfType(BulkEnqueueException.class).isThrownBy(() -> this.client.enqueueAll(requests))
			.withMessageContaining("2 of 4 jobs were not stored (1 refused, 1 not sent): A newer version")
			.satisfies((ex) -> {
				List<String> stored = ready("x");
				assertThat(ex.results()).containsExactly(new Enqueued(stored.get(1)), null, null,
						new Enqueued(stored.get(0)));
				assertThat(ex.outcomes()).containsExactly(Outcome.ANSWERED, Outcome.REFUSED, Outcome.NOT_SENT,
						Outcome.ANSWERED);
			});
		assertThat(ready("z")).isEmpty();
	}

	@Test
	void enqueueAllWhenEveryCallIsRefusedSaysSo() {
		this.redis.template().opsForHash().put(this.redis.key("y", "meta"), "schema", "99");
		List<JobRequest> requests = List.of(JobRequest.named("a").queue("y"), JobRequest.named("b").queue("y"));
		assertThatExceptionOfType(BulkEnqueueException.class).isThrownBy(() -> this.client.enqueueAll(requests))
			.withMessageContaining("2 of 2 jobs were not stored (2 refused): A newer version")
			.satisfies((ex) -> assertThat(ex.outcomes()).containsOnly(Outcome.REFUSED));
	}

	@Test
	void enqueueAllWhenItsSourceTakesTimeIsNotLateAndKeepsTheOrder() {
		JobRequest request = JobRequest.named("a").at(NOW.plus(Duration.ofHours(2)));
		Stream<JobRequest> slow = Stream.generate(() -> {
			this.clock.advance(Duration.ofMinutes(20));
			return request;
		}).limit(3);
		List<EnqueueResult> results = this.client.enqueueAll(slow::iterator);
		String key = this.redis.key("default", "scheduled");
		assertThat(this.redis.template().opsForZSet().range(key, 0, -1))
			.containsExactlyElementsOf(results.stream().map(EnqueueResult::id).toList());
		Set<TypedTuple<String>> due = this.redis.template().opsForZSet().rangeWithScores(key, 0, -1);
		assertThat(due).extracting((job) -> Duration.ofMillis(job.getScore().longValue() - System.currentTimeMillis()))
			.allSatisfy((left) -> assertThat(left).isBetween(Duration.ofMinutes(58), Duration.ofMinutes(60)));
	}

	private List<String> ready(String queue) {
		return this.redis.template().opsForList().range(this.redis.key(queue, "ready"), 0, -1);
	}

}
