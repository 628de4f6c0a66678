package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.named;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lets random pauses and resumptions of a queue and of job names interleave with pushes,
 * claims, ends of runs and crashes. Some calls are repeated or delayed. Every job must be
 * in exactly one place at all times, and end exactly once. {@code -Djobs.test.seeds} sets
 * the number of random seeds, and {@code -Djobs.test.seed} the first seed.
 */
class PauseModelIntegrationTests extends AbstractScriptTests {

	private static final int STEPS = 50;

	private static final List<String> NAMES = List.of("Mail.send", "Bill.print", "Other.job");

	PauseModelIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	@DisplayName("GL-X11: with any pauses and resumptions, each job is in one place and ends once")
	void jobsAreInOnePlaceWhateverIsPaused() {
		long first = Long.getLong("jobs.test.seed", 1);
		for (long seed = first; seed < first + Integer.getInteger("jobs.test.seeds", 100); seed++) {
			Simulation simulation = new Simulation(this.queue.sibling(), new Random(seed));
			try {
				simulation.run();
			}
			catch (Throwable ex) {
				throw new AssertionError("Seed %d: %s".formatted(seed, simulation.log), ex);
			}
		}
	}

	/**
	 * One version of the pauses. The queue may receive versions in the wrong order.
	 */
	private record State(long version, String paused, Map<String, String> names) {

		private String tell(ScriptFixture queue) {
			return queue.tellPauses(this.version, this.paused,
					this.names.entrySet()
						.stream()
						.map((name) -> name.getValue() + " " + name.getKey())
						.toArray(String[]::new));
		}

	}

	/**
	 * A job that a process runs.
	 */
	private record Run(int job, String process, long claim) {

	}

	private static final class Simulation {

		private final List<String> log = new ArrayList<>();

		private final List<State> states = new ArrayList<>(List.of(new State(1, "", Map.of())));

		private final Map<String, Long> claims = new HashMap<>();

		private final List<Run> runs = new ArrayList<>();

		private final List<Run> old = new ArrayList<>();

		private final Map<Integer, String> nameOf = new HashMap<>();

		private final Set<Integer> ended = new HashSet<>();

		private final ScriptFixture queue;

		private final Random random;

		private int names;

		/** The pauses that the queue has been informed of. */
		private State told = this.states.get(0);

		Simulation(ScriptFixture queue, Random random) {
			this.queue = queue;
			this.random = random;
			join();
			join();
		}

		void run() {
			for (int step = 0; step < STEPS; step++) {
				step();
				if (step % 5 == 0) {
					this.queue.assertOnePlaceEach();
				}
			}
			List.copyOf(this.claims.keySet()).forEach(this::crash);
			join();
			this.states.add(new State(last().version() + 1, "", Map.of()));
			tell(last());
			release();
			makeDue();
			claim(1000);
			this.runs.forEach((run) -> assertThat(end(run, 0)).isEqualTo("D"));
			assertThat(this.ended).isEqualTo(this.nameOf.keySet());
			assertThat(this.queue.has("payloads")).isFalse();
			assertThat(this.queue.has("parked")).isFalse();
		}

		private void step() {
			int dice = this.random.nextInt(24);
			if (dice < 4) {
				enqueue();
			}
			else if (dice < 9) {
				claim(1 + this.random.nextInt(4));
			}
			else if (dice < 13 && !this.runs.isEmpty()) {
				Run run = this.runs.remove(this.random.nextInt(this.runs.size()));
				int how = this.random.nextInt(4);
				assertThat(end(run, how)).isEqualTo("D");
				this.old.add(run);
			}
			else if (dice < 15 && !this.old.isEmpty()) {
				assertThat(end(this.old.get(this.random.nextInt(this.old.size())), this.random.nextInt(4))).isIn("A",
						"S");
			}
			else if (dice < 19) {
				change();
			}
			else if (dice == 19) {
				tell(this.states.get(this.random.nextInt(this.states.size())));
			}
			else if (dice < 22) {
				release();
			}
			else if (dice == 22) {
				makeDue();
			}
			else if (this.random.nextInt(3) == 0) {
				crash(List.copyOf(new TreeSet<>(this.claims.keySet())).get(this.random.nextInt(this.claims.size())));
				join();
			}
		}

		private State last() {
			return this.states.get(this.states.size() - 1);
		}

		private void enqueue() {
			int job = this.nameOf.size() + 1;
			String name = NAMES.get(this.random.nextInt(NAMES.size()));
			this.nameOf.put(job, name);
			this.log.add("enqueue %d %s".formatted(job, name));
			assertThat(this.queue.enqueue(named(job, name))).isEqualTo("S");
		}

		/**
		 * Pause or resume the queue or a job name, and in most cases inform the queue.
		 */
		private void change() {
			State before = last();
			long version = before.version() + 1;
			String pause = version + " " + (this.random.nextInt(4) == 0 ? "1 p" : "0 -");
			State after;
			if (this.random.nextInt(3) == 0) {
				after = new State(version, before.paused().isEmpty() ? pause : "", before.names());
			}
			else {
				Map<String, String> changed = new HashMap<>(before.names());
				String name = NAMES.get(this.random.nextInt(NAMES.size()));
				if (changed.remove(name) == null) {
					changed.put(name, pause);
				}
				after = new State(version, before.paused(), changed);
			}
			this.log.add(after.toString());
			this.states.add(after);
			if (this.random.nextInt(4) > 0) {
				tell(after);
			}
		}

		private void tell(State state) {
			boolean newer = state.version() > this.told.version() || !this.queue.hash("meta").containsKey("pauses");
			assertThat(state.tell(this.queue)).isEqualTo(newer ? "D" : "S");
			this.told = newer ? state : this.told;
		}

		private void release() {
			this.log.add("release " + this.queue.unpause());
		}

		private static int jobOf(String id) {
			return Integer.parseInt(id.substring(12), 16);
		}

		private void claim(int wanted) {
			List<String> processes = List.copyOf(new TreeSet<>(this.claims.keySet()));
			String process = processes.get(this.random.nextInt(processes.size()));
			long number = this.claims.merge(process, 1L, Long::sum);
			Claim claim = this.queue.claim(process, number, wanted, 1000);
			if (this.random.nextInt(4) == 0) {
				Claim again = this.queue.claim(process, number, wanted, 1000);
				assertThat(again.jobs()).extracting(ClaimedJob::id)
					.containsExactlyElementsOf(claim.jobs().stream().map(ClaimedJob::id).toList());
			}
			List<Integer> jobs = claim.jobs().stream().map((job) -> jobOf(job.id())).toList();
			this.log.add("%s claims %d: %s %s".formatted(process, wanted, claim.status(), jobs));
			if (!this.told.paused().isEmpty()) {
				assertThat(jobs).hasSizeLessThanOrEqualTo(this.told.paused().endsWith("p") ? 1 : 0);
			}
			for (String name : NAMES) {
				String pause = this.told.names().get(name);
				if (pause != null) {
					assertThat(jobs.stream().filter((job) -> this.nameOf.get(job).equals(name)).count())
						.isLessThanOrEqualTo(pause.endsWith("p") ? 1 : 0);
				}
			}
			jobs.forEach((job) -> this.runs.add(new Run(job, process, number)));
		}

		private String end(Run run, int how) {
			this.log.add("end %s %d".formatted(run, how));
			String answer = switch (how) {
				case 0 -> this.queue.acknowledge(run.process(), id(run.job()), token(run.claim()));
				case 1 -> this.queue.requeue(run.process(), id(run.job()), token(run.claim()));
				case 2 -> this.queue.settle(run.process(), "putoff", run.job(), token(run.claim()), "", HOUR);
				default -> this.queue.settle(run.process(), "paused", run.job(), token(run.claim()), "",
						"paused:" + this.nameOf.get(run.job()), last().version());
			};
			if (how == 0 && answer.equals("D")) {
				assertThat(this.ended.add(run.job())).isTrue();
			}
			return answer;
		}

		private void makeDue() {
			for (String id : this.queue.sorted("retries")) {
				this.queue.template().opsForZSet().add(this.queue.key("retries"), id, 1);
			}
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
			assertThat(this.queue.recover(process, "2", 1000, 3).left()).isZero();
			for (Iterator<Run> all = this.runs.iterator(); all.hasNext();) {
				Run run = all.next();
				if (run.process().equals(process)) {
					all.remove();
					this.old.add(run);
				}
			}
		}

	}

}
