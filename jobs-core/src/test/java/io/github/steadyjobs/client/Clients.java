package io.github.steadyjobs.client;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.TestRedis;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.unit.DataSize;

/**
 * Creates clients of an application that has {@link MailJobs}.
 */
final class Clients {

	private static final JsonMapper JSON = JobJson.builder().build();

	private Clients() {
	}

	static JobClient client(TestRedis redis, ClientInterceptor... interceptors) {
		return client(redis.connections(), redis.prefix(), JobClientSettings.DEFAULTS, interceptors);
	}

	static JobClient client(TestRedis redis, Clock clock, ClientInterceptor... interceptors) {
		JobClientSettings settings = settings(DataSize.ofMegabytes(1), clock, (queue) -> false);
		return client(redis.connections(), redis.prefix(), settings, interceptors);
	}

	static JobClient client(TestRedis redis, List<EnqueueListener> listeners, ClientInterceptor... interceptors) {
		return JobClientFactory.create(new JobStore(redis.connections(), redis.prefix()), new PayloadCodec(JSON),
				registry(), List.of(interceptors), listeners, JobClientSettings.DEFAULTS);
	}

	static JobClient client(RedisConnections connections, String prefix, JobClientSettings.Outage outage,
			EnqueueListener... listeners) {
		JobClientSettings settings = new JobClientSettings(DataSize.ofMegabytes(1), Clock.systemUTC(),
				Duration.ofHours(6), false, List.of(), (queue) -> false, outage);
		return JobClientFactory.create(new JobStore(connections, prefix), new PayloadCodec(JSON), registry(), List.of(),
				List.of(listeners), settings);
	}

	static JobClient clientWithLimit(TestRedis redis, long bytes) {
		JobClientSettings settings = settings(DataSize.ofBytes(bytes), Clock.systemUTC(), (queue) -> false);
		return client(redis.connections(), redis.prefix(), settings);
	}

	static JobClient client(RedisConnections connections, String prefix, JobClientSettings settings,
			ClientInterceptor... interceptors) {
		return JobClientFactory.create(new JobStore(connections, prefix), new PayloadCodec(JSON), registry(),
				List.of(interceptors), List.of(), settings);
	}

	static JobClientSettings settings(DataSize limit, Clock clock, Predicate<String> doubtful) {
		return new JobClientSettings(limit, clock, Duration.ofHours(6), false, List.of(), doubtful,
				JobClientSettings.Outage.DEFAULTS);
	}

	private static JobRegistry registry() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("mailJobs", new MailJobs());
		return new JobRegistry(beans, Map.of(), IdempotenceDefaults.STANDARD, JSON);
	}

}
