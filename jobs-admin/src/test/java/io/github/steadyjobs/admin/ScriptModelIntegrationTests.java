package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.server.ScriptFixture.Taken;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.bytes;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs random operations on jobs in two queues of plain jobs and one queue of ordered
 * jobs: pushes with locks of all kinds, claims, completions, retries in other queues,
 * pauses, cancellations, actions of operators, moves that are interrupted at any point,
 * and deaths of processes. Some calls are repeated or delayed. After each step, every job
 * is in exactly one place, and Redis records for a random process exactly the jobs that
 * it is running. At the end, no job has been lost, and only dead jobs are left. {@code
 * -Djobs.test.seeds} sets the number of random seeds, and {@code -Djobs.test.seed} the
 * first seed.
 */
class ScriptModelIntegrationTests extends AbstractScriptTests {

	private static final int STEPS = 40;

	private static final List<String> NAMES = List.of("Mail.send", "Bill.print");

	private static final String UNKNOWN = "unknown:Mail.send";

	private static final DeadLimits LIMITS = new DeadLimits(10_000, Duration.ofDays(180));

	private final TestRedis redis;

	ScriptModelIntegrationTests(TestRedis redis) {
		super(redis);
		this.redis = redis;
	}

	@Test
	@DisplayName("Whatever happens to jobs, each job is in exactly one place at all times, and finally ends")
	void jobsAreInOnePlaceWhateverHappens() {
		long first = Long.getLong("jobs.test.seed", 1);
		for (long seed = first; seed < first + Integer.getInteger("jobs.test.seeds", 80); seed++) {
			Simulation simulation = new Simulation(new Random(seed));
			try {
				simulation.run();
			}
			catch (Throwable ex) {
				throw new AssertionError("Seed %d: %s".formatted(seed, String.join("\n", simulation.log)), ex);
			}
		}
		assertThat(new JobAudit(this.redis.connections(), this.redis.prefix()).run().violations()).isEmpty();
	}

	/**
	 * A job that a process is running.
	 */
	private record Run(ScriptFixture queue, int job, String process, long claim, byte[] payload) {

	}

	/**
	 * A job on its way to another queue.
	 */
	private record Move(ScriptFixture from, int job, ScriptFixture to, List<Object> way, byte[] payload,
			boolean hasArrived) {

		Move arrived() {
			return new Move(this.from, this.job, this.to, this.way, this.payload, true);
		}

	}

	private final class Simulation {

		private final List<String> log = new ArrayList<>();

		private final ScriptFixture one = ScriptModelIntegrationTests.this.queue.sibling();

		private final ScriptFixture two = this.one.sibling();

		private final ScriptFixture ordered = this.one.sibling();

		private final List<ScriptFixture> queues = List.of(this.one, this.two, this.ordered);

		private final AdminStore admin = new AdminStore(ScriptModelIntegrationTests.this.redis.connections(),
				ScriptModelIntegrationTests.this.redis.prefix(),
				new JobStore(ScriptModelIntegrationTests.this.redis.connections(),
						ScriptModelIntegrationTests.this.redis.prefix())
					.removals());

		private final Random random;

		/** The number of the last claim, by process and queue. */
		private final Map<String, Map<String, Long>> processes = new TreeMap<>();

		private final List<Run> runs = new ArrayList<>();

		private final List<Run> old = new ArrayList<>();

		private final List<Move> moves = new ArrayList<>();

		private final Map<Integer, String> nameOf = new HashMap<>();

		/** Accepted jobs that have not been observed to end. */
		private final Set<Integer> expected = new HashSet<>();

		private long pauses = 1;

		private int names;

		private long calls;

		Simulation(Random random) {
			this.random = random;
			join();
			join();
		}

		void run() {
			for (int step = 0; step < STEPS; step++) {
				step();
				check();
			}
			List.copyOf(this.processes.keySet()).forEach((process) -> crash(process, "stopping"));
			this.log.add("everything goes on");
			tell("", List.of());
			this.queues.forEach(this::breakOff);
			join();
			for (int round = 0; round < 4; round++) {
				this.queues.forEach((queue) -> unpark(queue, UNKNOWN));
				makeDue();
				for (ScriptFixture queue : this.queues) {
					claim(queue, 1000, false);
					while (claim(queue, 1, true) > 0) {
						this.log.add("a suspect runs");
						endAll();
					}
				}
				endAll();
				check();
			}
			Set<Integer> kept = new HashSet<>();
			for (ScriptFixture queue : this.queues) {
				assertThat(queue.hash("payloads").keySet()).as("payloads left in %s", queue.queue())
					.containsExactlyInAnyOrderElementsOf(queue.sorted("dead"));
				assertThat(
						Stream.of("working", "parked", "again", "mutexes", "gathered", "suspects").filter(queue::has))
					.isEmpty();
				queue.sorted("dead").forEach((id) -> kept.add(jobOf(id)));
			}
			this.expected.removeAll(kept);
			assertThat(this.expected).as("lost jobs").isEmpty();
			this.queues.forEach((queue) -> queue.leave(this.processes.keySet().iterator().next(), 1000));
		}

		private void endAll() {
			List<Run> all = List.copyOf(this.runs);
			this.runs.clear();
			all.forEach((run) -> end(run, 0));
		}

		/**
		 * Check that each job is in one place, and that Redis records the expected
		 * running jobs for a random process in a random queue.
		 */
		private void check() {
			this.queues.forEach(ScriptFixture::assertOnePlaceEach);
			ScriptFixture queue = any(this.queues);
			String process = any(List.copyOf(this.processes.keySet()));
			assertThat(queue.held(process).keySet()).as("jobs that %s runs from %s", process, queue.queue())
				.containsExactlyInAnyOrderElementsOf(this.runs.stream()
					.filter((run) -> run.queue() == queue && run.process().equals(process))
					.map((run) -> id(run.job()))
					.toList());
		}

		private <T> T any(List<T> all) {
			return all.get(this.random.nextInt(all.size()));
		}

		private ScriptFixture plain() {
			return this.random.nextBoolean() ? this.one : this.two;
		}

		private void step() {
			int dice = this.random.nextInt(36);
			if (dice < 7) {
				enqueue(plain());
			}
			else if (dice < 9) {
				gather();
			}
			else if (dice < 14) {
				claim(any(this.queues), 1 + this.random.nextInt(4), false);
			}
			else if (dice == 14) {
				claim(any(this.queues), 1, true);
			}
			else if (dice < 20 && !this.runs.isEmpty()) {
				Run run = this.runs.remove(this.random.nextInt(this.runs.size()));
				end(run, this.random.nextInt(7));
				this.old.add(run);
			}
			else if (dice < 22 && !this.old.isEmpty()) {
				Run late = any(this.old);
				assertThat(settle(late, this.random.nextInt(6))).isIn("A", "S");
			}
			else if (dice < 24) {
				pauseOrResume();
			}
			else if (dice < 26) {
				unpark(any(this.queues), this.random.nextBoolean() ? UNKNOWN : "unknown:other");
			}
			else if (dice == 26) {
				makeDue();
			}
			else if (dice == 27) {
				cancel();
			}
			else if (dice < 31) {
				operate();
			}
			else if (dice < 34 && !this.moves.isEmpty()) {
				advance(this.moves.remove(this.random.nextInt(this.moves.size())));
			}
			else if (dice == 34 && this.random.nextInt(3) == 0) {
				breakOff(any(this.queues));
			}
			else if (dice == 35 && this.random.nextInt(2) == 0) {
				crash(any(List.copyOf(this.processes.keySet())), this.random.nextBoolean() ? "stopping" : "");
				join();
			}
		}

		private void enqueue(ScriptFixture queue) {
			int job = this.nameOf.size() + 1;
			String name = any(NAMES);
			this.nameOf.put(job, name);
			byte[] payload = bytes("{\"jid\":\"%s\",\"class\":\"%s\",\"args\":[]}".formatted(id(job), name));
			Long delay = (this.random.nextInt(4) == 0) ? HOUR : null;
			LockKind kind = any(Arrays.asList(LockKind.values()));
			boolean isLocked = kind != LockKind.NONE && this.random.nextBoolean();
			String digest = "digest" + this.random.nextInt(3);
			this.log
				.add("enqueue %d %s %s %s".formatted(job, queue.queue(), isLocked ? kind + " " + digest : "", delay));
			queue.enqueue(isLocked ? new NewJob(id(job), payload, delay, kind.lock(HOUR, digest), null, null)
					: new NewJob(id(job), payload, delay));
			if (queue.hash("payloads").containsKey(id(job))) {
				this.expected.add(job);
			}
		}

		/**
		 * Push payloads of ordered keys. Some calls are sent twice.
		 */
		private void gather() {
			int key = 1_000_000 + this.random.nextInt(3);
			NewJob[] jobs = { ScriptFixture.ordered(key, Integer.toString(this.random.nextInt(5)),
					"[" + this.random.nextInt(5) + "]", (this.random.nextInt(4) == 0) ? HOUR : null) };
			long number = ++this.calls;
			this.log.add("push of key %d".formatted(key));
			String answer = this.ordered.gatherCall("producer/0", number, 1, jobs);
			if (this.random.nextInt(3) == 0) {
				assertThat(this.ordered.gatherCall("producer/0", number, 1, jobs)).isEqualTo(answer);
			}
		}

		private int claim(ScriptFixture queue, int wanted, boolean suspects) {
			String process = any(List.copyOf(this.processes.keySet()));
			long number = this.processes.get(process).merge(queue.queue(), 1L, Long::sum);
			List<Taken> taken = suspects ? queue.takeSuspect(process, number)
					: queue.take(process, number, wanted, 1000);
			if (!suspects && this.random.nextInt(4) == 0) {
				assertThat(queue.take(process, number, wanted, 1000)).extracting(Taken::id)
					.containsExactlyElementsOf(taken.stream().map(Taken::id).toList());
			}
			this.log.add("%s claims %d of %s: %s".formatted(process, wanted, queue.queue(),
					taken.stream().map((job) -> jobOf(job.id())).toList()));
			taken.forEach((job) -> this.runs.add(new Run(queue, jobOf(job.id()), process, number, job.payload())));
			return taken.size();
		}

		private void end(Run run, int how) {
			this.log.add("%s ends %d of %s: %d".formatted(run.process(), run.job(), run.queue().queue(), how));
			String answer = settle(run, how);
			assertThat(answer).isIn("D", "C");
			if (answer.equals("C") || how == 0 || how == 5) {
				this.expected.remove(run.job());
			}
		}

		private String settle(Run run, int how) {
			String id = id(run.job());
			String token = token(run.claim());
			boolean isOrdered = run.queue() == this.ordered;
			return switch (isOrdered ? how % 3 : how) {
				case 0 -> run.queue().acknowledge(run.process(), id, token);
				case 1 -> run.queue().requeue(run.process(), id, token);
				case 2 -> run.queue().settle(run.process(), "failed", run.job(), token, again(run), HOUR);
				case 3 -> run.queue().park(run.process(), run.job(), token, UNKNOWN);
				case 4 -> run.queue()
					.bury(run.process(), run.job(), token, text(run.payload()), LIMITS.max(), LIMITS.age().toMillis());
				case 5 -> run.queue().discard(run.process(), run.job(), token);
				default -> retryElsewhere(run, token);
			};
		}

		private byte[] again(Run run) {
			return (run.queue() == this.ordered)
					? Gathered.read(run.payload()).rest(bytes(ScriptFixture.payload(run.job())), 0, -1) : run.payload();
		}

		private static String text(byte[] payload) {
			return new String(payload, StandardCharsets.UTF_8);
		}

		private String retryElsewhere(Run run, String token) {
			ScriptFixture target = (run.queue() == this.one) ? this.two : this.one;
			List<Object> answer = run.queue()
				.settling(run.process(), "failed", run.job(), token, run.payload(), HOUR, target.queue());
			if (answer.size() > 1) {
				this.moves.add(new Move(run.queue(), run.job(), target, answer.subList(1, 5), run.payload(), false));
			}
			return Answers.text(answer, 0);
		}

		/**
		 * Carry out the next step of a move, or abandon the move.
		 */
		private void advance(Move move) {
			int how = this.random.nextInt(5);
			this.log.add("move of %d from %s: %s".formatted(move.job(), move.from().queue(),
					(how == 0) ? "broken off" : move.hasArrived() ? "ends" : "arrives"));
			if (how == 0) {
				return;
			}
			if (!move.hasArrived()) {
				String answer = Answers.text(move.to()
					.run(ScriptFixture.MOVE_IN,
							Stream.of(List.of(id(move.job())), move.way(), List.of(move.payload()))
								.flatMap(List::stream)
								.toArray()),
						0);
				assertThat(answer).isIn("D", "A", "B");
				if (answer.equals("B")) {
					end(move, "back");
				}
				else {
					this.moves.add(move.arrived());
				}
				return;
			}
			if (end(move, "moved").equals("C")) {
				cancel(move.to(), move.job());
			}
		}

		private String end(Move move, String how) {
			String answer = Answers
				.text(move.from().run(ScriptFixture.MOVE_END, id(move.job()), (byte[]) move.way().get(0), how), 0);
			assertThat(answer).isIn("D", "C", "A");
			return answer;
		}

		/**
		 * Make moves out of a queue look old enough to be reverted.
		 */
		private void breakOff(ScriptFixture queue) {
			this.log.add("moves out of %s are broken off".formatted(queue.queue()));
			this.moves.removeIf((move) -> move.from() == queue && !move.hasArrived());
			queue.hash("parked").forEach((id, reason) -> {
				if (reason.startsWith("moving:")) {
					int last = reason.lastIndexOf(' ') + 1;
					long begun = Long.parseLong(reason.substring(last));
					queue.set("parked", id, reason.substring(0, last) + (begun - 11_000_000));
				}
			});
			unpark(queue, "unknown:other");
		}

		private void pauseOrResume() {
			String pause = (this.pauses + 1) + " " + (this.random.nextInt(4) == 0 ? "1 p" : "0 -");
			List<String> paused = NAMES.stream()
				.filter((name) -> this.random.nextInt(3) == 0)
				.map((name) -> pause + " " + name)
				.toList();
			tell((this.random.nextInt(4) == 0) ? pause : "", paused);
		}

		private void tell(String all, List<String> names) {
			this.pauses++;
			this.log.add("paused: %s %s".formatted(all, names));
			this.queues.forEach((queue) -> queue.tellPauses(this.pauses, all, names.toArray(String[]::new)));
		}

		private void unpark(ScriptFixture queue, String reason) {
			this.log.add("unpark %s %s".formatted(queue.queue(), reason));
			queue.run(ScriptFixture.UNPARK, "0", 1000, reason);
		}

		private void makeDue() {
			for (ScriptFixture queue : this.queues) {
				for (String place : List.of("scheduled", "retries")) {
					queue.sorted(place).forEach((id) -> queue.template().opsForZSet().add(queue.key(place), id, 1));
				}
			}
		}

		private void cancel() {
			ScriptFixture queue = plain();
			List<String> ids = List.copyOf(new TreeSet<>(queue.hash("payloads").keySet()));
			if (!ids.isEmpty()) {
				cancel(queue, jobOf(any(ids)));
			}
		}

		private void cancel(ScriptFixture queue, int job) {
			String answer = queue.cancel(job);
			this.log.add("cancel %d of %s: %s".formatted(job, queue.queue(), answer));
			if (!answer.equals("DEAD")) {
				this.expected.remove(job);
			}
			if (answer.startsWith("MOVING ")) {
				(queue == this.one ? this.two : this.one).cancel(job);
			}
		}

		/**
		 * Perform an operator's action on a job that is not running.
		 */
		private void operate() {
			ScriptFixture queue = any(this.queues);
			List<String> ids = List.copyOf(new TreeSet<>(queue.hash("payloads").keySet()));
			Optional<AdminStore.Description> found = ids.isEmpty() ? Optional.empty()
					: this.admin.describe(List.of(queue.queue()), any(ids));
			if (found.isEmpty() || found.get().place() == QueuePart.WORKING) {
				return;
			}
			AdminStore.Description job = found.get();
			String id = ids.stream()
				.filter((candidate) -> Arrays.equals(bytes(queue.hash("payloads").get(candidate)), job.payload()))
				.findFirst()
				.orElseThrow();
			int how = this.random.nextInt(5);
			this.log.add("operator does %d to %d in %s of %s".formatted(how, jobOf(id), job.place(), queue.queue()));
			switch (how) {
				case 0 -> this.admin.runNow(queue.queue(), job.place(), this.random.nextBoolean(), List.of(id));
				case 1 -> this.admin.kill(queue.queue(), job.place(), LIMITS, List.of(id));
				case 2 -> {
					if (this.admin.delete(queue.queue(), job.place(), List.of(id)).done() == 1) {
						this.expected.remove(jobOf(id));
					}
				}
				case 3 -> this.admin.edit(id, job, job.payload(), "", queue.now() + HOUR);
				default -> moveOut(queue, job.place(), id);
			}
		}

		private void moveOut(ScriptFixture queue, QueuePart place, String id) {
			if (queue == this.ordered) {
				return;
			}
			ScriptFixture target = (queue == this.one) ? this.two : this.one;
			List<Object> out = queue.run(ScriptFixture.MOVE_OUT, id, place.text(), target.queue());
			if (!out.isEmpty()) {
				this.moves.add(new Move(queue, jobOf(id), target, out.subList(0, 4), (byte[]) out.get(4), false));
			}
		}

		private void join() {
			String process = "p" + ++this.names;
			this.queues.forEach((queue) -> queue.join(process));
			this.processes.put(process, new HashMap<>());
		}

		private void crash(String process, String state) {
			this.log.add(process + " dies " + state);
			this.processes.remove(process);
			for (ScriptFixture queue : this.queues) {
				queue.beat(process, false, state);
				queue.recoverAll(process, (doomed) -> assertThat(queue.bury(process, jobOf(doomed.id()), doomed.claim(),
						text(doomed.payload()), LIMITS.max(), LIMITS.age().toMillis()))
					.isIn("D", "C"));
			}
			List<Run> gone = this.runs.stream().filter((run) -> run.process().equals(process)).toList();
			this.runs.removeAll(gone);
			this.old.addAll(gone);
		}

		private static int jobOf(String id) {
			return Integer.parseInt(id.substring(12), 16);
		}

	}

}
