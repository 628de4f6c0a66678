package io.github.steadyjobs.client;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EnqueueObserver} around the calls of a client.
 */
@RedisTest
class ObservedPushIntegrationTests {

	private static final JobRequest MAIL = JobRequest.named("other.mail").queue("mail");

	private final TestRedis redis;

	private final List<String> log = new ArrayList<>();

	private int calls;

	ObservedPushIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	void singleCallIsObservedAroundInterceptorsAndStore() {
		JobClient client = client((request, chain) -> {
			this.log.add("intercept");
			return chain.proceed(request);
		});
		EnqueueResult result = client.enqueue(MAIL.meta("own", "x"));
		assertThat(this.log).containsExactly("begin other.mail mail", "intercept", "leave 1",
				"end 1 of 1 Enqueued null");
		assertThat(client.find(result.id()).orElseThrow().meta()).isEqualTo(Map.of("call", "1", "own", "x"));
	}

	@Test
	void bulkPushIsOneCallForEachThousandJobs() {
		JobClient client = client();
		List<EnqueueResult> results = client.enqueueAll(IntStream.range(0, 2001).mapToObj((number) -> MAIL).toList());
		assertThat(this.log).containsExactly("begin other.mail mail", "leave 1", "begin other.mail mail", "leave 2",
				"begin other.mail mail", "leave 3", "end 1 of 1000 null null", "end 2 of 1000 null null",
				"end 3 of 1 null null");
		assertThat(IntStream.of(0, 999, 1000, 2000).mapToObj(results::get))
			.extracting((result) -> client.find(result.id()).orElseThrow().meta().get("call"))
			.containsExactly("1", "1", "2", "3");
		this.log.clear();
		client.enqueueAll(List.of());
		assertThat(this.log).isEmpty();
	}

	@Test
	void callThatFailsEndsWithTheException() {
		JobClient client = client((request, chain) -> {
			throw new InvalidJobException("No");
		});
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> client.enqueue(MAIL));
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> client.enqueueAll(List.of(MAIL, MAIL)));
		assertThat(this.log).containsExactly("begin other.mail mail", "leave 1",
				"end 1 of 1 null InvalidJobException: No", "begin other.mail mail", "leave 2",
				"end 2 of 1 null InvalidJobException: No");
	}

	@Test
	void jobThatIsPreparedIsObserved() {
		PreparingJobClient client = (PreparingJobClient) client();
		assertThat(client.prepare(MAIL, "019b76daa800a51c2d3e4f50")).isNotNull();
		assertThat(this.log).containsExactly("begin other.mail mail", "leave 1", "end 1 of 1 Enqueued null");
	}

	private JobClient client(ClientInterceptor... interceptors) {
		JobClientSettings settings = new JobClientSettings(DataSize.ofMegabytes(1), Clock.systemUTC(),
				Duration.ofHours(6), false, List.of(), (queue) -> false, JobClientSettings.Outage.DEFAULTS,
				this::begin);
		return Clients.client(this.redis.connections(), this.redis.prefix(), settings, interceptors);
	}

	private EnqueueObserver.Call begin(String id, String job, String queue) {
		this.log.add("begin " + job + " " + queue);
		return new NotedCall(++this.calls);
	}

	private final class NotedCall implements EnqueueObserver.Call {

		private final int number;

		NotedCall(int number) {
			this.number = number;
		}

		@Override
		public Map<String, String> meta(Map<String, String> own) {
			Map<String, String> all = new LinkedHashMap<>(own);
			all.put("call", Integer.toString(this.number));
			return all;
		}

		@Override
		public void leave() {
			ObservedPushIntegrationTests.this.log.add("leave " + this.number);
		}

		@Override
		public void end(int jobs, @Nullable EnqueueResult result, @Nullable Throwable failure) {
			ObservedPushIntegrationTests.this.log.add("end %d of %d %s %s".formatted(this.number, jobs,
					(result != null) ? result.getClass().getSimpleName() : null,
					(failure != null) ? failure.getClass().getSimpleName() + ": " + failure.getMessage() : null));
		}

	}

}
