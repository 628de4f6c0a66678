package io.github.steadyjobs.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.BulkChange;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobEntry;
import io.github.steadyjobs.admin.JobPage;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Task;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;

/**
 * Measures how long actions of an operator take while there are many jobs, and how long
 * the longest call of each action keeps Redis busy. The latter figures come from the slow
 * log of Redis.
 */
final class AdminCommand {

	private static final String OTHER = "other";

	private final Running application;

	private final RedisCommands<String, String> redis;

	private final JobAdmin admin;

	private final Map<String, Object> figures = new LinkedHashMap<>();

	private AdminCommand(Running application, RedisCommands<String, String> redis) {
		this.application = application;
		this.redis = redis;
		this.admin = application.context().getBean(JobAdmin.class);
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "jobs", "dead"));
		int jobs = options.number("jobs", 1_000_000);
		int dead = options.number("dead", 100_000);
		try (TargetRedis redis = new TargetRedis(options)) {
			RedisClient client = RedisClient.create(redis.url());
			try (StatefulRedisConnection<String, String> connection = client.connect()) {
				BenchmarkApplication.measure(redis.url(), Map.of("steadyjobs.dead.max", dead),
						(application) -> new AdminCommand(application, connection.sync()).measure(jobs, dead));
			}
			finally {
				client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
			}
		}
	}

	private Map<String, Object> measure(int jobs, int dead) {
		this.figures.put("jobs", jobs);
		this.figures.put("dead", dead);
		JobRequest request = JobRequest.of(Task.EMPTY);
		this.application.client().enqueue(request.queue(OTHER));
		JobRequest later = request.after(Duration.ofDays(1));
		this.application.enqueueTasks(0, dead, (i) -> later);
		JobQuery scheduled = JobQuery.of(JobPlace.SCHEDULED);
		watch("kill_by_filter", () -> all(JobAction.KILL, scheduled.name("*")));
		this.application.enqueueTasks(0, jobs, (i) -> request);
		List<JobEntry> ready = new ArrayList<>();
		for (JobPlace place : List.of(JobPlace.READY, JobPlace.DEAD)) {
			String name = place.name().toLowerCase(Locale.ROOT);
			watch("page_of_" + name, () -> this.admin.page(JobQuery.of(place)));
			watch("filtered_page_of_" + name, () -> this.admin.page(JobQuery.of(place).text("nowhere")));
		}
		JobPage middle = this.admin
			.page(JobQuery.of(JobPlace.READY).after(BenchmarkJobs.QUEUE + " " + jobs / 2).size(10));
		ready.addAll(middle.jobs());
		watch("deep_page_of_ready",
				() -> this.admin.page(JobQuery.of(JobPlace.READY).after(BenchmarkJobs.QUEUE + " " + jobs / 2)));
		watch("find", () -> this.admin.find(ready.get(0).id()));
		watch("queues", this.admin::queues);
		watch("kill_one_ready", () -> this.admin.change(JobAction.KILL, ready.get(0).id()));
		watch("delete_one_ready", () -> this.admin.change(JobAction.DELETE, ready.get(1).id()));
		watch("reschedule_one_ready",
				() -> this.admin.reschedule(ready.get(2).id(), Instant.now().plus(Duration.ofDays(1))));
		watch("move_one_ready", () -> this.admin.move(ready.get(3).id(), OTHER));
		watch("retry_all_dead", () -> all(JobAction.RETRY, JobQuery.of(JobPlace.DEAD)));
		watch("delete_half_of_ready_by_filter", () -> {
			JobQuery query = JobQuery.of(JobPlace.READY).text("-");
			BulkChange step = this.admin.change(JobAction.DELETE, query);
			for (int i = 0; i < jobs / 2 / 500 && step.hasNext(); i++) {
				step = this.admin.change(JobAction.DELETE, query.after(step.next()));
			}
		});
		watch("purge_ready", () -> this.admin.purge(BenchmarkJobs.QUEUE, JobPlace.READY));
		return this.figures;
	}

	private BulkChange all(JobAction action, JobQuery query) {
		BulkChange step = this.admin.change(action, query);
		while (step.hasNext()) {
			step = this.admin.change(action, query.after(step.next()));
		}
		return step;
	}

	/**
	 * Run an operation, and record how long it took and how long its longest call kept
	 * Redis busy.
	 */
	private void watch(String name, Runnable operation) {
		this.redis.configSet("slowlog-log-slower-than", "1000");
		this.redis.configSet("slowlog-max-len", "100000");
		this.redis.slowlogReset();
		long begun = System.nanoTime();
		operation.run();
		this.figures.put(name + "_ms", Math.round((System.nanoTime() - begun) / 1e4) / 100.0);
		List<Object> slow = this.redis.slowlogGet(100_000);
		long longest = slow.stream().mapToLong((entry) -> (Long) ((List<?>) entry).get(2)).max().orElse(0);
		this.figures.put(name + "_longest_call_ms", (longest > 0) ? longest / 1000.0 : "under 1");
	}

}
