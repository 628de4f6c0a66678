package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobRequest.Options;
import io.github.steadyjobs.JobType;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for requests that concern ordered jobs. Most of them are refused before anything
 * is stored.
 */
@RedisTest
class OrderedRequestIntegrationTests {

	private static final JsonMapper JSON = JobJson.builder().build();

	private final List<Options> seen = new ArrayList<>();

	private final TestRedis redis;

	private final JobClient client;

	OrderedRequestIntegrationTests(TestRedis redis) {
		this.redis = redis;
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("orders", new Orders());
		JobRegistry registry = new JobRegistry(beans, Map.of(), IdempotenceDefaults.STANDARD, JSON);
		ClientInterceptor interceptor = (request, chain) -> {
			this.seen.add(request.options());
			return chain.proceed(request);
		};
		this.client = JobClientFactory.create(new JobStore(redis.connections(), redis.prefix()), new PayloadCodec(JSON),
				registry, List.of(interceptor), List.of(), JobClientSettings.DEFAULTS);
	}

	@Test
	@DisplayName("LK-08: an ordered job cannot go to another queue")
	void enqueueWhenOrderedJobIsToGoToAnotherQueueRefuses() {
		assertRefused(JobRequest.named("Orders.handle", "o-7").queue("other"),
				"Job 'Orders.handle' is @Sequential and has the queue 'Orders.handle' to itself, so it cannot go to queue 'other'. Leave the queue out.");
		this.client.enqueue(JobRequest.named("Orders.handle", "o-7").queue("Orders.handle"));
	}

	@Test
	void enqueueWhenPlainJobIsToGoToTheQueueOfAnOrderedOneRefuses() {
		String message = "Job '%s' is not ordered and cannot go to queue 'Orders.handle', which job 'Orders.handle' has to itself because it is @Sequential: it would never run. Name another queue.";
		assertRefused(JobRequest.named("Orders.plain", 1).queue("Orders.handle"), message.formatted("Orders.plain"));
		assertRefused(JobRequest.named("elsewhere", 1).queue("Orders.handle"), message.formatted("elsewhere"));
		assertRefused(JobRequest.named("Orders.plain", 1).retryQueue("Orders.handle"),
				message.formatted("Orders.plain"));
	}

	@Test
	void enqueueWhenJobIsNotOrderedRefusesKeyAndScore() {
		String message = "Job 'Orders.plain' takes no key and no score, because it is not @Sequential. Leave them out, or put @Sequential on its method.";
		assertRefused(JobRequest.named("Orders.plain", 1).key("o-7"), message);
		assertRefused(JobRequest.named("Orders.plain", 1).score(1), message);
	}

	@Test
	void enqueueWhenOrderedJobIsToBeDeduplicatedRefuses() {
		String message = "Job '%s' cannot be deduplicated, because it is ordered: equal payloads of a key are kept once without that. Leave out 'idempotent'.";
		Idempotence idempotence = Idempotence.untilExecuted();
		assertRefused(JobRequest.named("Orders.handle", "o-7").idempotent(idempotence),
				message.formatted("Orders.handle"));
		assertRefused(JobRequest.named("elsewhere", "o-7").key("o-7").idempotent(idempotence),
				message.formatted("elsewhere"));
	}

	@Test
	@DisplayName("LK-28: one or many jobs are enqueued with key, score and time")
	void enqueueShowsInterceptorsKeyAndScore() {
		JobRequest known = JobRequest.named("Orders.handle", "o-7").key("o-8").score(7);
		JobRequest unknown = JobRequest.named("elsewhere", 1).key("o-9").score(0.5);
		JobRequest typed = JobRequest.of(new Remote(1)).key("o-10");
		this.client.enqueueAll(List.of(known, unknown, typed));
		assertThat(this.seen).extracting(Options::key).containsExactly("o-8", "o-9", "o-10");
		assertThat(this.seen).extracting(Options::score).containsExactly("7", "0.5", null);
	}

	private void assertRefused(JobRequest request, String message) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.client.enqueue(request))
			.withMessage(message);
		assertThat(this.redis.contents()).isEmpty();
	}

	@JobType("orders.remote")
	record Remote(int number) {

	}

	static class Orders {

		@Job
		@Sequential(key = "#id")
		void handle(String id) {
		}

		@Job
		void plain(int number) {
		}

	}

}
