package io.github.steadyjobs.application;

import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.lifecycle.DockerComposeServicesReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.SimpleApplicationEventMulticaster;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for jobs in a Redis or Valkey that Docker Compose runs, as described in the
 * guide. The tests that do not need Docker give Spring Boot a service that is really an
 * embedded server.
 */
class DockerComposeIntegrationTests {

	private static final Map<String, String> VALKEY = Map.of("org.springframework.boot.service-connection", "redis");

	@ParameterizedTest
	@ValueSource(strings = { "redis:8", "valkey/valkey:9" })
	void runWhenServiceRunsStoresJobsThere(String image) throws Exception {
		try (EmbeddedRedisServer server = EmbeddedRedisServer.builder().start();
				ConfigurableApplicationContext application = run(
						new Service(server, image, image.startsWith("valkey") ? VALKEY : Map.of()))) {
			assertThat(application.getBean(DataRedisConnectionDetails.class).getStandalone().getPort())
				.isEqualTo(server.port());
			assertRuns(application);
		}
	}

	@Test
	void runWhenValkeyHasNoLabelKnowsNothingOfIt() {
		try (EmbeddedRedisServer server = EmbeddedRedisServer.builder().start();
				ConfigurableApplicationContext application = run(new Service(server, "valkey/valkey:9", Map.of()))) {
			assertThat(application.getBean(DataRedisConnectionDetails.class).getStandalone().getPort())
				.isNotEqualTo(server.port());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "image: redis:8",
			"image: valkey/valkey:9\n    labels:\n      org.springframework.boot.service-connection: redis" })
	@Tag("docker")
	void runWhenDockerComposeStartsTheServiceStoresJobsThere(String service, @TempDir Path directory) throws Exception {
		Path file = Files.writeString(directory.resolve("compose.yaml"),
				"services:%n  jobs:%n    %s%n    ports: ['6379']%n".formatted(service));
		try (ConfigurableApplicationContext application = application().run(
				"--spring.docker.compose.skip.in-tests=false", "--spring.docker.compose.file=" + file,
				"--spring.docker.compose.stop.command=down")) {
			assertRuns(application);
		}
	}

	private static void assertRuns(ConfigurableApplicationContext application) throws InterruptedException {
		application.getBean(JobClient.class).enqueue(GreetingJobs.class, (jobs) -> jobs.greet("Ada"));
		assertThat(application.getBean(GreetingJobs.class).next()).isEqualTo("Ada");
	}

	private static ConfigurableApplicationContext run(RunningService service) {
		SpringApplication application = application();
		application.addListeners((ApplicationListener<ApplicationPreparedEvent>) (prepared) -> tell(application,
				prepared.getApplicationContext(), service));
		return application.run();
	}

	/** Publish the event that Spring Boot publishes once Docker Compose has started. */
	private static void tell(SpringApplication application, ApplicationContext context, RunningService service) {
		SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
		application.getListeners().forEach(multicaster::addApplicationListener);
		Constructor<?> constructor = DockerComposeServicesReadyEvent.class.getDeclaredConstructors()[0];
		multicaster.multicastEvent(
				(DockerComposeServicesReadyEvent) BeanUtils.instantiateClass(constructor, context, List.of(service)));
	}

	private static SpringApplication application() {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		return application;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		GreetingJobs greetingJobs() {
			return new GreetingJobs();
		}

	}

	private record Service(EmbeddedRedisServer server, ImageReference image,
			Map<String, String> labels) implements RunningService {

		Service(EmbeddedRedisServer server, String image, Map<String, String> labels) {
			this(server, ImageReference.of(image), labels);
		}

		@Override
		public String name() {
			return "jobs";
		}

		@Override
		public String host() {
			return this.server.host();
		}

		@Override
		public ConnectionPorts ports() {
			return new Ports(this.server.port());
		}

		@Override
		public Map<String, String> env() {
			return Map.of();
		}

	}

	/**
	 * The port to which port 6379 of the container is mapped.
	 */
	private record Ports(int mapped) implements ConnectionPorts {

		@Override
		public int get(int containerPort) {
			assertThat(containerPort).isEqualTo(6379);
			return this.mapped;
		}

		@Override
		public List<Integer> getAll() {
			return List.of(this.mapped);
		}

		@Override
		public List<Integer> getAll(String protocol) {
			return Stream.of(this.mapped).filter((port) -> protocol.equals("tcp")).toList();
		}

	}

}
