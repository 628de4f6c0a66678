package io.github.steadyjobs.boot;

import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UnknownProperties}.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			steadyjobs.capsuls.default.concurrency     | Did you mean 'steadyjobs.capsules.default.concurrency'?
			steadyjobs.capsules.default.concurency     | Did you mean 'steadyjobs.capsules.default.concurrency'?
			steadyjobs.capsules.default.queue          | Did you mean 'steadyjobs.capsules.default.queues'?
			steadyjobs.capsules.default.queue[0]       | Did you mean 'steadyjobs.capsules.default.queues[0]'?
			steadyjobs.capsules[my.own].oder           | Did you mean 'steadyjobs.capsules[my.own].order'?
			steadyjobs.capsules.my.own.order           | Did you mean 'steadyjobs.capsules[my.own].order'?
			steadyjobs.queues.my.own.queue.weight      | Did you mean 'steadyjobs.queues[my.own.queue].weight'?
			steadyjobs.shutdown-timout                 | Did you mean 'steadyjobs.shutdown-timeout'?
			steadyjobs.shutdownTimout                  | Did you mean 'steadyjobs.shutdown-timeout'?
			steadyjobs.doctor.severity.clock-screw     | Did you mean 'steadyjobs.doctor.severity.clock-skew'?
			steadyjobs.embeded.port                    | Did you mean 'steadyjobs.embedded.port'?
			steadyjobs.embedded.prot                   | Did you mean 'steadyjobs.embedded.port'?
			steadyjobs.sidekiq.poll                    | There are 'steadyjobs.sidekiq.enabled',
			steadyjobs.sidekiq.queue.hard              | Did you mean 'steadyjobs.sidekiq.queues.hard'?
			steadyjobs.embedded.later                  | There are 'steadyjobs.embedded.enabled',
			steadyjobs.embedded.port.free              | 'steadyjobs.embedded.port' has a value of its own.
			steadyjobs.dead.maximum                    | There are 'steadyjobs.dead.age', 'steadyjobs.dead.max'.
			steadyjobs.capsules.default.queues.low     | 'steadyjobs.capsules.default.queues' is a list.
			steadyjobs.retry.max.count                 | 'steadyjobs.retry.max' has a value of its own.
			""")
	void warnWhenPropertyIsUnknownNamesTheNearest(String property, String advice, CapturedOutput output) {
		check(property, "test");
		assertThat(output).contains("WARN").contains("changes nothing, because there is no such property. " + advice);
	}

	@ParameterizedTest
	@ValueSource(strings = { "steadyjobs.prefix", "steadyjobs.shutdownTimeout", "steadyjobs.shutdown_timeout",
			"steadyjobs.SHUTDOWN-TIMEOUT", "steadyjobs.queues.mail.weight", "steadyjobs.queues[my.queue].delivery",
			"steadyjobs.capsules.default.queues", "steadyjobs.capsules[my.own].queues[0]",
			"steadyjobs.jobs.InvoiceJobs.send.queue", "steadyjobs.jobs[a/b\\:c].whatever",
			"steadyjobs.doctor.severity.replica-reads", "steadyjobs.embedded.port", "steadyjobs.embedded.enabled",
			"steadyjobs.embedded.executable", "steadyjobs.sidekiq.queues.hard", "steadyjobs.sidekiq.jobs[A::B]",
			"steadyjobs.sidekiq.poll-interval", "steadyjobs.idempotence.dry-run", "steadyjobsother.foo",
			"other.steadyjobs.foo" })
	void warnWhenPropertyIsKnownIsSilent(String property, CapturedOutput output) {
		check(property, "test");
		assertThat(output).doesNotContain("UnknownProperties");
	}

	@Test
	void propertiesOfEmbeddedRedisAreThoseOfItsModule() throws ClassNotFoundException {
		Class<?> bound = Class.forName("io.github.steadyjobs.embedded.EmbeddedRedisProperties");
		assertThat(UnknownProperties.Embedded.class.getRecordComponents()).extracting(RecordComponent::getName)
			.containsExactlyInAnyOrderElementsOf(
					Stream.of(bound.getRecordComponents()).map(RecordComponent::getName).toList());
	}

	@Test
	void warnSaysWhereThePropertyIsSet(CapturedOutput output) {
		UnknownProperties.warn(Bound.environment("steadyjobs.prefix=a", "steadyjobs.prefx=b"));
		assertThat(output).containsPattern("The property 'steadyjobs.prefx' \\(.* - 2:18\\) changes nothing");
	}

	@Test
	void warnWhenPropertyIsSetTwiceSaysItOnce(CapturedOutput output) {
		check("steadyjobs.prefx", "one", "two");
		assertThat(output.toString().lines()).filteredOn((line) -> line.contains("UnknownProperties")).hasSize(1);
	}

	@Test
	void warnLooksAtNoVariables(CapturedOutput output) {
		StandardEnvironment environment = new StandardEnvironment();
		// Kubernetes sets these variables in every container if there is a service named
		// steadyjobs.
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
							Map.of("STEADYJOBS_SERVICE_HOST", "a")));
		UnknownProperties.warn(environment);
		assertThat(output).doesNotContain("UnknownProperties");
	}

	private static void check(String property, String... sources) {
		StandardEnvironment environment = new StandardEnvironment();
		for (String source : sources) {
			environment.getPropertySources().addFirst(new MapPropertySource(source, Map.of(property, "1")));
		}
		UnknownProperties.warn(environment);
	}

}
