package io.github.steadyjobs.boot;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.RetriesExhausted;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link JobsWorkerAutoConfiguration} with running jobs (SK-44, JG-16).
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class JobsWorkerIntegrationTests {

	private final TestRedis redis;

	private final Notes notes = new Notes();

	private final ApplicationContextRunner runner;

	JobsWorkerIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
					JobsWorkerAutoConfiguration.class))
			.withBean(Notes.class, () -> this.notes)
			.withUserConfiguration(NotingJobs.class)
			.withPropertyValues("spring.data.redis.url=" + redis.url(), "steadyjobs.prefix=" + redis.prefix(),
					"steadyjobs.shutdown-timeout=2s");
	}

	@Test
	void workerWhenThereIsAJobRunsIt() {
		this.runner.run((context) -> {
			context.getBean(JobClient.class).enqueue(NotingJobs.class, (jobs) -> jobs.note("a"));
			this.notes.await("a");
			assertThat(context.getBean(Launcher.class).isRunning()).isTrue();
		});
	}

	@Test
	void enqueueWhenNoProcessServesTheQueueSaysSoAtOnce(CapturedOutput output) {
		this.runner.run((context) -> {
			JobClient client = context.getBean(JobClient.class);
			// The queue is served by this process, although the process may not have
			// joined it yet.
			client.enqueue(NotingJobs.class, (jobs) -> jobs.note("a"));
			client.enqueue(JobRequest.named("other.job").queue("mial"));
			await()
				.untilAsserted(() -> assertThat(output).contains("put into the queue 'mial', which no process serves"));
			assertThat(output.toString().lines()).filteredOn((line) -> line.contains("which no process serves"))
				.hasSize(1);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "steadyjobs.worker.enabled", "steadyjobs.worker.auto-startup" })
	void enqueueWhenWorkersAreOffOnPurposeDoubtsNoQueue(String property) {
		this.runner.withPropertyValues(property + "=false").run((context) -> {
			Predicate<String> doubtful = context.getBean(JobClientSettings.class).doubtful();
			assertThat(doubtful).rejects("default", "mial");
			context.getBeanProvider(Launcher.class).ifAvailable((launcher) -> {
				launcher.start();
				assertThat(doubtful).rejects("default").accepts("mial");
			});
		});
	}

	@Test
	void enqueueWhenTheApplicationHasNoJobsAsksRedisWhoServesTheQueue(CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
					JobsWorkerAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.url=" + this.redis.url(), "steadyjobs.prefix=" + this.redis.prefix())
			.run((context) -> {
				context.getBean(JobClient.class).enqueue(JobRequest.named("other.job").queue("mial"));
				await().untilAsserted(
						() -> assertThat(output).contains("put into the queue 'mial', which no process serves"));
			});
	}

	@Test
	void enqueueWhenTheApplicationStillStartsSaysNothing(CapturedOutput output) {
		this.runner.withBean(EarlyBird.class).run((context) -> {
			this.notes.await("early");
			context.getBean(JobClient.class).enqueue(JobRequest.named("other.job").queue("mial"));
			await().untilAsserted(() -> assertThat(output).contains("put into the queue 'mial'"));
			assertThat(output.toString().lines()).filteredOn((line) -> line.contains("which no process serves"))
				.hasSize(1);
		});
	}

	@Test
	void workerWhenInitializationIsLazyRunsJobs() {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				assertThat(context.getBeanFactory().containsSingleton("notingJobs")).isFalse();
				context.getBean(JobClient.class).enqueue(NotingJobs.class, (jobs) -> jobs.note("a"));
				this.notes.await("a");
			});
	}

	@Test
	void workerWhenItIsNotToStartByItselfStartsWhenAsked() {
		this.runner.withPropertyValues("steadyjobs.worker.auto-startup=false").run((context) -> {
			context.getBean(JobClient.class).enqueue(NotingJobs.class, (jobs) -> jobs.note("a"));
			Launcher launcher = context.getBean(Launcher.class);
			assertThat(launcher.isRunning()).isFalse();
			launcher.start();
			this.notes.await("a");
		});
	}

	@Test
	void workerWhenContextIsStoppedAndStartedRunsJobsAgain() {
		this.runner.run((context) -> {
			context.stop();
			assertThat(context.getBean(Launcher.class).isRunning()).isFalse();
			context.start();
			context.getBean(JobClient.class).enqueue(NotingJobs.class, (jobs) -> jobs.note("a"));
			this.notes.await("a");
		});
	}

	@Test
	@DisplayName("LK-54, SK-43: id, name, queue, attempt and capsule are in the log context while a job runs, and not after it")
	void workerPutsTheRunningJobIntoTheLogContext() {
		this.runner.withBean(ServerInterceptor.class, () -> (job, chain) -> {
			chain.proceed();
			this.notes.add(Map.copyOf(MDC.getCopyOfContextMap()));
			if (job.attempt() == 1) {
				MDC.put("left", "behind");
				throw new IllegalStateException("once more");
			}
		})
			.withBean(RetryDelay.class, () -> RetryDelay.exactly((count, job, failure) -> Duration.ofMillis(1)))
			.withPropertyValues("steadyjobs.capsules.mails.queues=default", "steadyjobs.capsules.mails.concurrency=1")
			.run((context) -> {
				String id = context.getBean(JobClient.class).enqueue(NotingJobs.class, NotingJobs::noteLogContext).id();
				Map<String, String> expected = Map.of("jobId", id, "jobName", "NotingJobs.noteLogContext", "jobQueue",
						"default", "capsule", "mails");
				this.notes.awaitSize(4);
				assertThat(this.notes.all()).containsExactly(with(expected, "1"), with(expected, "1"),
						with(expected, "2"), with(expected, "2"));
			});
	}

	private static Map<String, String> with(Map<String, String> context, String attempt) {
		Map<String, String> all = new HashMap<>(context);
		all.put("jobAttempt", attempt);
		return all;
	}

	@Test
	@DisplayName("SK-41: the log context is set outside the interceptors of an application")
	void workerCallsInterceptorsInOrderWithinTheLogContext() {
		this.runner.withUserConfiguration(Interceptors.class).run((context) -> {
			context.getBean(JobClient.class).enqueue(NotingJobs.class, (jobs) -> jobs.note("a"));
			this.notes.await("first NotingJobs.note", "second", "a");
		});
	}

	@Test
	void workerTellsListenersInOrder() {
		this.runner.withUserConfiguration(Listeners.class).run((context) -> {
			context.getBean(JobClient.class).enqueue(NotingJobs.class, (jobs) -> jobs.note("a"));
			this.notes.await("1 started", "2 started", "a", "1 DONE", "2 DONE");
		});
	}

	@Test
	void workerTellsListenersOfFailuresInOrderAndTheJobBetween() {
		this.runner.withUserConfiguration(FailureListeners.class, MourningJobs.class).run((context) -> {
			context.getBean(JobClient.class).enqueue(JobRequest.named("MourningJobs.fail").retries(0));
			this.notes.await("1 error no", "2 error no", "exhausted no", "1 died no", "2 died no");
		});
	}

	@Test
	void workerWhenConfigurationSaysSoDiscardsTheJob() {
		this.runner.withUserConfiguration(FailureListeners.class, MourningJobs.class)
			.withPropertyValues("steadyjobs.jobs.MourningJobs.fail.dead=false", "steadyjobs.retry.max=0")
			.run((context) -> {
				context.getBean(JobClient.class).enqueue(MourningJobs.class, (jobs) -> jobs.fail());
				this.notes.await("1 error no", "2 error no", "exhausted no", "1 died no", "2 died no");
				assertThat(this.redis.contents("default")).doesNotContainKeys("dead", "payloads")
					.containsEntry("stats", Map.of("discarded", "1"));
			});
	}

	@Test
	void workerWhenThereIsARetryDelayAsksIt() {
		this.runner.withBean(RetryDelay.class, () -> RetryDelay.exactly((count, job, failure) -> {
			this.notes.add(count + " " + job.name() + " " + failure.getMessage());
			return Duration.ofMillis(1);
		})).withUserConfiguration(FailingJobs.class).run((context) -> {
			context.getBean(JobClient.class).enqueue(JobRequest.named("FailingJobs.fail").retries(2));
			this.notes.await("0 FailingJobs.fail no", "1 FailingJobs.fail no");
		});
	}

	@Test
	void workerTakesLimitsFromTheProperties() {
		this.runner.withUserConfiguration(FailingJobs.class)
			.withPropertyValues("steadyjobs.retry.max=0", "steadyjobs.retry.backtrace=1")
			.run((context) -> {
				context.getBean(JobClient.class).enqueue(JobRequest.named("FailingJobs.fail"));
				await().until(() -> this.redis.contents("default").containsKey("dead"));
				assertThat(this.redis.contents("default").get("payloads").toString()).contains("error_backtrace");
			});
	}

	@Test
	@DisplayName("LK-41: thread names in stack traces show the capsule and the worker")
	void threadsAreNamedAfterCapsuleAndSlot() {
		this.runner
			.withPropertyValues("steadyjobs.capsules.mails.queues=default", "steadyjobs.capsules.mails.concurrency=1")
			.run((context) -> assertThat(runningThread(context.getBean(JobClient.class)).getName())
				.isEqualTo("jobs-mails-1"));
	}

	@Test
	void threadsArePlatformThreadsByDefault() throws Exception {
		Method isVirtual = (JRE.currentJre().compareTo(JRE.JAVA_21) >= 0) ? Thread.class.getMethod("isVirtual") : null;
		this.runner.run((context) -> {
			Thread thread = runningThread(context.getBean(JobClient.class));
			assertThat(thread.isDaemon()).isFalse();
			if (isVirtual != null) {
				assertThat(isVirtual.invoke(thread)).isEqualTo(false);
			}
		});
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	@DisplayName("JG-16: workers may be virtual threads")
	void threadsWhenVirtualOnesAreOnAreVirtual() throws Exception {
		Method isVirtual = Thread.class.getMethod("isVirtual");
		this.runner.withPropertyValues("spring.threads.virtual.enabled=true").run((context) -> {
			Thread thread = runningThread(context.getBean(JobClient.class));
			assertThat(isVirtual.invoke(thread)).isEqualTo(true);
			assertThat(thread.getName()).matches("jobs-default-\\d+");
		});
	}

	@Test
	@DisplayName("SK-44: jobs run with the classes of the restarted application")
	void threadsHaveTheClassLoaderOfTheApplication() throws Exception {
		try (URLClassLoader loader = new URLClassLoader(new URL[0], getClass().getClassLoader())) {
			this.runner.withClassLoader(loader).run((context) -> {
				context.getBean(JobClient.class).enqueue(NotingJobs.class, NotingJobs::noteClassLoader);
				this.notes.await(loader);
			});
		}
	}

	private Thread runningThread(JobClient client) {
		client.enqueue(NotingJobs.class, NotingJobs::noteThread);
		return (Thread) this.notes.awaitSize(1);
	}

	static class NotingJobs {

		private final Notes notes;

		NotingJobs(Notes notes) {
			this.notes = notes;
		}

		@Job
		void note(String text) {
			this.notes.add(text);
		}

		@Job
		void noteLogContext() {
			this.notes.add(Map.copyOf(MDC.getCopyOfContextMap()));
		}

		@Job
		void noteThread() {
			this.notes.add(Thread.currentThread());
		}

		@Job
		void noteClassLoader() {
			this.notes.add(Thread.currentThread().getContextClassLoader());
		}

	}

	static class MourningJobs {

		private final Notes notes;

		MourningJobs(Notes notes) {
			this.notes = notes;
		}

		@Job
		void fail() {
			throw new IllegalStateException("no");
		}

		@RetriesExhausted
		void exhausted(Throwable failure) {
			this.notes.add("exhausted " + failure.getMessage());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FailureListeners {

		@Bean
		@Order(2)
		JobListener second(Notes notes) {
			return new NotingFailures(2, notes);
		}

		@Bean
		@Order(1)
		JobListener first(Notes notes) {
			return new NotingFailures(1, notes);
		}

	}

	record NotingFailures(int number, Notes notes) implements JobListener {

		@Override
		public void failed(@Nullable JobPayload job, Throwable failure) {
			this.notes.add(this.number + " error " + failure.getMessage());
		}

		@Override
		public void died(JobPayload job, Throwable reason) {
			this.notes.add(this.number + " died " + reason.getMessage());
		}

	}

	static class FailingJobs {

		@Job
		void fail() {
			throw new IllegalStateException("no");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Interceptors {

		@Bean
		@Order(2)
		ServerInterceptor second(Notes notes) {
			return (job, chain) -> {
				notes.add("second");
				chain.proceed();
			};
		}

		@Bean
		@Order(1)
		ServerInterceptor first(Notes notes) {
			return (job, chain) -> {
				notes.add("first " + MDC.get("jobName"));
				chain.proceed();
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Listeners {

		@Bean
		@Order(2)
		JobListener second(Notes notes) {
			return new NotingListener(2, notes);
		}

		@Bean
		@Order(1)
		JobListener first(Notes notes) {
			return new NotingListener(1, notes);
		}

	}

	record NotingListener(int number, Notes notes) implements JobListener {

		@Override
		public void started(JobContext job, Duration waited) {
			this.notes.add(this.number + " started");
		}

		@Override
		public void ended(JobContext job, JobOutcome outcome, Duration ran) {
			this.notes.add(this.number + " " + outcome);
		}

	}

	static class EarlyBird {

		EarlyBird(JobClient client) {
			client.enqueue(NotingJobs.class, (jobs) -> jobs.note("early"));
		}

	}

}
