package io.github.steadyjobs.boot;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for how workers and a web server shut down together.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class WebServerShutdownIntegrationTests {

	private final TestRedis redis;

	WebServerShutdownIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	void closeWhenRequestAndJobAreUnderWayDrainsBothAtTheSameTime(CapturedOutput output) throws Exception {
		SpringApplication application = new SpringApplication(WebApplication.class);
		application.setRegisterShutdownHook(false);
		ServletWebServerApplicationContext context = (ServletWebServerApplicationContext) application.run(
				"--spring.data.redis.url=" + this.redis.url(), "--steadyjobs.prefix=" + this.redis.prefix(),
				"--server.port=0");
		assertPhases(context);
		WebApplication beans = context.getBean(WebApplication.class);
		context.getBean(JobClient.class).enqueue(WebApplication.class, WebApplication::hold);
		CompletableFuture<HttpResponse<String>> response = HttpClient.newHttpClient()
			.sendAsync(HttpRequest
				.newBuilder(URI.create("http://localhost:" + context.getWebServer().getPort() + "/enqueue"))
				.build(), HttpResponse.BodyHandlers.ofString());
		assertThat(beans.begun.await(30, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close);
		// Both shutdowns begin to wait before either of them has ended.
		await().untilAsserted(() -> assertThat(output).contains("Commencing graceful shutdown")
			.contains("Workers stop, and 1 running job gets up to"));
		beans.goOn.countDown();
		closed.get(30, TimeUnit.SECONDS);
		assertThat(response.get(30, TimeUnit.SECONDS).body()).isEqualTo("Enqueued");
		assertThat(output).contains("Graceful shutdown complete")
			.contains("Workers stopped, all jobs that had begun have ended");
		assertThat(this.redis.template().opsForList().size(this.redis.key("default", "ready"))).isOne();
		assertThat(this.redis.contents("default")).doesNotContainKey("working");
	}

	private static void assertPhases(WebServerApplicationContext context) {
		assertThat(context.getBean(Launcher.class).getPhase())
			.isEqualTo(WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE)
			.isGreaterThan(WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE)
			.isGreaterThan(context.getBean(LettuceConnectionFactory.class).getPhase());
	}

	@RestController
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WebApplication {

		private final CountDownLatch begun = new CountDownLatch(2);

		private final CountDownLatch goOn = new CountDownLatch(1);

		private final ObjectProvider<JobClient> client;

		WebApplication(ObjectProvider<JobClient> client) {
			this.client = client;
		}

		@GetMapping("/enqueue")
		String enqueue() throws InterruptedException {
			this.begun.countDown();
			this.goOn.await();
			return this.client.getObject()
				.enqueue(JobRequest.of(WebApplication.class, WebApplication::hold))
				.getClass()
				.getSimpleName();
		}

		@Job
		@NotIdempotent("harmless")
		void hold() throws InterruptedException {
			this.begun.countDown();
			this.goOn.await();
		}

	}

}
