package io.github.steadyjobs.application;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.devtools.restart.Restarter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an application that DevTools restarts. The application runs in a separate
 * JVM, because DevTools is inactive in tests.
 */
class DevToolsIntegrationTests {

	@Test
	@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
	void restartRunsJobsWithTheNewClassesAndLeavesNoWorkerBehind() throws Exception {
		try (EmbeddedRedisServer redis = EmbeddedRedisServer.builder().start()) {
			Process application = start(redis);
			try (BufferedReader output = new BufferedReader(
					new InputStreamReader(application.getInputStream(), StandardCharsets.UTF_8))) {
				Run before = nextRun(output);
				assertThat(before).isEqualTo(new Run(before.loader(), "RestartClassLoader", 1));
				application.getOutputStream().write('\n');
				application.getOutputStream().flush();
				Run after = nextRun(output);
				assertThat(after).isEqualTo(new Run(after.loader(), "RestartClassLoader", 1));
				assertThat(after.loader()).isNotEqualTo(before.loader());
			}
			finally {
				application.destroyForcibly();
			}
		}
	}

	private static Process start(EmbeddedRedisServer redis) throws IOException {
		List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				Application.class.getName(), "--spring.data.redis.url=" + redis.uri(),
				"--spring.docker.compose.enabled=false");
		return new ProcessBuilder(command).redirectErrorStream(true).start();
	}

	private static Run nextRun(BufferedReader output) {
		StringBuilder log = new StringBuilder();
		return output.lines()
			.peek((line) -> log.append(line).append('\n'))
			.filter((line) -> line.startsWith("ran "))
			.findFirst()
			.map((line) -> line.split(" "))
			.map((words) -> new Run(words[1], words[2], Integer.parseInt(words[3])))
			.orElseThrow(() -> new AssertionError(log));
	}

	/**
	 * A run of the job, as printed by the application.
	 *
	 * @param loader identifies the class loader of the job
	 * @param type the type of the class loader
	 * @param workers the number of threads that have the name of the first worker
	 */
	private record Run(String loader, String type, int workers) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		public static void main(String[] arguments) {
			SpringApplication application = new SpringApplication(Application.class);
			application.setWebApplicationType(WebApplicationType.NONE);
			application.run(arguments);
		}

		@Bean
		ApplicationRunner enqueueAtEachStart(JobClient client) {
			return (arguments) -> {
				client.enqueue(Application.class, Application::print);
				Thread thread = new Thread(Application::restartWhenAsked);
				thread.setDaemon(true);
				thread.start();
			};
		}

		private static void restartWhenAsked() {
			try {
				if (System.in.read() >= 0) {
					Restarter.getInstance().restart();
				}
			}
			catch (IOException ex) {
				ex.printStackTrace();
			}
		}

		@Job
		@NotIdempotent("prints again")
		void print() {
			ClassLoader loader = Thread.currentThread().getContextClassLoader();
			long workers = Thread.getAllStackTraces()
				.keySet()
				.stream()
				.filter((thread) -> thread.getName().equals("jobs-default-1"))
				.count();
			System.out.printf("ran %x %s %d%n", System.identityHashCode(loader), loader.getClass().getSimpleName(),
					workers);
		}

	}

}
