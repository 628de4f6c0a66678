package io.github.steadyjobs.boot;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for how long an application without a web server keeps running, and how it ends.
 */
@RedisTest
class TerminationIntegrationTests {

	private final TestRedis redis;

	private final JobProcesses processes;

	TerminationIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.processes = new JobProcesses(redis.connections(), redis.prefix());
	}

	@Test
	void closeWhenAJobUsesAnExecutorThatStopsFirstPutsTheJobBackUncounted() throws InterruptedException {
		ConfigurableApplicationContext context = Applications.run(ExecutorJobs.class,
				"spring.data.redis.url=" + this.redis.url(), "steadyjobs.prefix=" + this.redis.prefix(),
				"steadyjobs.shutdown-timeout=20s");
		String id = context.getBean(JobClient.class).enqueue(ExecutorJobs.class, (jobs) -> jobs.untilRefused()).id();
		assertThat(context.getBean(ExecutorJobs.class).begun.await(30, TimeUnit.SECONDS)).isTrue();
		context.close();
		Map<String, Object> contents = this.redis.contents("default");
		assertThat(contents).doesNotContainKeys("retries", "dead", "working");
		assertThat(this.redis.template().opsForList().range(this.redis.key("default", "ready"), 0, -1))
			.containsExactly(id);
		assertThat((String) this.redis.template().opsForHash().get(this.redis.key("default", "payloads"), id))
			.doesNotContain("retry_count");
	}

	@Test
	@DisplayName("SK-08, SK-20, SK-23: after SIGTERM, jobs get time to end, the remaining jobs are put back at the head of the queue, and the process ends")
	void terminateWhenJobsRunLetsThemEndOrPutsThemBack() throws Exception {
		Process application = start(TerminatedWorker.class, "--steadyjobs.shutdown-timeout=1s",
				"--steadyjobs.capsules.default.concurrency=2");
		try (BufferedReader output = output(application)) {
			assertThat(output.lines().filter("begun"::equals).limit(2)).hasSize(2);
			// Send SIGTERM in the same way as platforms do. Process.destroy() would also
			// close the output.
			application.toHandle().destroy();
			assertThat(output.lines()).contains("ended").doesNotContain("begun");
		}
		finally {
			application.destroyForcibly();
		}
		assertThat(application.waitFor()).isEqualTo(128 + 15);
		assertThat(this.redis.contents("default")).doesNotContainKeys("working", "beats", "retries", "dead")
			.containsEntry("stats", Map.of("done", "1", "released", "1"));
		List<String> ready = this.redis.template().opsForList().range(this.redis.key("default", "ready"), 0, -1);
		assertThat(ready).isSortedAccordingTo(Comparator.reverseOrder()).hasSize(2);
		assertThat(this.redis.contents()).doesNotContainKey(this.redis.prefix() + ":processes");
	}

	@Test
	@DisplayName("SK-08: a process that is asked through Redis to stop ends as it does after SIGTERM")
	void stopWhenToldThroughRedisEndsTheApplicationInOrder() throws Exception {
		Process application = start(TerminatedWorker.class, "--steadyjobs.shutdown-timeout=1s",
				"--steadyjobs.capsules.default.concurrency=2", "--steadyjobs.liveness.beat=100ms",
				"--spring.application.name=shop", "--spring.application.version=1.4.2");
		try (BufferedReader output = output(application)) {
			assertThat(output.lines().filter("begun"::equals).limit(2)).hasSize(2);
			JobProcess process = process();
			assertThat(process.origin().pid()).isEqualTo(application.pid());
			assertThat(process.origin().label()).isEqualTo("shop");
			assertThat(process.origin().version()).isEqualTo("1.4.2");
			this.processes.stop(process.name());
			assertThat(output.lines()).contains("ended").doesNotContain("begun");
		}
		finally {
			application.destroyForcibly();
		}
		assertThat(application.waitFor()).isZero();
		assertThat(this.redis.contents("default")).doesNotContainKeys("working", "beats", "retries", "dead")
			.containsEntry("stats", Map.of("done", "1", "released", "1"));
		assertThat(this.processes.list()).isEmpty();
	}

	@Test
	void stopWhenOnlyTheWorkersAreToEndLeavesTheApplicationAlone() {
		try (ConfigurableApplicationContext context = Applications.run(ExecutorJobs.class,
				"spring.data.redis.url=" + this.redis.url(), "steadyjobs.prefix=" + this.redis.prefix(),
				"steadyjobs.liveness.beat=100ms", "steadyjobs.worker.remote-stop=workers")) {
			this.processes.stop(process().name());
			await().until(() -> !context.getBean(Launcher.class).isRunning());
			assertThat(context.isActive()).isTrue();
		}
	}

	@Test
	@DisplayName("SK-08, SK-09: if signals are enabled, TSTP makes a process quiet and TTIN dumps its threads")
	void signalWhenSignalsAreHeededMakesQuietAndDumpsThreads() throws Exception {
		Process application = start(TerminatedWorker.class, "--steadyjobs.worker.signals=true",
				"--steadyjobs.liveness.beat=100ms", "--steadyjobs.shutdown-timeout=0s",
				"--steadyjobs.capsules.default.concurrency=2");
		try (BufferedReader output = output(application)) {
			assertThat(output.lines().filter("begun"::equals).limit(2)).hasSize(2);
			signal(application, "TTIN");
			assertThat(output.lines()
				.dropWhile((line) -> !line.contains("The signal TTIN asks for the threads of this process:"))
				.anyMatch((line) -> line.contains("TerminatedWorker.forEver("))).isTrue();
			assertThat(process().state()).isEqualTo(JobProcess.State.RUNNING);
			signal(application, "TSTP");
			await().until(() -> process().state() == JobProcess.State.QUIET);
			application.toHandle().destroy();
			assertThat(output.lines()).doesNotContain("begun");
		}
		finally {
			application.destroyForcibly();
		}
		assertThat(application.waitFor()).isEqualTo(128 + 15);
	}

	@Test
	@DisplayName("SK-08, SK-11: a JVM that cannot receive signals logs this, and starts")
	void signalWhenTheJvmHearsOfNoneIsSaidAtTheStart() throws Exception {
		Process application = start(List.of("-Xrs"), WorkerOnly.class, "--steadyjobs.worker.signals=true");
		try (BufferedReader output = output(application)) {
			assertThat(output.lines()
				.anyMatch((line) -> line.contains("'steadyjobs.worker.signals' has no effect: "
						+ "the JVM option -Xrs keeps Java from hearing of signals")))
				.isTrue();
		}
		finally {
			application.destroyForcibly();
		}
	}

	private JobProcess process() {
		return await().until(this.processes::list, (processes) -> processes.size() == 1).get(0);
	}

	private static void signal(Process application, String name) throws IOException, InterruptedException {
		assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(application.pid())).start().waitFor()).isZero();
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(30));
	}

	private Process start(Class<?> main, String... arguments) throws IOException {
		return start(List.of(), main, arguments);
	}

	private Process start(List<String> options, Class<?> main, String... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
		command.addAll(options);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName(),
				"--spring.data.redis.url=" + this.redis.url(), "--steadyjobs.prefix=" + this.redis.prefix()));
		command.addAll(List.of(arguments));
		return new ProcessBuilder(command).redirectErrorStream(true).start();
	}

	private static BufferedReader output(Process application) {
		return new BufferedReader(new InputStreamReader(application.getInputStream(), StandardCharsets.UTF_8));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void mainWhenThreadsAreVirtualStaysUpAndRunsWhatComesLater() throws Exception {
		Process application = start(WorkerOnly.class, "--spring.threads.virtual.enabled=true");
		try (BufferedReader output = output(application)) {
			assertThat(output.lines().anyMatch("it ran"::equals)).isTrue();
		}
		finally {
			application.destroy();
		}
		assertThat(application.waitFor(30, TimeUnit.SECONDS)).isTrue();
	}

	@Configuration(proxyBeanMethods = false)
	static class ExecutorJobs {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final ThreadPoolTaskExecutor executor = executor();

		@Bean
		ThreadPoolTaskExecutor executor() {
			if (this.executor != null) {
				return this.executor;
			}
			ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
			// The executor refuses tasks as soon as the context begins to close.
			executor.setStrictEarlyShutdown(true);
			return executor;
		}

		@Job
		@NotIdempotent("harmless")
		void untilRefused() throws Exception {
			while (true) {
				this.executor.submit(this.begun::countDown).get();
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class TerminatedWorker {

		public static void main(String[] args) {
			SpringApplication application = new SpringApplication(TerminatedWorker.class);
			application.setWebApplicationType(WebApplicationType.NONE);
			JobClient client = application.run(args).getBean(JobClient.class);
			client.enqueue(JobRequest.of(TerminatedWorker.class, (jobs) -> jobs.untilStopping(JobContext.none())));
			client.enqueue(JobRequest.of(TerminatedWorker.class, TerminatedWorker::forEver));
			client.enqueue(JobRequest.of(TerminatedWorker.class, TerminatedWorker::forEver));
		}

		@Job
		@NotIdempotent("harmless")
		void untilStopping(JobContext job) {
			System.out.println("begun");
			while (!job.isStopping()) {
				LockSupport.parkNanos(1_000_000);
			}
			System.out.println("ended");
		}

		@Job
		@NotIdempotent("harmless")
		void forEver() throws InterruptedException {
			System.out.println("begun");
			new CountDownLatch(1).await();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WorkerOnly {

		public static void main(String[] args) {
			SpringApplication application = new SpringApplication(WorkerOnly.class);
			application.setWebApplicationType(WebApplicationType.NONE);
			application.run(args)
				.getBean(JobClient.class)
				.enqueue(JobRequest.of(WorkerOnly.class, (jobs) -> jobs.later(JobContext.none()))
					.after(Duration.ofSeconds(1)));
		}

		@Job
		@NotIdempotent("harmless")
		void later(JobContext job) {
			System.out.println("it ran");
		}

	}

}
