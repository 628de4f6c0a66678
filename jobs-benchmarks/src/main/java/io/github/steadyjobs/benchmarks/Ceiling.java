package io.github.steadyjobs.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;
import io.lettuce.core.LMoveArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * A yardstick rather than a job system. It shows how fast a list, a script and threads
 * can be with the same client on the same machine. On one connection, a script
 * acknowledges finished jobs and takes up to 100 more. Jobs run at least once as long as
 * the process lives, but the jobs of a dead process are not recovered, and there are no
 * retries, schedules, locks or metrics.
 */
final class Ceiling implements Contender {

	static final String QUEUE = "bench:queue";

	private static final String RUNNING = "bench:running";

	private static final String IDLE = "bench:idle";

	private static final int CLAIM = 100;

	private static final Duration PAUSE = Duration.ofNanos(200_000);

	private static final String SCRIPT = """
			if #ARGV > 1 then
			  redis.call('HDEL', KEYS[2], unpack(ARGV, 2))
			end
			local wanted = tonumber(ARGV[1])
			local jobs = wanted > 0 and redis.call('RPOP', KEYS[1], wanted)
			if not jobs then
			  return {}
			end
			local running = {}
			for i = 1, #jobs do
			  running[2 * i - 1] = string.match(jobs[i], '"i":(%d+)')
			  running[2 * i] = jobs[i]
			end
			redis.call('HSET', KEYS[2], unpack(running))
			return jobs
			""";

	private static final JsonMapper MAPPER = JsonMapper.shared();

	private final Runs runs = new Runs();

	private final BlockingQueue<String> claimed = new LinkedBlockingQueue<>();

	private final Queue<String> done = new ConcurrentLinkedQueue<>();

	private final RedisClient client;

	private final RedisCommands<String, String> redis;

	private final int concurrency;

	private final ThreadFactory threads;

	Ceiling(String url, int concurrency, boolean virtualThreads) {
		this.client = RedisClient.create(url);
		this.redis = this.client.connect().sync();
		this.concurrency = concurrency;
		this.threads = virtualThreads ? new VirtualThreadTaskExecutor().getVirtualThreadFactory() : Thread::new;
	}

	@Override
	public void enqueue(Argument argument) {
		this.redis.lpush(QUEUE, json(argument));
	}

	@Override
	public void enqueueAll(List<Argument> arguments) {
		this.redis.lpush(QUEUE, arguments.stream().map(Ceiling::json).toArray(String[]::new));
	}

	private static String json(Argument argument) {
		return "{\"i\":" + argument.i() + ",\"t\":" + argument.t() + ",\"name\":\"" + argument.name() + "\"}";
	}

	@Override
	public Runs runs() {
		return this.runs;
	}

	@Override
	public void startWorkers() {
		for (int i = 0; i < this.concurrency; i++) {
			start("ceiling-worker-" + i, this.threads.newThread(this::work));
		}
		start("ceiling-fetcher", new Thread(this::fetch));
	}

	private static void start(String name, Thread thread) {
		thread.setName(name);
		thread.setDaemon(true);
		thread.start();
	}

	private void work() {
		try {
			while (true) {
				run(this.claimed.take());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void run(String job) {
		JsonNode argument = MAPPER.readTree(job);
		int number = argument.get("i").intValue();
		this.runs.add(number, argument.get("t").longValue());
		this.done.add(Integer.toString(number));
	}

	private void fetch() {
		String digest = this.redis.scriptLoad(SCRIPT);
		String[] keys = { QUEUE, RUNNING };
		int running = 0;
		while (true) {
			List<String> arguments = new ArrayList<>();
			arguments.add((this.claimed.size() <= CLAIM) ? Integer.toString(CLAIM) : "0");
			for (String id = this.done.poll(); id != null; id = (arguments.size() < 2 * CLAIM) ? this.done.poll()
					: null) {
				arguments.add(id);
			}
			List<String> jobs = List.of();
			if (arguments.size() > 1 || !arguments.get(0).equals("0")) {
				jobs = this.redis.evalsha(digest, ScriptOutputType.MULTI, keys, arguments.toArray(String[]::new));
			}
			running += jobs.size() - (arguments.size() - 1);
			this.claimed.addAll(jobs);
			if (jobs.isEmpty() && running > 0) {
				LockSupport.parkNanos(PAUSE.toNanos());
			}
			else if (jobs.isEmpty()) {
				running += awaitOne();
			}
		}
	}

	/**
	 * Wait up to two seconds for the next job. Called while no job is queued or running.
	 * Return how many jobs were claimed: 0 or 1.
	 */
	private int awaitOne() {
		String job = this.redis.blmove(QUEUE, IDLE, LMoveArgs.Builder.rightLeft(), 2.0);
		if (job == null) {
			return 0;
		}
		this.claimed.add(job);
		this.redis.lrem(IDLE, 1, job);
		return 1;
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
