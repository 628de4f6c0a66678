package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.admin.JobPause;
import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.admin.JobProcess.Origin;
import io.github.steadyjobs.admin.JobProcess.Run;
import io.github.steadyjobs.admin.JobProcess.State;
import io.github.steadyjobs.admin.JobProcess.Workers;
import io.github.steadyjobs.admin.QueueState;
import io.github.steadyjobs.dashboard.Concern.Level;
import io.github.steadyjobs.doctor.Check;
import io.github.steadyjobs.doctor.Finding;
import io.github.steadyjobs.doctor.Finding.Severity;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link Concerns}.
 */
class ConcernsTests {

	private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

	private final List<QueueState> queues = new ArrayList<>();

	private final List<JobProcess> processes = new ArrayList<>();

	private final List<JobPause> pauses = new ArrayList<>();

	private Diagnosis diagnosis = new Diagnosis(List.of(), Map.of(), EnumSet.noneOf(Check.class));

	@Test
	void nothingIsWrongWithNothing() {
		assertThat(find(0)).isEmpty();
	}

	@Test
	void nothingIsWrongWhileJobsRunSoon() {
		this.processes.add(process("p", NOW, "mail"));
		this.queues.add(queue("mail", Duration.ofSeconds(60), 5, 0, 0));
		assertThat(find(0)).isEmpty();
	}

	@Test
	void queueWhoseJobsWaitForTooLongIsLateUnlessItIsPaused() {
		this.processes.add(process("p", NOW, "mail", "slow"));
		this.queues.add(queue("mail", Duration.ofMinutes(5), 5, 0, 0));
		this.queues.add(queue("slow", Duration.ofMinutes(9), 5, 0, 0));
		this.pauses.add(pause(JobPause.Kind.QUEUE, "mail"));
		assertThat(find(0)).extracting(Concern::level, Concern::text, Concern::links)
			.containsExactly(
					tuple(Level.BAD, "A queue is late: its oldest job has waited for more than 1 min",
							List.of(new Link("", "slow", " for 9 min", "queue?name=slow"))),
					tuple(Level.WARNING, "A queue or job is paused",
							List.of(new Link("", "mail", ": The relay is down", "queue?name=mail"))));
	}

	@Test
	void manyQueuesAreOneConcernThatNamesTheWorst() {
		String[] names = IntStream.range(10, 17).mapToObj((i) -> "q" + i).toArray(String[]::new);
		this.processes.add(process("p", NOW, names));
		for (int i = 0; i < names.length; i++) {
			this.queues.add(queue(names[i], Duration.ofMinutes(i + 2), 1, 0, 0));
		}
		assertThat(find(0)).singleElement().satisfies((concern) -> {
			assertThat(concern.text())
				.isEqualTo("7 queues are late: their oldest jobs have waited for more than 1 min");
			assertThat(concern.links()).extracting(Link::name).containsExactly("q16", "q15", "q14", "q13", "q12");
			assertThat(concern.detail()).isEqualTo("and 2 more");
		});
	}

	@Test
	void queueThatNobodyServesIsNotLateToo() {
		this.processes.add(process("p", NOW, "mail"));
		this.queues.add(queue("lost", Duration.ofMinutes(5), 3, 0, 0));
		this.queues.add(queue("empty", Duration.ZERO, 0, 0, 0));
		assertThat(find(0)).extracting(Concern::text, Concern::links)
			.containsExactly(tuple("Jobs wait in a queue that no process serves",
					List.of(new Link("3 jobs wait in ", "lost", "", "queue?name=lost"))));
	}

	@Test
	void jobsThatWaitWithoutAnyProcessAreOneConcern() {
		this.queues.add(queue("mail", Duration.ofSeconds(1), 3, 0, 0));
		assertThat(find(0)).extracting(Concern::text).containsExactly("Jobs wait, and there is no process to run them");
	}

	@Test
	void processThatMissesHeartbeatsIsSilent() {
		this.processes.add(process("alive", NOW.minusSeconds(20), "mail"));
		this.processes.add(process("gone:1", NOW.minusSeconds(21), "mail"));
		assertThat(find(0)).extracting(Concern::level, Concern::text, Concern::links)
			.containsExactly(tuple(Level.BAD, "A process no longer reports",
					List.of(new Link("", "gone:1", "", "processes#process-gone-1"))));
	}

	@Test
	void runThatTakesTooLongIsStuck() {
		this.processes.add(process("p", NOW,
				List.of(run("Fast.job", Duration.ofMinutes(59)), run("Slow.job", Duration.ofMinutes(61)))));
		assertThat(find(0)).extracting(Concern::level, Concern::text, Concern::links)
			.containsExactly(tuple(Level.WARNING, "A job has been running for more than 1 h",
					List.of(new Link("", "Slow.job", " in p", "processes#process-p"))));
	}

	@Test
	void deadJobsAreANoteAndNewOnesAWarning() {
		this.processes.add(process("p", NOW, "mail"));
		this.queues.add(queue("mail", Duration.ZERO, 0, 1200, 0));
		assertThat(find(0)).extracting(Concern::level, Concern::text)
			.containsExactly(tuple(Level.NOTE, "1,200 dead jobs wait for a decision"));
		assertThat(find(2)).extracting(Concern::level, Concern::text)
			.containsExactly(tuple(Level.WARNING, "2 jobs have died within the last hour. 1,200 are dead in all"));
	}

	@Test
	void parkedJobsAreANote() {
		this.processes.add(process("p", NOW, "mail"));
		this.queues.add(queue("mail", Duration.ZERO, 0, 0, 1));
		assertThat(find(0)).extracting(Concern::level, Concern::text)
			.containsExactly(tuple(Level.NOTE, "A job is parked"));
	}

	@Test
	void findingsOfTheDoctorComeInTheOrderOfTheirLevel() {
		this.pauses.add(pause(JobPause.Kind.JOB, "Mail.send"));
		this.diagnosis = new Diagnosis(
				List.of(finding(Check.MEMORY, Severity.WARN), finding(Check.EVICTION, Severity.ERROR),
						finding(Check.REPLICA_READS, Severity.INFO), finding(Check.PAUSES, Severity.WARN)),
				Map.of("mail", "everything"), EnumSet.noneOf(Check.class));
		assertThat(find(0)).extracting(Concern::level, Concern::text)
			.containsExactly(tuple(Level.BAD, "Redis has lost data of a queue"), tuple(Level.BAD, "EVICTION is bad"),
					tuple(Level.WARNING, "MEMORY is bad"), tuple(Level.WARNING, "A queue or job is paused"),
					tuple(Level.NOTE, "REPLICA_READS is bad"));
	}

	private List<Concern> find(long died) {
		Limits limits = new Limits(Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofSeconds(20));
		Snapshot snapshot = new Snapshot(reading(this.queues), reading(this.processes), reading(this.pauses));
		return Concerns.find(snapshot, limits, this.diagnosis, died);
	}

	private static <T> Reading<List<T>> reading(List<T> value) {
		return new Reading<>(value, NOW, null);
	}

	private static QueueState queue(String name, Duration latency, long ready, long dead, long parked) {
		return new QueueState(name, latency, ready, 0, 0, dead, parked, 0, 0);
	}

	private static JobProcess process(String name, Instant beat, String... queues) {
		return process(name, beat, List.of(), queues);
	}

	private static JobProcess process(String name, Instant beat, List<Run> running, String... queues) {
		return new JobProcess(name, new Origin("host", 1, "shop", "1", "", NOW), State.RUNNING, beat, 10,
				List.of(new Workers("default", 1, 10, List.of(queues))), running, 0);
	}

	private static Run run(String job, Duration length) {
		return new Run("1", "default", 1, "mail", 1, NOW.minus(length), job);
	}

	private static JobPause pause(JobPause.Kind kind, String name) {
		return new JobPause(kind, name, "ada", "The relay is down", NOW, null, false, 1);
	}

	private static Finding finding(Check check, Severity severity) {
		return new Finding(check, severity, check + " is bad", "Do something.");
	}

}
