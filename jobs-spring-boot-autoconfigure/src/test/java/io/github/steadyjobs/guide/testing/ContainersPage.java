package io.github.steadyjobs.guide.testing;

import java.util.List;

import io.github.steadyjobs.JobClient;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Code of {@code docs/testing.md} that needs Docker, and is only compiled.
 */
class ContainersPage {

	@TestConfiguration(proxyBeanMethods = false)
	class RedisInDocker {

		@Bean
		@ServiceConnection("redis")
		GenericContainer<?> redis() {
			return new GenericContainer<>("redis:7-alpine").withExposedPorts(6379);
		}

	}

	@SpringBootTest
	@Import(RedisInDocker.class)
	class WelcomeTests {

		@Test
		void welcomesNewCustomers(@Autowired JobClient jobs, @Autowired Mailbox mailbox) {
			jobs.enqueue(new Welcome("ada@example.org"));
			await().untilAsserted(() -> assertThat(mailbox.recipients()).contains("ada@example.org"));
		}

	}

	record Welcome(String email) {

	}

	interface Mailbox {

		List<String> recipients();

	}

}
