package io.github.steadyjobs.benchmarks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.stream.Consumer;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.connection.stream.StreamRecords;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.stream.StreamMessageListenerContainer;
import org.springframework.data.redis.stream.StreamMessageListenerContainer.StreamMessageListenerContainerOptions;

/**
 * The job queue that an application could build with Spring alone: a stream, a consumer
 * group with one consumer per thread, and XACK and XDEL after each job. The jobs of a
 * dead process are not recovered.
 */
final class Streams implements Contender {

	private static final String STREAM = "bench";

	private static final String GROUP = "workers";

	private static final String FIELD = "job";

	private static final JsonMapper MAPPER = JsonMapper.shared();

	private final Runs runs = new Runs();

	private final LettuceConnectionFactory factory;

	private final StringRedisTemplate redis;

	private final int concurrency;

	private final boolean virtualThreads;

	Streams(String host, int port, int concurrency, boolean virtualThreads) {
		this.factory = new LettuceConnectionFactory(new RedisStandaloneConfiguration(host, port));
		this.factory.afterPropertiesSet();
		this.factory.start();
		this.redis = new StringRedisTemplate(this.factory);
		this.concurrency = concurrency;
		this.virtualThreads = virtualThreads;
	}

	@Override
	public void connect() {
		try (RedisConnection connection = this.factory.getConnection()) {
			connection.ping();
		}
	}

	@Override
	public void enqueue(Argument argument) {
		this.redis.opsForStream().add(STREAM, Map.of(FIELD, MAPPER.writeValueAsString(argument)));
	}

	@Override
	public void enqueueAll(List<Argument> arguments) {
		try (RedisConnection connection = this.factory.getConnection()) {
			connection.openPipeline();
			arguments.forEach((argument) -> add(connection, argument));
			connection.closePipeline();
		}
	}

	private static void add(RedisConnection connection, Argument argument) {
		connection.streamCommands()
			.xAdd(StreamRecords.rawBytes(Map.of(bytes(FIELD), MAPPER.writeValueAsBytes(argument)))
				.withStreamKey(bytes(STREAM)));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public Runs runs() {
		return this.runs;
	}

	@Override
	public void startWorkers() {
		createGroup();
		var options = StreamMessageListenerContainerOptions.builder().pollTimeout(Duration.ofSeconds(1)).batchSize(10);
		if (this.virtualThreads) {
			options.executor(new VirtualThreadTaskExecutor("streams-"));
		}
		StreamMessageListenerContainer<String, MapRecord<String, String, String>> container = StreamMessageListenerContainer
			.create(this.factory, options.build());
		for (int i = 0; i < this.concurrency; i++) {
			container.receive(Consumer.from(GROUP, "worker-" + i),
					StreamOffset.create(STREAM, ReadOffset.lastConsumed()), this::run);
		}
		container.start();
	}

	private void createGroup() {
		try {
			this.redis.execute((RedisCallback<Object>) (connection) -> connection.streamCommands()
				.xGroupCreate(bytes(STREAM), GROUP, ReadOffset.from("0"), true));
		}
		catch (DataAccessException ex) {
			if (!String.valueOf(ex.getMostSpecificCause().getMessage()).startsWith("BUSYGROUP")) {
				throw ex;
			}
		}
	}

	private void run(MapRecord<String, String, String> job) {
		Argument argument = MAPPER.readValue(job.getValue().get(FIELD), Argument.class);
		this.runs.add(argument.i(), argument.t());
		this.redis.opsForStream().acknowledge(GROUP, job);
		this.redis.opsForStream().delete(job);
	}

	@Override
	public void close() {
		this.factory.destroy();
	}

}
