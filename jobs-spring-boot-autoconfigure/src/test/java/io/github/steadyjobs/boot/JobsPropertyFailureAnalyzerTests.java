package io.github.steadyjobs.boot;

import java.util.Locale;

import io.github.steadyjobs.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobsPropertyFailureAnalyzer}: the message that the user sees for an
 * invalid property.
 */
@ExtendWith(OutputCaptureExtension.class)
class JobsPropertyFailureAnalyzerTests {

	private static final String ORIGIN = " (\"%s\" from property source \"commandLineArgs\")";

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					steadyjobs.capsules.reports.concurrency=0 | Set it to 1 or more, the number of jobs run at the same time.
					steadyjobs.queues.mail.weight=-1          | Set it to 1 to 1000.
					steadyjobs.capsules.default.order=strict  | List the queues in 'steadyjobs.capsules.default.queues', the most
					steadyjobs.capsules.default.queues=a,b c  | Write a queue as 'name' or 'name,weight', as in 'critical,6'.
					steadyjobs.prefix=a b                     | Use 1 to 64 of the characters A-Za-z0-9_.-
					steadyjobs.dead.max=0                     | Set it to 1 or more, the number of dead jobs to keep.
					steadyjobs.sequential.nodes=0             | Set it to 1 or more, the number of nodes that the shards are split among.
					steadyjobs.retry.max=-1                   | Set it to 0 or more.
					steadyjobs.jobs.Jobs.send.foo=1           | A job has no attribute 'foo'. Use 'queue', 'retries', 'retry-for',
					steadyjobs.jobs.Jobs.send.idempotence-ttl=0s | Set it to a time of 1 ms or more and less than 100,000 years, with its unit, as in 90s, 10m, 6h, 7d or PT6H.
					steadyjobs.idempotence.strategy=default   | Set it to 'until-executing', 'until-executed', 'while-executing' or 'within'.
					steadyjobs.jobs.Jobs.send.retries=many    | Set it to a whole number, 0 or more; in configuration, 'true' is for 'steadyjobs.retry.max'
					steadyjobs.jobs.Jobs.send.queue=a b       | Use 1 to 64 of the characters A-Za-z0-9_.-
					""")
	void runWhenValueIsBadNamesPropertyPlaceAndWhatToType(String setting, String action, CapturedOutput output) {
		String[] parts = setting.split("=");
		String value = parts[1].equals("a,b c") ? "b c" : parts[1];
		assertThat(Applications.failToRun(output, Jobs.class, setting, "steadyjobs.capsules.reports.queues=reports"))
			.startsWith("Description: The property '%s' has the value '%s'%s. Action: %s".formatted(parts[0], value,
					ORIGIN.formatted(parts[0]), action));
	}

	@Test
	void runWhenKeyIsWrittenOtherwiseFindsIt(CapturedOutput output) {
		assertThat(Applications.failToRun(output, Jobs.class, "steadyjobs.shutdownTimeout=-1s"))
			.contains("'steadyjobs.shutdown-timeout'", "\"steadyjobs.shutdownTimeout\" from property source");
	}

	@Test
	void runWhenQueueIsMissingInACapsuleSaysWhatToType(CapturedOutput output) {
		assertThat(Applications.failToRun(output, Jobs.class, "steadyjobs.capsules.reports.concurrency=1")).isEqualTo(
				"Description: The property 'steadyjobs.capsules.reports.queues' is not set. Action: List the queues of "
						+ "the capsule, as in 'steadyjobs.capsules.reports.queues=reports'. Only the capsule 'default' "
						+ "needs no list.");
	}

	@Test
	void runWhenElementHasTwoWeightsNamesTheProperty(CapturedOutput output) {
		assertThat(Applications.failToRun(output, Jobs.class, "steadyjobs.capsules.default.queues[0]=a,b,c"))
			.startsWith("Description: The property 'steadyjobs.capsules.default.queues' has the value 'a,b,c'")
			.contains("Action: Write a queue as 'name' or 'name,weight'");
	}

	@Test
	void runWhenOrderIsUnknownListsThoseThereAre(CapturedOutput output) {
		assertThat(Applications.failToRun(output, Jobs.class, "steadyjobs.capsules.default.order=strictly")).contains(
				"'steadyjobs.capsules.default.order' has the value 'strictly'",
				"Action: Use 'weighted', 'strict', 'random', 'round-robin' or 'lag', or the name of a QueueSelector bean. "
						+ "There is no such bean.");
	}

	@Test
	void runWhenOrderOfShardsIsUnknownListsThoseThereAre(CapturedOutput output) {
		assertThat(Applications.failToRun(output, Jobs.class, "steadyjobs.sequential.order=random"))
			.contains("Property: steadyjobs.sequential.order", "The following values are valid: LAG ROUND_ROBIN");
	}

	@Test
	void runWhenNumberIsNoneNamesTheProperty(CapturedOutput output) {
		assertThat(Applications.failToRun(output, Jobs.class, "steadyjobs.capsules.default.concurrency=many"))
			.contains("Property: steadyjobs.capsules.default.concurrency Value: \"many\"");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			steadyjobs.queues[0]=mail   | Queues   | steadyjobs.queues.mail.weight=1
			steadyjobs.queues=mail, low | Queues   | steadyjobs.queues.mail.weight=1
			steadyjobs.queues.mail=5    | Queues   | steadyjobs.queues.mail.weight=5
			steadyjobs.capsules[0]=mail | Capsules | steadyjobs.capsules.mail.queues=mail
			steadyjobs.capsules.a=mail  | Capsules | steadyjobs.capsules.a.queues=mail
			""")
	void runWhenThereIsNoMapSaysHowToWriteOne(String setting, String what, String example, CapturedOutput output) {
		String[] parts = setting.split("=");
		assertThat(Applications.failToRun(output, Jobs.class, setting))
			.isEqualTo("Description: The property '%s' has the value '%s'%s. Action: %s have settings by name. "
				.formatted(parts[0], parts[1], ORIGIN.formatted(parts[0]), what)
					+ "Write '%s', and the same for each other %s.".formatted(example,
							what.toLowerCase(Locale.ROOT).replaceAll("s$", "")));
	}

	@Configuration(proxyBeanMethods = false)
	static class Jobs {

		@Job
		void send(String to) {
		}

	}

}
