package io.github.steadyjobs.server;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.ordered.ShardRegistry;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import io.github.steadyjobs.support.TestRedis;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ValueEncoding;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A new queue, with the scripts as methods, and access to its raw keys. Jobs are
 * identified by small numbers; a job with a larger number is newer.
 */
public final class ScriptFixture {

	public static final JobScript ENQUEUE = JobScript.of(JobStore.class, "enqueue");

	public static final JobScript GATHER = JobScript.of(JobStore.class, "gather");

	public static final JobScript CLAIM = JobScript.of(WorkStore.class, "claim");

	public static final JobScript SETTLE = JobScript.of(WorkStore.class, "settle");

	public static final JobScript ADVANCE = JobScript.of(WorkStore.class, "advance");

	public static final JobScript BEAT = JobScript.of(LivenessStore.class, "beat");

	public static final JobScript HELD = JobScript.of(LivenessStore.class, "held");

	public static final JobScript RECOVER = JobScript.of(LivenessStore.class, "recover");

	public static final JobScript PAUSE = JobScript.of(PauseStore.class, "pause");

	public static final JobScript CLOSE_SHARD = JobScript.of(ShardRegistry.class, "close-shard");

	public static final JobScript CANCEL = JobScript.CANCEL;

	public static final JobScript UNPARK = JobScript.of(JobScript.class, "unpark");

	public static final JobScript SAMPLE = JobScript.of(JobScript.class, "sample");

	public static final JobScript DECLARE = JobScript.of(JobScript.class, "declare");

	public static final JobScript REPORT = JobScript.of(JobScript.class, "report");

	public static final JobScript INSTRUCT = JobScript.of(JobScript.class, "instruct");

	public static final JobScript MOVE_OUT = JobScript.of(JobScript.class, "move-out");

	public static final JobScript MOVE_IN = JobScript.of(JobScript.class, "move-in");

	public static final JobScript MOVE_END = JobScript.of(JobScript.class, "move-end");

	public static final String PROCESS = "p1";

	public static final String CAPSULE = "main";

	public static final long HOUR = 3_600_000;

	public static final long PRODUCER_AGE = 3600;

	/**
	 * Total size of claimed payloads, in bytes, at which claiming ahead stops.
	 */
	public static final int MOST_BYTES = 1000;

	private static final AtomicInteger queues = new AtomicInteger();

	private static final List<String> PLACES = List.of("ready", "suspects", "scheduled", "retries", "dead", "parked",
			"working", "payloads", "cancelled");

	/**
	 * Checks that each job of a queue is in exactly one place. Returns a description of
	 * the first error, or an empty string if there is none. This is a single call,
	 * because model tests check thousands of times. Keys of the wrong type count as
	 * empty.
	 */
	private static final RedisScript<String> ONE_PLACE_EACH = RedisScript.of("""
			local found = {}
			local function see(name, ids)
			  for _, id in ipairs(ids) do
			    if found[id] then
			      return id .. ' is in ' .. found[id] .. ' and in ' .. name
			    end
			    found[id] = name
			  end
			end
			local wrong = see('ready', redis.pcall('LRANGE', KEYS[1], 0, -1))
			  or see('suspects', redis.pcall('LRANGE', KEYS[2], 0, -1))
			  or see('scheduled', redis.pcall('ZRANGE', KEYS[3], 0, -1))
			  or see('retries', redis.pcall('ZRANGE', KEYS[4], 0, -1))
			  or see('dead', redis.pcall('ZRANGE', KEYS[5], 0, -1))
			  or see('parked', redis.pcall('HKEYS', KEYS[6]))
			  or see('working', redis.pcall('HKEYS', KEYS[7]))
			if wrong then
			  return wrong
			end
			for _, ids in ipairs({ redis.pcall('HKEYS', KEYS[8]), redis.pcall('SMEMBERS', KEYS[9]) }) do
			  for _, id in ipairs(ids) do
			    if not found[id] then
			      return id .. ' is nowhere, or has a payload and is cancelled'
			    end
			    found[id] = nil
			  end
			end
			local id, place = next(found)
			return id and id .. ' has no payload and is in ' .. place or ''
			""", String.class);

	private final TestRedis redis;

	private final StoreCalls calls;

	private final String queue;

	private long pushes;

	private long claims;

	public ScriptFixture(TestRedis redis) {
		this(redis, "q" + queues.incrementAndGet());
	}

	/**
	 * Create a fixture for a named queue, which need not be empty.
	 */
	public ScriptFixture(TestRedis redis, String queue) {
		this.redis = redis;
		this.queue = queue;
		this.calls = StoreCalls.of(redis.connections(), redis.prefix());
	}

	/**
	 * Return a fixture for another empty queue in the same Redis.
	 */
	public ScriptFixture sibling() {
		return new ScriptFixture(this.redis);
	}

	public TestRedis redis() {
		return this.redis;
	}

	public String queue() {
		return this.queue;
	}

	public StringRedisTemplate template() {
		return this.redis.template();
	}

	public String key(String name) {
		return this.redis.key(this.queue, name);
	}

	// Jobs

	public static String id(int job) {
		// The first twelve digits are the time of creation, the same for all jobs.
		return "%012x%012x".formatted(1_700_000_000_000L, job);
	}

	public static String[] ids(int... jobs) {
		return Arrays.stream(jobs).mapToObj(ScriptFixture::id).toArray(String[]::new);
	}

	public static String payload(int job) {
		return "payload of " + job;
	}

	public static NewJob job(int job) {
		return new NewJob(id(job), bytes(payload(job)), null);
	}

	public static NewJob job(int job, long delay) {
		return new NewJob(id(job), bytes(payload(job)), delay);
	}

	/**
	 * Return a job with a lock that lasts an hour.
	 */
	public static NewJob locked(int job, LockKind kind, String digest) {
		return new NewJob(id(job), bytes(payload(job)), null, kind.lock(HOUR, digest), null, null);
	}

	/**
	 * Return the value that is stored in 'locks'.
	 */
	public static String lock(int job, long expiry, LockKind kind) {
		return id(job) + Long.toHexString(expiry) + kind.lock(0, "").charAt(0);
	}

	/**
	 * Return the names of all goals of settled jobs.
	 */
	public static Set<String> goals() {
		byte[] payload = {};
		Stream<Outcome> outcomes = Stream.of(Outcome.DONE, Outcome.EXPIRED, Outcome.RELEASED, Outcome.UNBEGUN,
				new Outcome.Discarded(null), new Outcome.Retry(payload, Duration.ZERO, 0, null, null),
				new Outcome.PutOff(Duration.ZERO), new Outcome.Snoozed(payload, Duration.ZERO),
				new Outcome.Parked(null, ""), new Outcome.Parked(null, "", 1), new Outcome.Dead(null, null));
		DeadLimits limits = new DeadLimits(1, Duration.ZERO);
		return outcomes.map((outcome) -> outcome.goal(limits).name()).collect(Collectors.toSet());
	}

	public static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	public static String token(long claim) {
		return CAPSULE + "/" + claim;
	}

	/**
	 * Return the value that is stored in 'working' for a claim of the default process and
	 * capsule.
	 */
	public static String holder(long claim) {
		return PROCESS + "/" + token(claim);
	}

	// Scripts

	public List<Object> run(JobScript script, Object... arguments) {
		return run(this.calls.to(script, this.queue), arguments);
	}

	/**
	 * Run a script whose only key does not belong to a queue. Here, the key is named like
	 * the keys of the queue, so that {@link #contents()} includes it.
	 */
	public List<Object> runOn(JobScript script, String key, Object... arguments) {
		return run(ScriptCall.on(script, bytes(key(key))), arguments);
	}

	private List<Object> run(ScriptCall call, Object... arguments) {
		for (Object argument : arguments) {
			if (argument instanceof Number number) {
				call.add(number.longValue());
			}
			else if (argument instanceof byte[] bytes) {
				call.add(bytes);
			}
			else {
				call.add(bytes((String) argument));
			}
		}
		return send(call);
	}

	public List<Object> send(ScriptCall call) {
		return this.calls.run(call);
	}

	public String text(JobScript script, Object... arguments) {
		List<Object> answer = run(script, arguments);
		assertThat(answer).hasSize(1);
		return Answers.text(answer, 0);
	}

	public String enqueue(int... jobs) {
		return enqueue(Arrays.stream(jobs).mapToObj(ScriptFixture::job).toArray(NewJob[]::new));
	}

	public String enqueue(NewJob... jobs) {
		return enqueueCall("producer/0", ++this.pushes, jobs);
	}

	public String enqueueCall(String slot, long number, NewJob... jobs) {
		List<Object> arguments = new ArrayList<>(List.of(slot, number, jobs.length));
		for (NewJob job : jobs) {
			arguments.addAll(List.of(job.id(), job.payload()));
		}
		boolean expiring = Arrays.stream(jobs).anyMatch((job) -> job.expiry() != null);
		boolean delayed = expiring || Arrays.stream(jobs).anyMatch((job) -> job.delay() != null);
		if (!delayed && haveSimilarLocks(jobs)) {
			arguments.add(jobs[0].lock().split(" ")[0]);
			for (NewJob job : jobs) {
				arguments.add(job.lock().split(" ")[1]);
			}
		}
		else if (delayed || Arrays.stream(jobs).anyMatch((job) -> !job.lock().isEmpty())) {
			for (NewJob job : jobs) {
				if (expiring) {
					arguments.add((job.expiry() != null) ? job.expiry().after(0) : "");
				}
				if (delayed) {
					arguments.add((job.delay() != null) ? job.delay() : "");
				}
				arguments.add(job.lock());
			}
		}
		return text(ENQUEUE, arguments.toArray());
	}

	/**
	 * Return whether several jobs all have locks of one kind and TTL without positions,
	 * so that only the digests have to be passed for each job.
	 */
	private static boolean haveSimilarLocks(NewJob... jobs) {
		return jobs.length > 1 && Arrays.stream(jobs).allMatch((job) -> job.lock().matches("\\S+ \\S+"))
				&& Arrays.stream(jobs).map((job) -> job.lock().split(" ")[0]).distinct().count() == 1;
	}

	/**
	 * Return a payload of an ordered job, with the id of its key and without a delay.
	 * @param score empty for the current time
	 */
	public static NewJob ordered(int key, String score, String arguments) {
		return ordered(key, score, arguments, null);
	}

	public static NewJob ordered(int key, String score, String arguments, @Nullable Long delay) {
		return new NewJob(id(key), Gathered.write(bytes(payload(key)), score, bytes(arguments)), delay);
	}

	/**
	 * Return the value that is stored for a key.
	 * @param lines the payloads, each as a line with score, space and arguments
	 */
	public static String gathered(int key, String... lines) {
		return payload(key) + "\n" + String.join("\n", lines) + "\n";
	}

	public String gather(NewJob... jobs) {
		return gatherCall("producer/0", ++this.pushes, 1, jobs);
	}

	/**
	 * Push 400 random payloads of one key to this queue, 200 at a time, and to a sibling,
	 * one at a time.
	 * @param different how many different arguments the payloads may have
	 * @return the sibling
	 */
	public ScriptFixture gatherInTwoWays(Random random, int different) {
		NewJob[] jobs = IntStream.range(0, 400)
			.mapToObj((n) -> ordered(1, (random.nextBoolean() ? "17322900000000000" : "") + random.nextInt(20, 60),
					"[" + random.nextInt(different) + "]"))
			.toArray(NewJob[]::new);
		ScriptFixture other = sibling();
		for (int from = 0; from < jobs.length; from += 200) {
			gather(Arrays.copyOfRange(jobs, from, from + 200));
		}
		for (NewJob job : jobs) {
			other.gather(job);
		}
		return other;
	}

	public String gatherCall(String slot, long number, int version, NewJob... jobs) {
		return gatherCall(slot, number, version, JobStore.MOST_PAYLOADS, jobs);
	}

	/**
	 * Store payloads of ordered jobs.
	 * @param limit the maximum number of payloads that wait for a key
	 */
	public String gatherCall(String slot, long number, int version, int limit, NewJob... jobs) {
		List<Object> arguments = new ArrayList<>(List.of(slot, number, jobs.length, version, limit));
		for (NewJob job : jobs) {
			arguments.addAll(List.of(job.id(), job.payload(), (job.delay() != null) ? job.delay() : ""));
		}
		return text(GATHER, arguments.toArray());
	}

	public String advance(String process, int key, String token, int left) {
		return advance(process, key, token, left, "");
	}

	public String advance(String process, int key, String token, int left, String envelope) {
		return text(ADVANCE, process, id(key), token, left, envelope);
	}

	/**
	 * Move a payload of a key to the dead set under a new id or, if {@code payload} is
	 * empty, discard the payload.
	 */
	public String exhaust(String process, int key, String token, int dead, String payload, String rest) {
		return settle(process, payload.isEmpty() ? "discarded" : "dead", key, token, payload, 10_000, 180 * 24 * HOUR,
				id(dead), rest);
	}

	/**
	 * Make a claim for the default process and capsule, with the next number.
	 */
	public Claim claim(int wanted) {
		return claim(PROCESS, ++this.claims, wanted, 200);
	}

	public Claim claim(String process, long number, int wanted, int bound) {
		return claim(process, CAPSULE, number, wanted, bound);
	}

	public Claim claim(String process, String capsule, long number, int wanted, int bound) {
		return Claim.of(new Claim.Request(this.queue, process, capsule, number, wanted, wanted, false, false),
				run(CLAIM, process, capsule, number, wanted, bound, "", 0, wanted, MOST_BYTES, WorkStore.MOST_BYTES));
	}

	/**
	 * Return the jobs of a claim for the default process and capsule.
	 */
	public List<Taken> take(int wanted) {
		return taken(claim(wanted));
	}

	public List<Taken> take(String process, long number, int wanted, int bound) {
		return taken(claim(process, number, wanted, bound));
	}

	public List<Taken> takeSuspect(String process, long number) {
		return taken(claimSuspect(process, number));
	}

	private static List<Taken> taken(Claim claim) {
		return claim.jobs()
			.stream()
			.map((job) -> new Taken(job.id(), job.payload(), job.positions(), job.token().claim()))
			.toList();
	}

	/**
	 * Return the script call that claims one job, without sending it.
	 */
	public ScriptCall claimCall(String process, long number) {
		return this.calls.to(CLAIM, this.queue)
			.add(process)
			.add(CAPSULE)
			.add(number)
			.add(1)
			.add(200)
			.add("")
			.add(0)
			.add(1)
			.add(MOST_BYTES)
			.add(WorkStore.MOST_BYTES);
	}

	public String statusOfClaim(int wanted) {
		return claim(wanted).status().name();
	}

	/**
	 * Claim jobs, of which only the first {@code atOnce} begin immediately.
	 */
	public Claim claimAhead(int wanted, int atOnce) {
		return claimAhead(wanted, atOnce, 200);
	}

	public Claim claimAhead(int wanted, int atOnce, int bound) {
		Claim.Request request = new Claim.Request(this.queue, PROCESS, CAPSULE, ++this.claims, wanted, atOnce, false,
				false);
		return Claim.of(request, run(CLAIM, PROCESS, CAPSULE, request.number(), wanted, bound, "", 0, atOnce,
				MOST_BYTES, WorkStore.MOST_BYTES));
	}

	/**
	 * Make a claim with a limit in bytes.
	 */
	public Claim claimBytes(int wanted, int most) {
		Claim.Request request = new Claim.Request(this.queue, PROCESS, CAPSULE, ++this.claims, wanted, wanted, false,
				false);
		return Claim.of(request,
				run(CLAIM, PROCESS, CAPSULE, request.number(), wanted, 200, "", 0, wanted, most, most));
	}

	/**
	 * Claim jobs that must not run a second time.
	 */
	public Claim claimOnce(int wanted) {
		Claim.Request request = new Claim.Request(this.queue, PROCESS, CAPSULE, ++this.claims, wanted, wanted, true,
				false);
		return Claim.of(request, run(CLAIM, PROCESS, CAPSULE, request.number(), wanted, 200, "o", 0, wanted, MOST_BYTES,
				WorkStore.MOST_BYTES));
	}

	/**
	 * Claim one suspect for the only capsule of a process.
	 */
	public Claim claimSuspect(String process, long number) {
		return Claim.of(new Claim.Request(this.queue, process, CAPSULE, number, 1, 1, false, true),
				run(CLAIM, process, CAPSULE, number, 1, 200, "", 1, 1, MOST_BYTES, WorkStore.MOST_BYTES));
	}

	/**
	 * Acknowledge jobs, each in its own group.
	 */
	public String acknowledge(String process, Object... idsAndTokens) {
		List<Object> groups = new ArrayList<>();
		for (int i = 0; i < idsAndTokens.length; i += 2) {
			groups.addAll(List.of(idsAndTokens[i + 1], 1, idsAndTokens[i]));
		}
		return acknowledgeGroups(process, groups.toArray());
	}

	/**
	 * Acknowledge jobs in groups. Each group consists of a token, the number of ids, and
	 * the ids.
	 */
	public String acknowledgeGroups(String process, Object... groups) {
		int jobs = 0;
		for (int i = 0; i < groups.length; i += (Integer) groups[i + 1] + 2) {
			jobs += (Integer) groups[i + 1];
		}
		return text(SETTLE, with(process, with("done", with(jobs, groups))));
	}

	public String requeue(String process, Object... idsAndTokens) {
		return giveBack("released", process, idsAndTokens);
	}

	public String giveBack(String goal, String process, Object... idsAndTokens) {
		List<Object> arguments = new ArrayList<>(List.of(process, goal, idsAndTokens.length / 2));
		for (int i = 0; i < idsAndTokens.length; i += 2) {
			arguments.addAll(List.of(idsAndTokens[i + 1], 1, idsAndTokens[i]));
		}
		return text(SETTLE, arguments.toArray());
	}

	/**
	 * Settle one job.
	 */
	public String settle(String process, String goal, int job, String token, Object... arguments) {
		return Answers.text(settling(process, goal, job, token, arguments), 0);
	}

	public List<Object> settling(String process, String goal, int job, String token, Object... arguments) {
		return run(SETTLE, with(process, with(goal, with(1, with(token, with(1, with(id(job), arguments)))))));
	}

	public static Object[] with(Object process, Object... rest) {
		return Stream.concat(Stream.of(process), Arrays.stream(rest)).toArray();
	}

	public String retry(int job, long claim, long delay) {
		return retry(PROCESS, job, token(claim), delay);
	}

	public String retry(String process, int job, String token, long delay) {
		return settle(process, "failed", job, token, payload(job) + ", failed", delay);
	}

	/**
	 * Settle a failed job that is to be retried in another queue.
	 */
	public String retryIn(int job, long claim, long delay, String other) {
		return settle(PROCESS, "failed", job, token(claim), payload(job) + ", failed", delay, other);
	}

	public String bury(int job, long claim, int max, long age) {
		return bury(PROCESS, job, token(claim), "", max, age);
	}

	public String bury(String process, int job, String token, String payload, int max, long age) {
		return settle(process, "dead", job, token, payload, max, age);
	}

	public String discard(String process, int job, String token) {
		return discard(process, job, token, "discarded");
	}

	public String discard(String process, int job, String token, String total) {
		return settle(process, total, job, token);
	}

	public String park(int job, long claim, String reason) {
		return park(PROCESS, job, token(claim), reason);
	}

	public String park(String process, int job, String token, String reason) {
		return park(process, job, token, reason, "");
	}

	public String park(String process, int job, String token, String reason, String payload) {
		return settle(process, "parked", job, token, payload, reason);
	}

	/**
	 * Process one page of the parked jobs.
	 * @return where the next page begins, and how many jobs were unparked
	 */
	public List<Object> unpark(String cursor, int page, String... reasons) {
		List<Object> answer = run(UNPARK, Stream.concat(Stream.of(cursor, page), Arrays.stream(reasons)).toArray());
		return List.of(Answers.text(answer, 0), answer.get(1));
	}

	/**
	 * Unpark the jobs that were parked because of a pause that has ended.
	 * @return how many jobs were unparked
	 */
	public long unpause() {
		return (Long) unpark("0", 1000).get(1);
	}

	public String cancel(int job) {
		return text(CANCEL, "", "", id(job));
	}

	/**
	 * Postpone a running job at its own request.
	 */
	public String snooze(int job, long claim, long delay) {
		return settle(PROCESS, "snoozed", job, token(claim), payload(job) + ", snoozed", delay);
	}

	public String cancelAndInterrupt(int job) {
		return text(CANCEL, "", "", id(job), "interrupt");
	}

	public Beat join(String process) {
		return beat(process, true);
	}

	public Beat beat(String process, boolean join) {
		return beat(process, join, "");
	}

	public Beat beat(String process, boolean join, String state) {
		return beat(process, join, state, "");
	}

	public Beat beat(String process, boolean join, String state, String interrupted) {
		return Beat.of(run(BEAT, process, join ? "1" : "0", state, PRODUCER_AGE, 10_000, 180 * 24 * HOUR, interrupted));
	}

	/**
	 * Send a heartbeat of the default process, with limits for the number and age of dead
	 * jobs.
	 */
	public Beat beatKeeping(int max, long age) {
		return Beat.of(run(BEAT, PROCESS, "0", "", PRODUCER_AGE, max, age, ""));
	}

	public RecoveryStep leave(String process, int limit) {
		return recover(process, "", limit, 1);
	}

	/**
	 * Recover the jobs of a process that has joined and sent no heartbeat since.
	 * @return how many jobs were returned to the queue, and how many the process still
	 * holds
	 */
	public List<Long> recovered(String process) {
		RecoveryStep recovery = recover(process);
		return List.of(recovery.moved(), recovery.left());
	}

	/**
	 * Return one job of a stopping process to the queue.
	 * @return the status of this step, and how many jobs the process still holds
	 */
	public String left(String process) {
		RecoveryStep recovery = leave(process, 1);
		return recovery.status() + " " + recovery.left();
	}

	/**
	 * Recover the jobs of a dead process until no job is left.
	 * @param buried receives the jobs that must not run again
	 */
	public void recoverAll(String process, Consumer<Taken> buried) {
		RecoveryStep recovery;
		do {
			recovery = recover(process, "2", 1000, 3);
			recovery.doomed()
				.forEach((doomed) -> buried
					.accept(new Taken(doomed.token().id(), doomed.payload(), "", doomed.token().claim())));
		}
		while (recovery.status() == RecoveryStep.Status.OK && recovery.left() > 0);
	}

	/**
	 * Send a first heartbeat.
	 * @return the name of the status: whether the process counts as alive
	 */
	public String joined(String process) {
		return join(process).status().name();
	}

	/**
	 * Send a heartbeat.
	 * @return the counters of all processes
	 */
	public Map<String, Long> counters(String process) {
		return beat(process, false).counters();
	}

	public RecoveryStep recover(String process) {
		return recover(process, "1", 1000, 3);
	}

	public RecoveryStep recover(String process, String counter, int limit, int crashes) {
		return RecoveryStep.of(run(RECOVER, process, counter, limit, crashes), this.queue, process);
	}

	/**
	 * Return the jobs that a process holds, with the claim of each.
	 */
	public Map<String, String> held(String process) {
		Map<String, String> held = new HashMap<>();
		String cursor = "0";
		do {
			List<Object> answer = run(HELD, process, cursor, 1000);
			cursor = Answers.text(answer, 0);
			for (int i = 1; i < answer.size(); i += 2) {
				held.put(Answers.text(answer, i), Answers.text(answer, i + 1));
			}
		}
		while (!cursor.equals("0"));
		return held;
	}

	public QueueMonitor.Sample sample() {
		return new QueueMonitor(this.redis.connections(), this.redis.prefix()).sample(List.of(this.queue))
			.get(this.queue);
	}

	public String closeShard(long version) {
		return text(CLOSE_SHARD, version);
	}

	// Initial states

	/**
	 * Let the default process join and run these jobs, each with its own claim, numbered
	 * from 1.
	 */
	public ScriptFixture working(int... jobs) {
		join(PROCESS);
		for (int job : jobs) {
			enqueue(job);
			assertThat(claim(1).jobs()).extracting(ClaimedJob::id).containsExactly(id(job));
		}
		template().delete(key("wake"));
		return this;
	}

	public void pause() {
		set("meta", "paused", "1");
	}

	/**
	 * Return a job whose payload begins with the fields that this library writes first.
	 */
	public static NewJob named(int job, String name) {
		return new NewJob(id(job), bytes("{\"jid\":\"%s\",\"class\":\"%s\",\"args\":[]}".formatted(id(job), name)),
				null);
	}

	/**
	 * Inform the queue of pauses.
	 * @param paused version, end and mark of the pause of the queue; empty if the queue
	 * is not paused
	 * @param names for each paused job name, a line with the same values and the name
	 */
	public String tellPauses(long version, String paused, String... names) {
		return text(PAUSE, version, paused, Stream.of(names).map((line) -> line + "\n").reduce("", String::concat));
	}

	public String parkPaused(int job, long claim, String name, long version) {
		return settle(PROCESS, "paused", job, token(claim), "", "paused:" + name, version);
	}

	public void set(String hash, String field, String value) {
		template().opsForHash().put(key(hash), field, value);
	}

	/**
	 * Put an id into a place, even if it is in another place as well.
	 */
	public void put(String place, int job) {
		switch (place) {
			case "ready", "suspects" -> template().opsForList().leftPush(key(place), id(job));
			case "parked" -> set(place, id(job), "unknown:Mail.send");
			default -> template().opsForZSet().add(key(place), id(job), now() + HOUR);
		}
	}

	/**
	 * Replace the value of a key with a value of a type that no script expects.
	 */
	public void spoil(String key) {
		template().delete(key);
		template().opsForValue().set(key, "neither hash nor list nor set");
	}

	// Stored data

	public Map<String, Object> contents() {
		return this.redis.contents(this.queue);
	}

	public List<String> list(String name) {
		return template().opsForList().range(key(name), 0, -1);
	}

	/**
	 * Return the ready ids, the next one first.
	 */
	public List<String> ready() {
		List<String> ready = new ArrayList<>(list("ready"));
		Collections.reverse(ready);
		return ready;
	}

	public Map<String, String> hash(String name) {
		return new TreeMap<>(template().<String, String>opsForHash().entries(key(name)));
	}

	public Set<String> set(String name) {
		return template().opsForSet().members(key(name));
	}

	/**
	 * Return the ids of a sorted set, the lowest score first.
	 */
	public List<String> sorted(String name) {
		return List.copyOf(template().opsForZSet().range(key(name), 0, -1));
	}

	public Double score(String name, int job) {
		return template().opsForZSet().score(key(name), id(job));
	}

	public long stat(String name) {
		String value = hash("stats").get(name);
		return (value != null) ? Long.parseLong(value) : 0;
	}

	/**
	 * Return whether Redis looks up a field of a hash by searching the hash from its
	 * beginning.
	 */
	public boolean isSearched(String hash) {
		byte[] key = bytes(key(hash));
		ValueEncoding encoding = template()
			.execute((RedisConnection connection) -> connection.keyCommands().encodingOf(key));
		return !ValueEncoding.RedisValueEncoding.HASHTABLE.equals(encoding);
	}

	public boolean has(String name) {
		return template().hasKey(key(name));
	}

	/**
	 * Return the time of Redis, in milliseconds since the epoch.
	 */
	public long now() {
		return template().execute((RedisConnection connection) -> connection.serverCommands().time());
	}

	/**
	 * Check that every id is in exactly one place, that each job has a payload unless it
	 * was cancelled, and that there are no other payloads.
	 */
	public void assertOnePlaceEach() {
		assertOnePlaceEach(this.redis, this.queue);
	}

	public static void assertOnePlaceEach(TestRedis redis, String queue) {
		List<String> keys = PLACES.stream().map((place) -> redis.key(queue, place)).toList();
		assertThat(redis.template().execute(ONE_PLACE_EACH, keys)).as(queue).isEmpty();
	}

	public static NewJob[] jobs(int from, int to) {
		return IntStream.rangeClosed(from, to).mapToObj(ScriptFixture::job).toArray(NewJob[]::new);
	}

	/**
	 * A claimed job.
	 */
	public record Taken(String id, byte @Nullable [] payload, String positions, String claim) {

	}

}
