package io.github.steadyjobs.test.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import io.github.steadyjobs.test.boot.shop.ChainJobs;
import io.github.steadyjobs.test.boot.shop.ChainJobs.Elsewhere;
import io.github.steadyjobs.test.boot.shop.ChainJobs.Ordered;
import io.github.steadyjobs.test.boot.shop.MailJobs;
import io.github.steadyjobs.test.boot.shop.MailJobs.Failing;
import io.github.steadyjobs.test.boot.shop.MailJobs.Reminder;
import io.github.steadyjobs.test.boot.shop.MailJobs.Welcome;
import io.github.steadyjobs.test.boot.shop.TenantInterceptor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares what is recorded with what the real client stores in Redis for the same
 * requests, except for ids and times.
 */
@AutoConfigureJobs
@RedisTest
class SameJobsIntegrationTests extends AbstractShopTests {

	@Autowired
	JobRegistry registry;

	@Autowired
	PayloadCodec codec;

	@Autowired
	TenantInterceptor interceptor;

	static Stream<List<JobRequest>> requests() {
		JobRequest ordered = JobRequest.of(new Ordered("ada", 3));
		JobRequest reminder = JobRequest.of(new Reminder("ada"));
		JobRequest onceMore = JobRequest.of(ChainJobs.class, (chain) -> chain.onceMore(1));
		return Stream.of(List.of(JobRequest.of(new Welcome("ada"))),
				List.of(JobRequest.of(MailJobs.class, (mail) -> mail.send(7, "first"))),
				List.of(JobRequest.named("unknown", "a", 1, Map.of("b", true))),
				List.of(JobRequest.of(new Elsewhere(1))),
				List.of(reminder, reminder, reminder.after(Duration.ofDays(1))), List.of(onceMore, onceMore),
				List.of(reminder.after(Duration.ofHours(2)), reminder),
				List.of(JobRequest.of(new Failing("a")).retries(3).tags("x").meta("m", "1").dead(false).queue("other")),
				List.of(JobRequest.of(new Failing("a")).timeout(Duration.ofSeconds(3)).retryFor(Duration.ofHours(1))),
				List.of(JobRequest.of(new Failing("a")).at(Instant.now().minusSeconds(10))),
				List.of(JobRequest.named("unknown", 1).key("k").score(5)),
				List.of(ordered, JobRequest.of(new Ordered("ada", 1)), ordered, JobRequest.of(new Ordered("bob", 9)),
						JobRequest.of(new Ordered("ada", 2)).after(Duration.ofDays(1)),
						JobRequest.of(new Ordered("ada", 7)).score(-1),
						JobRequest.of(new Ordered("ada", 8)).score(1.5)),
				List.of(JobRequest.of(ChainJobs.class, (chain) -> chain.untilExecuting(1)),
						JobRequest.of(ChainJobs.class, (chain) -> chain.untilExecuting(1)),
						JobRequest.of(ChainJobs.class, (chain) -> chain.within(1)),
						JobRequest.of(ChainJobs.class, (chain) -> chain.within(1))));
	}

	@ParameterizedTest
	@MethodSource("requests")
	void theSameIsStored(List<JobRequest> requests, TestRedis redis) {
		JobClient real = JobClientFactory.create(new JobStore(redis.connections(), redis.prefix()), this.codec,
				this.registry, List.of(this.interceptor), List.of(), JobClientSettings.DEFAULTS);
		List<EnqueueResult> expected = requests.stream().map(real::enqueue).toList();
		List<EnqueueResult> recorded = requests.stream().map(this.client::enqueue).toList();
		for (int i = 0; i < requests.size(); i++) {
			assertThat(recorded.get(i)).hasSameClassAs(expected.get(i));
			assertThat(stored(this.client, recorded.get(i))).isEqualTo(stored(real, expected.get(i)));
		}
	}

	private static ObjectNode stored(JobClient client, EnqueueResult result) {
		JobPayload job = client.find(result.id()).orElseThrow();
		ObjectNode json = job.json().deepCopy();
		assertThat(json.path("jid").stringValue()).isEqualTo(result.id());
		json.remove(List.of("created_at", "enqueued_at", "jid"));
		if (json.has("at")) {
			json.put("at", Math.round((job.at().toEpochMilli() - job.createdAt().toEpochMilli()) / 1000.0));
		}
		return json;
	}

}
