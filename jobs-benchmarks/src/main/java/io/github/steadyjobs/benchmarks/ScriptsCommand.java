package io.github.steadyjobs.benchmarks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.RedisFigures.ScriptCalls;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import io.github.steadyjobs.server.Launcher;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long the server is busy with one call of each script that is called in the
 * life of a job, according to {@code INFO commandstats}. The scripts take turns, so that
 * other load on the machine affects all of them.
 */
final class ScriptsCommand {

	/**
	 * Number of calls of one script between two readings of the server's figures.
	 */
	private static final int TURN = 1000;

	/**
	 * Maximum number of jobs in the queue, because some commands take longer on long
	 * lists.
	 */
	private static final int JOBS_AT_ONCE = 10_000;

	private static final int WARM_UP = 3;

	private static final String QUEUE = "scripts";

	/**
	 * A separate queue for heartbeats. A heartbeat reads the latest answers to producers;
	 * in the other queue these answers are long, because the pushes are large.
	 */
	private static final String IDLE_QUEUE = "scripts-idle";

	private static final String ORDERED_QUEUE = "scripts-ordered";

	private static final String ORDERED_SHARD = ORDERED_QUEUE + "#0";

	/**
	 * Number of payloads of 1 KB that are pushed together. Most of them go to the backlog
	 * of the key. A single run takes all of them.
	 */
	private static final int PAYLOADS = 450;

	private static final String KEY_ID = "019b76daa800c51c2d3e4f50";

	private static final JobScript ENQUEUE = JobScript.of(JobStore.class, "enqueue");

	private static final JobScript GATHER = JobScript.of(JobStore.class, "gather");

	private static final JobScript CLAIM = JobScript.of(Launcher.class, "claim");

	private static final JobScript SETTLE = JobScript.of(Launcher.class, "settle");

	private static final JobScript BEAT = JobScript.of(Launcher.class, "beat");

	private static final String PROCESS = "bench:1:0123456789ab.1";

	private static final String CAPSULE = "default";

	private static final byte[] NOW = { '0' };

	private static final int JOBS_OF_A_PUSH = 1000;

	private static final int PAYLOADS_AT_ONCE = 100;

	private static final byte[] PAYLOAD = """
			{"jid":"019b76daa800a51c2d3e4f50","class":"InvoiceJobs.send","args":[{"template":"std"}],\
			"queue":"scripts","retry":true,"created_at":1767225600000,"enqueued_at":1767225600000}"""
		.getBytes(StandardCharsets.UTF_8);

	private final RedisFigures redis;

	private final StoreCalls calls;

	private final Map<String, List<ScriptCalls>> turns = new LinkedHashMap<>();

	private int nextJob;

	private long pushes;

	private long claims;

	private ScriptsCommand(Running application) {
		this.redis = application.redis();
		this.calls = StoreCalls.of(application.context().getBean(RedisConnections.class), application.prefix());
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "calls"));
		int calls = options.number("calls", 100_000);
		BenchmarkApplication.measure(options.text("redis", "redis://127.0.0.1:6379"),
				BenchmarkApplication.concurrency(1),
				(application) -> new ScriptsCommand(application).measure(Math.max(1, calls / TURN)));
	}

	private Map<String, Object> measure(int turns) {
		beat(QUEUE, true, 1);
		beat(IDLE_QUEUE, true, 1);
		beat(ORDERED_SHARD, true, 1);
		for (int i = 0; i < Math.min(WARM_UP, turns); i++) {
			takeTurns();
		}
		this.turns.clear();
		for (int i = 0; i < turns; i++) {
			takeTurns();
		}
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("calls", turns * TURN);
		this.turns.forEach((script, calls) -> {
			figures.put(script + "_us", rounded(ScriptCalls.sum(calls).microsPerCall()));
			figures.put(script + "_median_us", rounded(median(calls)));
		});
		return figures;
	}

	private static double median(List<ScriptCalls> turns) {
		return turns.stream()
			.mapToDouble(ScriptCalls::microsPerCall)
			.sorted()
			.skip(turns.size() / 2)
			.findFirst()
			.orElse(0);
	}

	private static double rounded(double micros) {
		return Math.round(micros * 100) / 100.0;
	}

	private void takeTurns() {
		// Run these scripts once, so that Redis knows them. Otherwise, a call is repeated
		// with the text of the script, and later calls could overtake it.
		enqueue(1, null);
		acknowledge(claim(1, 1), 1);
		turnOf("enqueue_1", () -> repeat(TURN, () -> enqueue(1, null)));
		acknowledge(claim(1, TURN), 100);
		turnOf("enqueue_1_locked", () -> repeat(TURN, () -> enqueue(1, LockKind.UNTIL_EXECUTED)));
		List<Claimed> locked = claim(1, TURN);
		turnOf("acknowledge_1_locked", () -> acknowledge(locked, 1));
		for (int batch : List.of(1, 5, 10, 50, 100)) {
			int calls = Math.min(TURN, JOBS_AT_ONCE / batch);
			repeat(TURN / calls, () -> {
				enqueue(calls * batch, null);
				List<Claimed> claimed = new ArrayList<>();
				turnOf("claim_" + batch, () -> claimed.addAll(claim(batch, calls)));
				turnOf("acknowledge_" + batch, () -> acknowledge(claimed, batch));
			});
		}
		enqueue(TURN, null);
		List<Claimed> returned = claim(1, TURN);
		turnOf("requeue_1", () -> settle(returned, 1, "released"));
		List<Claimed> failed = claim(1, TURN);
		turnOf("retry", () -> settle(failed, 1, "failed", PAYLOAD, NOW));
		acknowledge(claim(1, TURN), 100);
		turnOf("beat", () -> beat(IDLE_QUEUE, false, TURN));
		takeOrderedTurns();
	}

	/**
	 * Push payloads of 1 KB for one key: many payloads together, equal payloads, more
	 * payloads while the key is running, and single payloads when 900 are waiting.
	 */
	private void takeOrderedTurns() {
		turnOf("gather_450_of_a_key", () -> gather(0, PAYLOADS, 0));
		turnOf("gather_450_equal", () -> gather(0, PAYLOADS, -1000));
		List<Claimed> tokens = claim(ORDERED_SHARD, 1, 1);
		turnOf("gather_450_while_it_runs", () -> gather(PAYLOADS, 2 * PAYLOADS, -1000));
		turnOf("requeue_450_with_450", () -> settle(tokens, 1, "released"));
		for (int i = 0; i < 20; i++) {
			int number = 2 * PAYLOADS + i;
			turnOf("gather_1_onto_900", () -> gather(number, number + 1, 0));
		}
		this.calls.run(push(JobScript.CANCEL, ORDERED_SHARD).addText(KEY_ID));
	}

	private void gather(int from, int to, int score) {
		for (int first = from; first < to; first += PAYLOADS_AT_ONCE) {
			int last = Math.min(to, first + PAYLOADS_AT_ONCE);
			ScriptCall call = push(GATHER, ORDERED_SHARD).add(last - first).add(1).add(JobStore.MOST_PAYLOADS);
			for (int number = first; number < last; number++) {
				byte[] arguments = "[{\"number\":%d,\"text\":\"%s\"}]".formatted(number, "text ".repeat(194))
					.getBytes(StandardCharsets.UTF_8);
				call.add(KEY_ID).add(Gathered.write(PAYLOAD, Integer.toString(number + score), arguments)).add("");
			}
			checkStored(this.calls.text(call));
		}
	}

	private void turnOf(String script, Runnable calls) {
		ScriptCalls before = this.redis.scriptCalls();
		calls.run();
		this.turns.computeIfAbsent(script, (name) -> new ArrayList<>()).add(this.redis.scriptCalls().since(before));
	}

	private void enqueue(int count, @Nullable LockKind kind) {
		for (int left = count; left > 0; left -= JOBS_OF_A_PUSH) {
			int size = Math.min(left, JOBS_OF_A_PUSH);
			ScriptCall call = push(ENQUEUE, QUEUE).add(size);
			int first = this.nextJob;
			this.nextJob += size;
			for (int number = first; number < this.nextJob; number++) {
				call.add("019b76daa800%012x".formatted(number)).add(PAYLOAD);
			}
			if (kind != null) {
				for (int number = first; number < this.nextJob; number++) {
					call.add(kind.lock(3_600_000, "digest-of-22-%09d".formatted(number)));
				}
			}
			checkStored(this.calls.text(call));
		}
	}

	private ScriptCall push(JobScript script, String queue) {
		return this.calls.to(script, queue).add("bench/0").add(++this.pushes);
	}

	private static void checkStored(String answer) {
		if (!answer.matches("[SM]+")) {
			throw new IllegalStateException("Stored as " + answer);
		}
	}

	/**
	 * Claim ready jobs.
	 */
	private List<Claimed> claim(int batch, int calls) {
		return claim(QUEUE, batch, calls);
	}

	private List<Claimed> claim(String queue, int batch, int calls) {
		List<CompletableFuture<List<Object>>> answers = new ArrayList<>(calls);
		List<Claimed> claimed = new ArrayList<>(calls * batch);
		long first = this.claims + 1;
		for (int i = 0; i < calls; i++) {
			answers.add(this.calls.send(this.calls.to(CLAIM, queue)
				.add(PROCESS)
				.add(CAPSULE)
				.add(++this.claims)
				.add(batch)
				.add(Math.max(batch, 200))
				.add("")
				.add(0)
				.add(batch)
				.add(1_000_000)
				.add(16_000_000)));
		}
		for (int i = 0; i < calls; i++) {
			String token = CAPSULE + "/" + (first + i);
			List<Object> answer = answers.get(i).join();
			for (int job = 0; job < Answers.number(answer, 7); job++) {
				claimed.add(new Claimed(queue, Answers.text(answer, 8 + 2 * job), token));
			}
		}
		if (claimed.size() != calls * batch) {
			throw new IllegalStateException("Claimed %d jobs of %d".formatted(claimed.size(), calls * batch));
		}
		return claimed;
	}

	private void acknowledge(List<Claimed> claimed, int batch) {
		settle(claimed, batch, "done");
	}

	private void settle(List<Claimed> claimed, int batch, String goal, byte[]... arguments) {
		List<CompletableFuture<List<Object>>> answers = new ArrayList<>();
		for (int i = 0; i < claimed.size(); i += batch) {
			List<Claimed> some = claimed.subList(i, i + batch);
			ScriptCall call = this.calls.to(SETTLE, some.get(0).queue()).add(PROCESS).add(goal).add(batch);
			some.stream()
				.collect(Collectors.groupingBy(Claimed::token, LinkedHashMap::new, Collectors.toList()))
				.forEach((token, ofClaim) -> {
					call.add(token).add(ofClaim.size());
					ofClaim.forEach((job) -> call.add(job.id()));
				});
			for (byte[] argument : arguments) {
				call.add(argument);
			}
			answers.add(this.calls.send(call));
		}
		answers.forEach((answer) -> {
			if (!Answers.text(answer.join(), 0).matches("D+")) {
				throw new IllegalStateException("Settled as " + Answers.text(answer.join(), 0));
			}
		});
	}

	private void beat(String queue, boolean join, int times) {
		List<CompletableFuture<List<Object>>> answers = new ArrayList<>(times);
		repeat(times,
				() -> answers.add(this.calls.send(this.calls.to(BEAT, queue)
					.add(PROCESS)
					.add(join ? 1 : 0)
					.add("")
					.add(3600)
					.add(10_000)
					.add(Duration.ofDays(180).toMillis())
					.add(""))));
		answers.forEach(CompletableFuture::join);
	}

	private static void repeat(int count, Runnable work) {
		for (int i = 0; i < count; i++) {
			work.run();
		}
	}

	/**
	 * A claimed job, with the values that are needed to settle it.
	 */
	private record Claimed(String queue, String id, String token) {

	}

}
