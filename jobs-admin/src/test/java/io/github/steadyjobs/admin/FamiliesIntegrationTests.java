package io.github.steadyjobs.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.admin.FamilyJobs.Family;
import io.github.steadyjobs.admin.FamilyJobs.Note;
import io.github.steadyjobs.audit.AuditReport;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.WorkerFixture;
import io.github.steadyjobs.server.WorkerJvm;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs jobs of all families side by side in three processes while all kinds of failures
 * occur: connections are cut, replies are lost, one process is killed or frozen, another
 * process is cut off for so long that it is declared dead, and Redis is killed. The jobs
 * and the times of the failures depend on a random seed, so a run can be repeated.
 */
class FamiliesIntegrationTests {

	static final Duration DEATH_AFTER = Duration.ofMillis(1500);

	private static final int STEPS = 160;

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	@DisplayName("Whatever fails, each job of each family has exactly one outcome, which can be explained")
	void jobsOfAllFamiliesEndWhateverFails(long seed) throws Exception {
		List<String> log = new ArrayList<>();
		try (Scenario scenario = new Scenario(new Random(seed), log)) {
			scenario.run();
			scenario.end();
			scenario.verify();
		}
		catch (Throwable ex) {
			throw new AssertionError("Seed %d: %s".formatted(seed, String.join(", ", log)), ex);
		}
	}

	/**
	 * A job that Redis has accepted.
	 */
	private record Accepted(Family family, String subject) {

	}

	/**
	 * A job that was dropped as a duplicate.
	 */
	private record Dropped(Family family, String subject, String holder, int notesBefore) {

	}

	private static final class Scenario implements AutoCloseable {

		private final Random random;

		private final List<String> log;

		/** The data survives the death of the server, but not a crash of the machine. */
		private final OwnRedis server = OwnRedis.start("--appendonly", "yes", "--appendfsync", "no");

		private final TestRedis redis = this.server.redis();

		private final TcpRelay relay = TcpRelay.to(this.redis);

		private final TcpRelay longRelay = TcpRelay.to(this.redis);

		private final WorkerJvm jvm = WorkerJvm.start(this.redis, FamilyProcess.class, List.of("jvm"));

		private final WorkerFixture worker = FamilyProcess.start(this.redis,
				this.relay.connections(Duration.ofSeconds(10)), "worker");

		private final WorkerFixture other = FamilyProcess.start(this.redis,
				this.longRelay.connections(Duration.ofSeconds(10)), "other");

		private final RecurringJobs recurring = FamilyProcess.recurring(this.worker, this.redis);

		private final JobPauses pauses = new JobPauses(this.redis.connections(), this.redis.prefix());

		private final JobAdmin admin = new JobAdmin(this.redis.connections(), this.redis.prefix(),
				new PayloadCodec(WorkerFixture.JSON),
				new OrderedJobs(this.redis.connections(), this.redis.prefix(),
						new JobStore(this.redis.connections(), this.redis.prefix()), this.worker.registry(),
						new PayloadCodec(WorkerFixture.JSON)),
				new DeadLimits(10_000, Duration.ofDays(180)));

		private final Map<String, Accepted> accepted = new HashMap<>();

		private final Set<String> acceptedPayloads = new TreeSet<>();

		private final List<Dropped> dropped = new ArrayList<>();

		/** Jobs whose push failed, but which Redis may have stored all the same. */
		private final Set<Accepted> doubtful = new HashSet<>();

		private final Map<Integer, List<Runnable>> faults = new TreeMap<>();

		private CompletableFuture<Void> restart = CompletableFuture.completedFuture(null);

		private int number;

		private Scenario(Random random, List<String> log) {
			this.random = random;
			this.log = log;
		}

		void run() {
			planFaults();
			while (notes().stream().noneMatch((note) -> note.process().equals("jvm"))) {
				enqueue(Family.PLAIN);
				pass(Duration.ofMillis(5));
			}
			for (int step = 0; step < STEPS; step++) {
				this.faults.getOrDefault(step, List.of()).forEach(Runnable::run);
				enqueue(Family.values()[this.random.nextInt(Family.values().length)]);
				enqueue(Family.PLAIN);
				pass(Duration.ofMillis(5));
			}
		}

		private void planFaults() {
			for (int i = 0; i < 3; i++) {
				plan("cut", this.relay::cut);
			}
			planFor("lose replies", () -> this.relay.loseReplies(20), () -> this.relay.loseReplies(0));
			planFor("pause", () -> insist(() -> this.pauses.pauseJob("family.paused", "test", "planned")),
					this::resume);
			plan("kill Redis", () -> {
				this.restart = CompletableFuture.runAsync(() -> {
					this.server.kill();
					pass(Duration.ofMillis(200));
					this.server.restart();
				});
			});
			plan("forget scripts", () -> insist(() -> {
				this.server.execute("SCRIPT", "FLUSH");
				return true;
			}));
			plan("redeploy", () -> {
				this.worker.launcher().stop();
				this.worker.launcher().start();
			});
			plan("cut off", this.longRelay::refuse);
			if (this.random.nextBoolean()) {
				plan("kill", this.jvm::kill);
			}
			else {
				plan("freeze", this.jvm::freeze);
			}
		}

		private int plan(String what, Runnable fault) {
			int step = 20 + this.random.nextInt(STEPS - 60);
			plan(step, what, fault);
			return step;
		}

		private void planFor(String what, Runnable begin, Runnable end) {
			plan(plan(what, begin) + 10 + this.random.nextInt(70), "end of " + what, end);
		}

		private void plan(int step, String what, Runnable fault) {
			this.faults.computeIfAbsent(step, (key) -> new ArrayList<>()).add(() -> {
				this.log.add(step + " " + what);
				fault.run();
			});
		}

		private void resume() {
			insist(() -> this.pauses.resumeJob("family.paused"));
		}

		private void enqueue(Family family) {
			int subject = this.number++;
			switch (family) {
				case RECURRING -> {
					// The schedule enqueues the jobs of this family.
				}
				case ORDERED -> enqueueOrdered();
				case PAUSED -> enqueue(family, subject, JobRequest.named("family.paused", subject));
				case UNTIL_EXECUTING -> enqueueLocked(family, Idempotence.untilExecuting());
				case UNTIL_EXECUTED -> enqueueLocked(family, Idempotence.untilExecuted());
				case MUTEX -> enqueueLocked(family, Idempotence.whileExecuting());
				case EXPIRED -> enqueue(family, subject, request(family, subject).expiresAt(Instant.EPOCH));
				case RETRIED_ASIDE -> enqueue(family, subject, request(family, subject).retryQueue(FamilyJobs.ASIDE));
				case MOVED -> {
					EnqueueResult result = enqueue(family, subject,
							request(family, subject).after(Duration.ofHours(1)));
					if (result != null) {
						move(result.id());
					}
				}
				default -> enqueue(family, subject, request(family, subject));
			}
		}

		private static JobRequest request(Family family, int subject) {
			return JobRequest.named("family", family, subject);
		}

		/**
		 * Enqueue two equal jobs. The second job is dropped unless the first job has
		 * already ended.
		 */
		private void enqueueLocked(Family family, Idempotence idempotence) {
			int subject = this.random.nextInt(4);
			JobRequest request = request(family, subject).idempotent(idempotence.key(family + " " + subject));
			for (int i = 0; i < 2; i++) {
				int notesBefore = insist(() -> FamilyJobs.countNotes(this.redis));
				if (enqueue(family, subject, request) instanceof EnqueueResult.Duplicate duplicate) {
					this.dropped.add(new Dropped(family, Integer.toString(subject), duplicate.id(), notesBefore));
				}
			}
		}

		private void enqueueOrdered() {
			String key = "key" + this.random.nextInt(3);
			int number = this.number;
			// Enqueue the next payload of the key only after this payload has certainly
			// been stored.
			while (enqueue(Family.ORDERED, number, JobRequest.named("family.ordered", key, number)) == null) {
				this.log.add("payload " + number + " again");
			}
			this.acceptedPayloads.add(key + "/" + number);
		}

		private @Nullable EnqueueResult enqueue(Family family, int subject, JobRequest request) {
			try {
				EnqueueResult result = enqueue(request);
				if (result.accepted() && family != Family.ORDERED) {
					this.accepted.put(result.id(), new Accepted(family, Integer.toString(subject)));
				}
				return result;
			}
			catch (JobStoreTimeoutException ex) {
				this.log.add("perhaps " + family + " " + subject);
				this.doubtful.add(new Accepted(family, Integer.toString(subject)));
				return null;
			}
		}

		private EnqueueResult enqueue(JobRequest request) {
			while (true) {
				try {
					return this.worker.client().enqueue(request);
				}
				catch (JobStoreUnavailableException ex) {
					pass(Duration.ofMillis(10));
				}
			}
		}

		private void move(String id) {
			WorkerFixture.await().ignoreExceptionsInstanceOf(JobStoreException.class).until(() -> {
				this.admin.move(id, FamilyJobs.ASIDE);
				JobEntry job = this.admin.find(id).orElseThrow().job();
				return job.queue().equals(FamilyJobs.ASIDE) && job.place() == JobPlace.SCHEDULED;
			});
			WorkerFixture.await().ignoreExceptionsInstanceOf(JobStoreException.class).until(() -> {
				this.admin.change(JobAction.RUN_NOW, id);
				return this.admin.find(id).map((job) -> job.job().place() != JobPlace.SCHEDULED).orElse(true);
			});
		}

		/**
		 * Let one process finish all jobs. Then reconnect or thaw the processes that were
		 * declared dead, and stop all processes when only dead jobs are left.
		 */
		void end() {
			this.restart.join();
			this.relay.pass();
			resume();
			insist(() -> this.recurring.pause("family.recurring", "test", "planned"));
			awaitEnded();
			this.longRelay.pass();
			if (this.jvm.isAlive()) {
				this.jvm.thaw();
			}
			awaitEnded();
			this.other.close();
			this.worker.close();
			this.jvm.kill();
		}

		private void awaitEnded() {
			WorkerFixture.await()
				.ignoreExceptionsInstanceOf(JobStoreException.class)
				.untilAsserted(() -> assertThat(left()).isEmpty());
		}

		private List<JobEntry> left() {
			return Stream.of(JobPlace.values())
				.filter((place) -> place != JobPlace.DEAD)
				.flatMap((place) -> this.admin.page(JobQuery.of(place).size(JobQuery.MOST_AT_ONCE)).jobs().stream())
				.toList();
		}

		void verify() {
			List<Note> notes = notes();
			verifyFates(notes);
			verifyOrder(notes);
			verifyDropped(notes);
			verifyMutexes(notes);
			verifyTicks(notes);
			assertThat(Stream.of(FamilyJobs.QUEUE, FamilyJobs.ASIDE).flatMap((queue) -> locks(queue).stream()))
				.isEmpty();
			AuditReport audit = new JobAudit(this.redis.connections(), this.redis.prefix()).run();
			assertThat(audit.violations()).isEmpty();
			assertThat(audit.unconfirmed()).isZero();
		}

		private List<?> locks(String queue) {
			LockPage page = new JobLocks(this.redis.connections(), this.redis.prefix()).page(queue, LockPage.START,
					JobLocks.MOST_AT_ONCE);
			assertThat(page.hasNext()).isFalse();
			return page.locks();
		}

		private void verifyFates(List<Note> notes) {
			Map<String, Set<String>> fates = new HashMap<>();
			this.accepted.keySet().forEach((id) -> fates.put(id, new TreeSet<>()));
			for (Note note : notes) {
				if (fates.containsKey(note.id()) && (note.what().equals("ended") || note.what().equals("expired"))) {
					fates.get(note.id()).add(note.what());
				}
			}
			List<JobEntry> dead = this.admin.page(JobQuery.of(JobPlace.DEAD).size(JobQuery.MOST_AT_ONCE)).jobs();
			dead.forEach((job) -> fates.computeIfAbsent(job.id(), (id) -> new TreeSet<>()).add("dead"));
			assertThat(dead).allSatisfy((job) -> assertThat(job.payload().errorMessage()).isEqualTo("planned"));
			this.accepted.forEach((id, job) -> assertThat(fates.get(id)).as("fates of %s %s", job, id)
				.containsExactly(switch (job.family()) {
					case DEAD -> "dead";
					case EXPIRED -> "expired";
					default -> "ended";
				}));
			assertThat(fates.size() - this.accepted.size()).as("jobs that may have been stored")
				.isLessThanOrEqualTo(this.doubtful.size());
			assertThat(notes.stream().filter((note) -> note.family() == Family.MOVED)).extracting(Note::queue)
				.containsOnly(FamilyJobs.ASIDE);
			assertThat(this.accepted.values()).extracting(Accepted::family)
				.contains(Stream.of(Family.values())
					.filter((family) -> family != Family.ORDERED && family != Family.RECURRING)
					.toArray(Family[]::new));
		}

		private void verifyOrder(List<Note> notes) {
			Map<String, TreeSet<Integer>> waiting = new HashMap<>();
			this.acceptedPayloads
				.forEach((payload) -> waiting.computeIfAbsent(payload.split("/")[0], (key) -> new TreeSet<>())
					.add(Integer.valueOf(payload.split("/")[1])));
			assertThat(waiting).hasSize(3);
			for (Note note : notes) {
				if (note.family() == Family.ORDERED) {
					TreeSet<Integer> before = waiting.get(note.subject().split("/")[0]);
					int number = Integer.parseInt(note.subject().split("/")[1]);
					assertThat(before.headSet(number)).as("payloads that must run before %s", note).isEmpty();
					if (note.what().equals("ended")) {
						before.remove(number);
					}
				}
			}
			assertThat(waiting.values()).allSatisfy((left) -> assertThat(left).isEmpty());
		}

		/**
		 * Check that each dropped job was a duplicate of an accepted job and, if its
		 * family requires this, that an equal job ran afterwards.
		 */
		private void verifyDropped(List<Note> notes) {
			assertThat(this.dropped).isNotEmpty();
			for (Dropped job : this.dropped) {
				Accepted equal = new Accepted(job.family(), job.subject());
				if (!this.doubtful.contains(equal)) {
					assertThat(this.accepted.get(job.holder())).as("holder of %s", job).isEqualTo(equal);
				}
				if (job.family() == Family.UNTIL_EXECUTING) {
					assertThat(notes.subList(job.notesBefore(), notes.size())).as("runs since %s", job)
						.anyMatch((note) -> note.what().equals("begun") && note.family() == job.family()
								&& note.subject().equals(job.subject()));
				}
			}
		}

		/**
		 * Check that equal jobs do not overlap. Ignore processes that were declared dead,
		 * because a job that such a process is still running may also run elsewhere.
		 */
		private void verifyMutexes(List<Note> notes) {
			Set<String> harmed = new HashSet<>(Set.of("jvm", "other"));
			if (!this.worker.events(WorkerEvent.Fenced.class).isEmpty()) {
				harmed.add("worker");
			}
			Map<String, Note> running = new HashMap<>();
			for (Note note : notes) {
				if (note.family() == Family.MUTEX && !harmed.contains(note.process())) {
					Note before = note.what().equals("begun") ? running.put(note.subject(), note)
							: running.remove(note.subject());
					assertThat(before == null || before.id().equals(note.id()))
						.as("%s at the same time as %s", note, before)
						.isTrue();
				}
			}
		}

		private void verifyTicks(List<Note> notes) {
			Map<Instant, Set<String>> ids = new TreeMap<>();
			Set<Instant> ended = new TreeSet<>();
			for (Note note : notes) {
				if (note.family() == Family.RECURRING) {
					Instant due = Instant.parse(note.subject());
					ids.computeIfAbsent(due, (key) -> new TreeSet<>()).add(note.id());
					if (note.what().equals("ended")) {
						ended.add(due);
					}
				}
			}
			assertThat(ids).hasSizeGreaterThan(2).allSatisfy((due, jobs) -> assertThat(jobs).hasSize(1));
			Instant first = ids.keySet().iterator().next();
			assertThat(ended).containsExactlyElementsOf(
					Stream.iterate(first, (due) -> due.plus(FamilyJobs.PERIOD)).limit(ids.size()).toList());
		}

		private List<Note> notes() {
			return FamilyJobs.notes(this.redis);
		}

		/**
		 * Repeat a call until Redis answers. Redis may carry out the call more than once.
		 */
		private static <T> T insist(Supplier<T> call) {
			while (true) {
				try {
					return call.get();
				}
				catch (JobStoreException | DataAccessException ex) {
					pass(Duration.ofMillis(10));
				}
			}
		}

		private static void pass(Duration time) {
			Awaitility.await().pollDelay(time).timeout(time.plusSeconds(10)).until(() -> true);
		}

		@Override
		public void close() {
			this.other.close();
			this.worker.close();
			this.jvm.close();
			this.relay.close();
			this.longRelay.close();
			this.server.close();
		}

	}

}
