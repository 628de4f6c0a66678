package io.github.steadyjobs.benchmarks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.RedisFigures.ScriptCalls;
import io.github.steadyjobs.redis.Beat;
import io.github.steadyjobs.redis.Beat.ProcessState;
import io.github.steadyjobs.redis.Claim;
import io.github.steadyjobs.redis.Gathered;
import io.github.steadyjobs.redis.Goal;
import io.github.steadyjobs.redis.JobStore;
import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.LivenessStore;
import io.github.steadyjobs.redis.LockKind;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.Settlement;
import io.github.steadyjobs.redis.WorkStore;
import io.github.steadyjobs.redis.WorkStore.DeadLimits;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long the server is busy with one call of each script that jobs pass on
 * their way, by its own {@code INFO commandstats}. The scripts take turns, so that other
 * load on the machine affects all of them.
 */
final class ScriptsCommand {

	/**
	 * Calls of one script between two readings of the server's figures.
	 */
	private static final int TURN = 1000;

	/**
	 * Most jobs in the queue: some commands take longer on long lists.
	 */
	private static final int JOBS_AT_ONCE = 10_000;

	private static final int WARM_UP = 3;

	private static final String QUEUE = "scripts";

	/**
	 * A beat reads the last answers to producers, and answers to large pushes are long.
	 */
	private static final String IDLE_QUEUE = "scripts-idle";

	private static final String ORDERED_QUEUE = "scripts-ordered";

	private static final String ORDERED_SHARD = ORDERED_QUEUE + "#0";

	/**
	 * Payloads of 1 KB that are pushed at once: together with the running ones, nearly as
	 * many as a key may have.
	 */
	private static final int PAYLOADS = 450;

	private static final String KEY_ID = "019b76daa800c51c2d3e4f50";

	private static final String PROCESS = "bench:1:0123456789ab.1";

	private static final String CAPSULE = "default";

	private static final byte[] PAYLOAD = """
			{"jid":"019b76daa800a51c2d3e4f50","class":"InvoiceJobs.send","args":[{"template":"std"}],\
			"queue":"scripts","retry":true,"created_at":1767225600000,"enqueued_at":1767225600000}"""
		.getBytes(StandardCharsets.UTF_8);

	private final RedisFigures redis;

	private final JobStore jobs;

	private final WorkStore work;

	private final LivenessStore liveness;

	private final Map<String, List<ScriptCalls>> turns = new LinkedHashMap<>();

	private int nextJob;

	private long claims;

	private ScriptsCommand(Running application) {
		RedisConnections connections = application.context().getBean(RedisConnections.class);
		this.redis = application.redis();
		this.jobs = new JobStore(connections, application.prefix());
		this.work = new WorkStore(connections, application.prefix());
		this.liveness = this.work.liveness(new DeadLimits(10_000, Duration.ofDays(180)));
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
		// The first call of a script is repeated with its text, and other calls must not
		// overtake it.
		this.jobs.enqueue(QUEUE, job(null));
		acknowledge(claim(1, 1), 1);
		turnOf("enqueue_1", () -> repeat(TURN, () -> this.jobs.enqueue(QUEUE, job(null))));
		acknowledge(claim(1, TURN), 100);
		turnOf("enqueue_1_locked", () -> repeat(TURN, () -> this.jobs.enqueue(QUEUE, job(LockKind.UNTIL_EXECUTED))));
		List<JobToken> locked = claim(1, TURN);
		turnOf("acknowledge_1_locked", () -> acknowledge(locked, 1));
		for (int batch : List.of(1, 5, 10, 50, 100)) {
			int calls = Math.min(TURN, JOBS_AT_ONCE / batch);
			repeat(TURN / calls, () -> {
				enqueueAll(calls * batch);
				List<JobToken> claimed = new ArrayList<>();
				turnOf("claim_" + batch, () -> claimed.addAll(claim(batch, calls)));
				turnOf("acknowledge_" + batch, () -> acknowledge(claimed, batch));
			});
		}
		enqueueAll(TURN);
		List<JobToken> returned = claim(1, TURN);
		turnOf("requeue_1", () -> settle(returned, (token) -> this.work.settle(List.of(token), Goal.RELEASED)));
		List<JobToken> failed = claim(1, TURN);
		turnOf("retry", () -> settle(failed,
				(token) -> this.work.settle(List.of(token), Goal.retry(PAYLOAD, Duration.ZERO, null))));
		acknowledge(claim(1, TURN), 100);
		turnOf("beat", () -> beat(IDLE_QUEUE, false, TURN));
		takeOrderedTurns();
	}

	/**
	 * Push payloads of 1 KB for one key: many at once, equal ones, more while the key
	 * runs, and single ones when the key is nearly full.
	 */
	private void takeOrderedTurns() {
		turnOf("gather_450_of_a_key", () -> gather(0, PAYLOADS, 0));
		turnOf("gather_450_equal", () -> gather(0, PAYLOADS, -1000));
		List<JobToken> tokens = claim(ORDERED_SHARD, 1, 1);
		turnOf("gather_450_while_it_runs", () -> gather(PAYLOADS, 2 * PAYLOADS, -1000));
		turnOf("requeue_450_with_450",
				() -> settle(tokens, (token) -> this.work.settle(List.of(token), Goal.RELEASED)));
		for (int i = 0; i < 20; i++) {
			int number = 2 * PAYLOADS + i;
			turnOf("gather_1_onto_900", () -> gather(number, number + 1, 0));
		}
		this.jobs.cancel(KEY_ID, false);
	}

	private void gather(int from, int to, int score) {
		List<NewJob> payloads = new ArrayList<>(to - from);
		for (int number = from; number < to; number++) {
			byte[] arguments = "[{\"number\":%d,\"text\":\"%s\"}]".formatted(number, "text ".repeat(194))
				.getBytes(StandardCharsets.UTF_8);
			byte[] stored = Gathered.write(PAYLOAD, Integer.toString(number + score), arguments);
			payloads.add(new NewJob(KEY_ID, stored, null, "", new NewJob.Ordering("key", 1), null));
		}
		if (this.jobs.enqueueAll(ORDERED_QUEUE, payloads, Durability.STORED).failure() != null) {
			throw new IllegalStateException("Could not enqueue %d payloads of a key".formatted(to - from));
		}
	}

	private void turnOf(String script, Runnable calls) {
		ScriptCalls before = this.redis.scriptCalls();
		calls.run();
		this.turns.computeIfAbsent(script, (name) -> new ArrayList<>()).add(this.redis.scriptCalls().since(before));
	}

	private void enqueueAll(int count) {
		List<NewJob> fresh = new ArrayList<>(count);
		repeat(count, () -> fresh.add(job(null)));
		if (this.jobs.enqueueAll(QUEUE, fresh, Durability.STORED).failure() != null) {
			throw new IllegalStateException("Could not enqueue %d jobs".formatted(count));
		}
	}

	private NewJob job(@Nullable LockKind kind) {
		int number = this.nextJob++;
		String lock = (kind != null) ? kind.lock(3_600_000, "digest-of-22-%09d".formatted(number)) : "";
		return new NewJob("019b76daa800%012x".formatted(number), PAYLOAD, null, lock, null, null);
	}

	/**
	 * Claim ready jobs.
	 */
	private List<JobToken> claim(int batch, int calls) {
		return claim(QUEUE, batch, calls);
	}

	private List<JobToken> claim(String queue, int batch, int calls) {
		List<CompletableFuture<Claim>> answers = new ArrayList<>(calls);
		for (int i = 0; i < calls; i++) {
			answers.addAll(this.work
				.exchange(List.of(),
						List.of(new Claim.Request(queue, PROCESS, CAPSULE, ++this.claims, batch, batch, false, false)))
				.claims());
		}
		List<JobToken> tokens = new ArrayList<>(calls * batch);
		answers.forEach((answer) -> answer.join().jobs().forEach((job) -> tokens.add(job.token())));
		if (tokens.size() != calls * batch) {
			throw new IllegalStateException("Claimed %d jobs of %d".formatted(tokens.size(), calls * batch));
		}
		return tokens;
	}

	private void acknowledge(List<JobToken> tokens, int batch) {
		List<CompletableFuture<List<Settlement>>> answers = new ArrayList<>();
		for (int i = 0; i < tokens.size(); i += batch) {
			answers.add(this.work.settle(tokens.subList(i, i + batch), Goal.DONE));
		}
		answers.forEach(ScriptsCommand::checkDone);
	}

	private static void settle(List<JobToken> tokens,
			Function<JobToken, CompletableFuture<List<Settlement>>> settlement) {
		tokens.stream().map(settlement).toList().forEach(ScriptsCommand::checkDone);
	}

	private static void checkDone(CompletableFuture<List<Settlement>> answer) {
		if (answer.join().stream().anyMatch((settlement) -> settlement != Settlement.DONE)) {
			throw new IllegalStateException("Settled as " + answer.join());
		}
	}

	private void beat(String queue, boolean join, int times) {
		List<CompletableFuture<Beat>> answers = new ArrayList<>(times);
		repeat(times, () -> answers.add(this.liveness.beat(queue, PROCESS, join, ProcessState.RUNNING, "")));
		answers.forEach(CompletableFuture::join);
	}

	private static void repeat(int count, Runnable work) {
		for (int i = 0; i < count; i++) {
			work.run();
		}
	}

}
