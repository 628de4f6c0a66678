package io.github.steadyjobs.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.server.Capsule;
import io.github.steadyjobs.server.Runs;
import io.github.steadyjobs.server.TestJobs;
import io.github.steadyjobs.server.WorkerFixture;
import io.github.steadyjobs.server.WorkerSettings.Oversight;
import io.github.steadyjobs.server.WorkerSettings.Thresholds;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link JobProcesses} with workers that receive its instructions.
 */
@RedisTest
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class RemoteControlIntegrationTests {

	private static final String GONE = "host:1:000000000000";

	private final TestRedis redis;

	private final JobProcesses processes;

	private final Runs held = Runs.held();

	RemoteControlIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.processes = new JobProcesses(redis.connections(), redis.prefix());
	}

	@Test
	@DisplayName("SK-15: processes are listed with their capsules, their running jobs and the start of each run")
	void listWhenJobsRunTellsWhatEachProcessDoes() {
		Oversight oversight = new Oversight("shop", "1.4.2", false, Oversight.NONE.thresholds(), Map.of());
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.oversight(oversight)
			.capsule(2, "q", "r")
			.capsule("b", 3, Capsule.Order.STRICT, new Capsule.Queue("p", 1))
			.jobs(this.held)
			.start()) {
			String first = worker.enqueue("q", 0);
			this.held.awaitBegun(1);
			String second = worker.enqueue("p", 1);
			awaitProcess((process) -> process.running().size() == 2);
			JobProcess process = process();
			assertThat(process.name()).matches("\\S+:%d:[0-9a-f]{12}".formatted(ProcessHandle.current().pid()));
			assertThat(process.origin().pid()).isEqualTo(ProcessHandle.current().pid());
			assertThat(process.origin().label()).isEqualTo("shop");
			assertThat(process.origin().version()).isEqualTo("1.4.2");
			assertThat(process.origin().startedAt()).isCloseTo(Instant.now(), within(60, SECONDS));
			assertThat(process.lastBeat()).isAfterOrEqualTo(process.origin().startedAt());
			assertThat(process.state()).isEqualTo(JobProcess.State.RUNNING);
			assertThat(process.concurrency()).isEqualTo(5);
			assertThat(process.capsules()).containsExactly(new JobProcess.Workers("default", 1, 2, List.of("q", "r")),
					new JobProcess.Workers("b", 1, 3, List.of("p")));
			assertThat(process.running()).extracting(JobProcess.Run::id).containsExactly(first, second);
			JobProcess.Run run = process.running().get(1);
			assertThat(run).isEqualTo(new JobProcess.Run(second, "b", run.slot(), "p", 1, run.since(), TestJobs.NAME));
			assertThat(run.slot()).isBetween(1, 3);
			assertThat(run.since()).isCloseTo(Instant.now(), within(60, SECONDS));
			this.held.release();
			awaitProcess((idle) -> idle.running().isEmpty());
		}
		assertThat(this.processes.list()).isEmpty();
	}

	@Test
	void listWhenMoreJobsRunThanAreToldOfTellsOfThoseThatRunForLongest() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(120, "q").jobs(this.held).start()) {
			List<String> first = worker.enqueueAll("q", 0, 20);
			this.held.awaitBegun(20);
			worker.enqueueAll("q", 20, 120);
			this.held.awaitBegun(120);
			awaitProcess((process) -> process.capsules().get(0).busy() == 120);
			assertThat(process().running()).hasSize(100)
				.extracting(JobProcess.Run::id)
				.containsAll(first)
				.doesNotHaveDuplicates();
			this.held.release();
		}
	}

	@Test
	@DisplayName("SK-08: a process that is asked through Redis to be quiet takes no more jobs")
	void quietWhenJobsRunLetsThemEndAndTakesNoMore() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.held).start()) {
			worker.enqueueAll("q", 0, 2);
			this.held.awaitBegun(1);
			ProcessOrder order = this.processes.quiet(awaitProcess());
			assertThat(order).isEqualTo(new ProcessOrder(process().name(), ProcessOrder.Result.SENT, 1));
			awaitProcess((process) -> process.state() == JobProcess.State.QUIET);
			assertThat(process().obeyed()).isEqualTo(1);
			this.held.release();
			this.held.awaitEnded(1);
			worker.launcher().stop();
			assertThat(this.held.begun()).containsExactly(0);
			assertThat(worker.events(WorkerEvent.Quieted.class)).hasSize(1);
		}
	}

	@Test
	void stopWhenNobodySaysOtherwiseStopsTheWorkersOfThatStartOnly() {
		Runs runs = new Runs();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(runs).start()) {
			String name = awaitProcess();
			assertThat(this.processes.stop(name).result()).isEqualTo(ProcessOrder.Result.SENT);
			WorkerFixture.await().until(() -> !worker.launcher().isRunning());
			assertThat(this.processes.list()).isEmpty();
			// Instructions stored for the old process do not apply to the new process.
			this.redis.template().opsForHash().put(this.redis.prefix() + ":process:" + name, "stop", "9");
			worker.start();
			worker.enqueue("q", 0);
			worker.awaitEmpty("q");
			String next = awaitProcess();
			assertThat(next).isNotEqualTo(name);
			WorkerFixture.await().until(() -> worker.events(WorkerEvent.Beat.class).size() > 5);
			assertThat(process().obeyed()).isZero();
			assertThat(worker.launcher().isRunning()).isTrue();
		}
	}

	@Test
	void stopWhenThereIsAListenerCallsThatOnceInstead() {
		CompletableFuture<Thread> asked = new CompletableFuture<>();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(new Runs()).build()) {
			worker.launcher().onStopRequest(() -> asked.complete(Thread.currentThread()));
			worker.start();
			this.processes.stop(awaitProcess());
			assertThat(asked.join().getName()).isEqualTo("jobs-control");
			assertThat(worker.launcher().isRunning()).isTrue();
		}
	}

	@Test
	@DisplayName("LK-41: the stacks of all threads of a process can be requested, starting with threads that run jobs")
	void threadDumpWhenAJobRunsHasItsStackFirst(CapturedOutput output) {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.held).start()) {
			String id = worker.enqueue("q", 0);
			this.held.awaitBegun(1);
			ProcessOrder order = this.processes.threadDump(awaitProcess());
			WorkerFixture.await().until(() -> this.processes.threadDump(order.process(), order.number()).isPresent());
			String dump = this.processes.threadDump(order.process(), order.number()).orElseThrow();
			assertThat(dump).startsWith("\"jobs-default-1\" ")
				.contains(", runs job %s[%s] of queue q for ".formatted(TestJobs.NAME, id))
				.contains("\tat " + Runs.class.getName() + ".run(")
				.contains("\n\"jobs-heartbeat\" ");
			assertThat(output).contains("This process was asked for its threads:\n\"jobs-default-1\" ");
			assertThat(this.processes.threadDump(order.process(), order.number() + 1)).isEmpty();
			assertThat(worker.launcher().threadDump()).startsWith("\"jobs-default-1\" ");
			this.held.release();
		}
	}

	@Test
	void tellWhenThereIsNoSuchProcessSaysSo() {
		ProcessOrder none = new ProcessOrder(GONE, ProcessOrder.Result.NO_SUCH_PROCESS, 0);
		assertThat(this.processes.quiet(GONE)).isEqualTo(none);
		assertThat(this.processes.stop(GONE)).isEqualTo(none);
		assertThat(this.processes.threadDump(GONE)).isEqualTo(none);
		assertThat(this.processes.threadDump(GONE, 1)).isEmpty();
		assertThat(this.redis.contents()).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> this.processes.threadDump(GONE, 0))
			.withMessage("'number' must be the number of an order that was sent");
	}

	@Test
	void listWhenAProcessWritesNonsenseTellsWhatIsLeft() {
		String key = this.redis.prefix() + ":process:" + GONE;
		this.redis.template().opsForSet().add(this.redis.prefix() + ":processes", GONE);
		this.redis.template()
			.opsForHash()
			.putAll(key, Map.of("pid", "x", "state", "asleep", "capsules", "default (2 workers: q)", "running",
					"a b\n019b76daa800a51c2d3e4f50 c/1 q 2 1767225600000 a job"));
		JobProcess process = process();
		assertThat(process.state()).isEqualTo(JobProcess.State.UNKNOWN);
		assertThat(process.origin().pid()).isZero();
		assertThat(process.capsules()).isEmpty();
		assertThat(process.running()).containsExactly(new JobProcess.Run("019b76daa800a51c2d3e4f50", "c", 1, "q", 2,
				Instant.ofEpochMilli(1767225600000L), "a job"));
	}

	@Test
	@DisplayName("LK-41: a run that takes too long is reported with the stack of its thread, and again after twice the time")
	void runWhenItGoesOnForTooLongIsReportedWithItsStack(CapturedOutput output) {
		Oversight oversight = new Oversight("", "", false, new Thresholds(Duration.ZERO, Duration.ofMillis(100)),
				Map.of());
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.oversight(oversight)
			.capsule(1, "q")
			.jobs(this.held)
			.start()) {
			String id = worker.enqueue("q", 0);
			WorkerFixture.await().until(() -> worker.events(WorkerEvent.StuckRun.class).size() >= 3);
			this.held.release();
			List<WorkerEvent.StuckRun> reports = worker.events(WorkerEvent.StuckRun.class);
			for (int i = 0; i < 3; i++) {
				WorkerEvent.StuckRun report = reports.get(i);
				assertThat(report).isEqualTo(new WorkerEvent.StuckRun("q", TestJobs.NAME, id, report.running()));
				assertThat(report.running())
					.isGreaterThan((i == 0) ? Duration.ofMillis(100) : reports.get(i - 1).running().multipliedBy(2));
			}
			assertThat(output).contains("Job %s[%s] of queue q has been running for ".formatted(TestJobs.NAME, id))
				.contains("Thread jobs-default-1 is here:\n")
				.contains("\tat " + Runs.class.getName() + ".run(");
		}
	}

	private JobProcess process() {
		List<JobProcess> all = this.processes.list();
		assertThat(all).hasSize(1);
		return all.get(0);
	}

	private void awaitProcess(Predicate<JobProcess> condition) {
		WorkerFixture.await().until(() -> this.processes.list().stream().anyMatch(condition));
	}

	private String awaitProcess() {
		awaitProcess((process) -> true);
		return process().name();
	}

}
