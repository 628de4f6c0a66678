package io.github.steadyjobs.test.boot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.steadyjobs.client.Admission.Kind;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.server.ScriptFixture.Taken;
import io.github.steadyjobs.support.TestRedis;
import io.github.steadyjobs.test.boot.KeyedPayloads.Entry;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.bytes;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the effect of the scripts with {@link KeyedPayloads}, the model of the rules,
 * for random pushes, claims, ends of runs and crashes (LK-01, LK-02, LK-06, LK-07, LK-13
 * to LK-20). Some calls are repeated or delayed. {@code -Djobs.test.seeds} sets the
 * number of random seeds, and {@code -Djobs.test.seed} the first seed.
 */
class OrderedModelIntegrationTests extends AbstractScriptTests {

	private static final int STEPS = 40;

	private static final int KEYS = 4;

	OrderedModelIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void scriptsDoWhatTheModelDoes() {
		simulate(Integer.getInteger("jobs.test.seeds", 100), 3, 5);
	}

	// Many payloads wait for a key, so some of them are in its backlog.
	@Test
	void scriptsDoWhatTheModelDoesWithBacklogs() {
		simulate(Integer.getInteger("jobs.test.seeds", 100) / 10, 400, 3000);
	}

	/**
	 * Compare the scripts with the model.
	 * @param burst the maximum number of payloads in a call
	 * @param distinct the number of different payloads
	 */
	private void simulate(int seeds, int burst, int distinct) {
		long first = Long.getLong("jobs.test.seed", 1);
		for (long seed = first; seed < first + seeds; seed++) {
			Simulation simulation = new Simulation(this.queue.sibling(), new Random(seed), burst, distinct);
			try {
				simulation.run();
			}
			catch (Throwable ex) {
				throw new AssertionError("Seed %d: %s".formatted(seed, simulation.log), ex);
			}
		}
	}

	/**
	 * The data that is stored for a key besides its payloads.
	 */
	private static final class Head {

		private int failures = -1;

		private boolean due;

		Head(int failures, boolean due) {
			this.failures = failures;
			this.due = due;
		}

	}

	/**
	 * A run of a key.
	 */
	private static final class Run {

		private final int key;

		private final String process;

		private final long claim;

		private final Gathered stored;

		private final List<Entry> entries;

		private int done;

		Run(int key, String process, long claim, Gathered stored, List<Entry> entries) {
			this.key = key;
			this.process = process;
			this.claim = claim;
			this.stored = stored;
			this.entries = entries;
		}

		List<Entry> left(int from) {
			return this.entries.subList(from, this.entries.size());
		}

	}

	private static final class Simulation {

		private final List<String> log = new ArrayList<>();

		private final Map<Integer, KeyedPayloads<Head>> keys = new TreeMap<>();

		private final Map<String, Long> claims = new HashMap<>();

		private final List<Run> runs = new ArrayList<>();

		private final List<Run> ended = new ArrayList<>();

		private final ScriptFixture queue;

		private final Random random;

		private final int burst;

		private final int distinct;

		private long calls;

		private int names;

		private int dead;

		Simulation(ScriptFixture queue, Random random, int burst, int distinct) {
			this.queue = queue;
			this.random = random;
			this.burst = burst;
			this.distinct = distinct;
			for (int key = 1; key <= KEYS; key++) {
				this.keys.put(key, new KeyedPayloads<>(JobStore.MOST_PAYLOADS));
			}
			join();
			join();
		}

		void run() {
			for (int step = 0; step < STEPS; step++) {
				step();
			}
			List.copyOf(this.claims.keySet()).forEach(this::crash);
			join();
			while (this.keys.values().stream().anyMatch((key) -> !key.waiting().isEmpty())) {
				makeDue();
				claim(KEYS);
				this.runs.forEach((run) -> {
					assertThat(end(run, "acknowledge")).isEqualTo("D");
					this.keys.get(run.key).end(List.of(), null);
				});
				this.runs.clear();
			}
			assertThat(this.queue.contents()).doesNotContainKeys("gathered", "backlog", "backlogged");
			assertThat(this.queue.hash("payloads")).hasSize(this.dead);
			this.queue.assertOnePlaceEach();
		}

		private void step() {
			int dice = this.random.nextInt(20);
			if (dice < 8) {
				push();
			}
			else if (dice < 12) {
				claim(1 + this.random.nextInt(3));
			}
			else if (dice < 17 && !this.runs.isEmpty()) {
				end(this.runs.remove(this.random.nextInt(this.runs.size())));
			}
			else if (dice == 17) {
				makeDue();
			}
			else if (dice == 18 && !this.ended.isEmpty()) {
				Run late = this.ended.get(this.random.nextInt(this.ended.size()));
				assertThat(end(late,
						List.of("acknowledge", "retry", "requeue", "advance", "exhaust").get(this.random.nextInt(5))))
					.isIn("A", "S");
			}
			else if (dice == 19 && this.random.nextInt(3) == 0) {
				crash(List.copyOf(this.claims.keySet()).get(this.random.nextInt(this.claims.size())));
				join();
			}
		}

		private void push() {
			int count = 1 + this.random.nextInt(this.burst);
			int target = 1 + this.random.nextInt(KEYS);
			NewJob[] jobs = new NewJob[count];
			StringBuilder expected = new StringBuilder();
			for (int i = 0; i < count; i++) {
				// Most payloads of a large call are for the same key.
				int key = (count > KEYS && this.random.nextInt(10) > 0) ? target : 1 + this.random.nextInt(KEYS);
				Entry entry = new Entry(Integer.toString(this.random.nextInt(6) - 2),
						"[" + this.random.nextInt(this.distinct) + "]");
				boolean due = this.random.nextInt(4) > 0;
				KeyedPayloads<Head> state = this.keys.get(key);
				expected.append((state.push(entry, new Head(-1, due)) == Kind.STORED) ? 'S' : 'M');
				jobs[i] = new NewJob(id(key),
						Gathered.write(envelope(key, -1), entry.score(), bytes(entry.arguments())), due ? null : HOUR);
				this.log.add("push %d %s%s".formatted(key, entry, due ? "" : " later"));
			}
			String answer = expected.toString().contains("M") ? expected.toString() : "S";
			long number = ++this.calls;
			for (int copies = this.random.nextInt(4) / 3; copies >= 0; copies--) {
				assertThat(this.queue.gatherCall("producer/0", number, 1, jobs)).isEqualTo(answer);
			}
		}

		private void claim(int wanted) {
			List<String> processes = List.copyOf(this.claims.keySet());
			String process = processes.get(this.random.nextInt(processes.size()));
			long number = this.claims.merge(process, 1L, Long::sum);
			List<Taken> claim = this.queue.take(process, number, wanted, 200);
			if (this.random.nextInt(4) == 0) {
				claim = this.queue.take(process, number, wanted, 200);
			}
			this.log.add("%s claims %d: %s".formatted(process, wanted, claim.stream().map(Taken::id).toList()));
			long ready = this.keys.values()
				.stream()
				.filter((key) -> !key.waiting().isEmpty() && key.head().due)
				.count();
			int most = (int) Math.min(wanted, ready);
			// A call takes fewer jobs if it takes many payloads out of backlogs.
			assertThat(claim).hasSizeBetween((this.burst > KEYS) ? Math.min(most, 1) : most, most);
			for (Taken job : claim) {
				int key = Integer.parseInt(job.id().substring(12), 16);
				KeyedPayloads<Head> state = this.keys.get(key);
				assertThat(state.isRunning()).isFalse();
				assertThat(state.head().due).isTrue();
				Head head = state.head();
				List<Entry> entries = state.begin(new Head(-1, true));
				assertThat(new String(job.payload())).isEqualTo(new String(envelope(key, head.failures)) + "\n"
						+ entries.stream()
							.map((entry) -> entry.score() + " " + entry.arguments() + "\n")
							.collect(Collectors.joining()));
				this.runs.add(new Run(key, process, number, Gathered.read(job.payload()), entries));
			}
		}

		private void end(Run run) {
			String how = List.of("acknowledge", "retry", "requeue", "advance", "exhaust").get(this.random.nextInt(5));
			KeyedPayloads<Head> key = this.keys.get(run.key);
			this.log.add("%s of %d by %s".formatted(how, run.key, run.process));
			if (how.equals("advance") && run.done == run.entries.size() - 1) {
				how = "acknowledge";
			}
			assertThat(end(run, how)).isEqualTo("D");
			if (how.equals("advance")) {
				run.done++;
				key.head().failures = -1;
				this.runs.add(run);
				return;
			}
			if (this.random.nextInt(3) == 0) {
				assertThat(end(run, how)).isIn("A", "S");
			}
			this.ended.add(run);
			switch (how) {
				case "acknowledge" -> key.end(List.of(), null);
				case "retry" -> key.end(run.left(run.done), new Head(key.head().failures + 1, false));
				case "requeue" -> key.end(run.left(run.done), new Head(key.head().failures, true));
				default -> {
					this.dead++;
					key.end(run.left(run.done + 1), new Head(-1, true));
				}
			}
		}

		/**
		 * Carry out one call that ends a run, and return the answer to this call.
		 */
		private String end(Run run, String how) {
			String token = token(run.claim);
			return switch (how) {
				case "acknowledge" -> this.queue.acknowledge(run.process, id(run.key), token);
				case "retry" -> this.queue.settle(run.process, "failed", run.key, token,
						run.stored.rest(envelope(run.key, failures(run) + 1), run.done, -1), HOUR);
				case "requeue" -> this.queue.requeue(run.process, id(run.key), token);
				case "advance" -> this.queue.advance(run.process, run.key, token, run.stored.sizeBehind(run.done + 1),
						new String(envelope(run.key, -1)));
				default -> this.queue.exhaust(run.process, run.key, token, 100 + this.dead, "dead",
						new String(run.stored.rest(envelope(run.key, -1), run.done, run.done)));
			};
		}

		private int failures(Run run) {
			Head head = this.keys.get(run.key).head();
			return (head != null) ? head.failures : -1;
		}

		private void makeDue() {
			this.log.add("all is due");
			for (String place : List.of("scheduled", "retries")) {
				for (String id : this.queue.sorted(place)) {
					this.queue.template().opsForZSet().add(this.queue.key(place), id, 1);
				}
			}
			this.keys.values()
				.stream()
				.map(KeyedPayloads::head)
				.filter(Objects::nonNull)
				.forEach((head) -> head.due = true);
		}

		private void join() {
			String process = "p" + ++this.names;
			this.queue.join(process);
			this.claims.put(process, 0L);
		}

		private void crash(String process) {
			this.log.add(process + " dies");
			this.claims.remove(process);
			// Let the process die while it is stopping, which does not count as a crash:
			// jobs with two crashes would wait separately.
			this.queue.beat(process, false, "stopping");
			this.queue.recoverAll(process, (buried) -> assertThat(buried).isNull());
			for (Iterator<Run> all = this.runs.iterator(); all.hasNext();) {
				Run run = all.next();
				if (run.process.equals(process)) {
					all.remove();
					this.ended.add(run);
					KeyedPayloads<Head> key = this.keys.get(run.key);
					key.end(run.left(run.done), new Head(key.head().failures, true));
				}
			}
		}

		private static byte[] envelope(int key, int failures) {
			return bytes("key %d failed %d times".formatted(key, failures));
		}

	}

}
