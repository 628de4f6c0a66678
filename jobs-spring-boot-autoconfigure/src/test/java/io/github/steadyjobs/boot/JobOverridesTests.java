package io.github.steadyjobs.boot;

import java.util.Map;

import io.github.steadyjobs.definition.JobSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JobOverrides}.
 */
class JobOverridesTests {

	@Test
	void readWhenNameHasDotsTakesTheLastPartAsAttribute() {
		assertThat(read("steadyjobs.jobs.InvoiceJobs.send.queue=mail", "steadyjobs.jobs.InvoiceJobs.send.retries=3",
				"steadyjobs.jobs.a.retries=0"))
			.containsOnly(Map.entry("InvoiceJobs.send", new JobSettings("mail", 3, null)),
					Map.entry("a", new JobSettings(null, 0, null)));
	}

	@Test
	void readWhenJobIsNotToBeKeptDeadSaysSo() {
		assertThat(read("steadyjobs.jobs.a.dead=false", "steadyjobs.jobs.a.retries=1", "steadyjobs.jobs.b.dead=true"))
			.containsOnly(Map.entry("a", new JobSettings(null, 1, false)),
					Map.entry("b", new JobSettings(null, null, true)));
	}

	@Test
	void readWhenYamlIsNestedFindsTheName() {
		JobsProperties properties = Bound.yaml("""
				steadyjobs:
				  jobs:
				    InvoiceJobs:
				      send: { queue: mail, retries: 3 }
				    InvoiceJobs.post:
				      queue: money
				    invoice_jobs.remind.retries: 1
				""");
		assertThat(JobOverrides.read(properties.jobs())).containsOnly(
				Map.entry("InvoiceJobs.send", new JobSettings("mail", 3, null)),
				Map.entry("InvoiceJobs.post", new JobSettings("money", null, null)),
				Map.entry("invoice_jobs.remind", new JobSettings(null, 1, null)));
	}

	@Test
	void readWhenNameHasOtherCharactersFindsItInBrackets() {
		assertThat(read("steadyjobs.jobs[invoice/send\\:now].queue=mail"))
			.containsOnly(Map.entry("invoice/send:now", new JobSettings("mail", null, null)));
	}

	@Test
	void readWhenNameEndsLikeAnAttributeTakesTheLastPartAsAttribute() {
		assertThat(read("steadyjobs.jobs.Jobs.queue.retries=2"))
			.containsOnly(Map.entry("Jobs.queue", new JobSettings(null, 2, null)));
	}

	@Test
	void readWhenValueIsAPlaceholderResolvesIt() {
		assertThat(read("where=mail", "steadyjobs.jobs.a.queue=${where}", "steadyjobs.jobs.a.retries=${n:4}"))
			.containsOnly(Map.entry("a", new JobSettings("mail", 4, null)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					steadyjobs.jobs.a.foo=1         | 'steadyjobs.jobs.a.foo' is '1'. A job has no attribute 'foo'. Use 'queue', 'retries' or 'dead'.
					steadyjobs.jobs.A.b.Queue=c     | 'steadyjobs.jobs.A.b.Queue' is 'c'. A job has no attribute 'Queue'. Use 'queue', 'retries' or 'dead'.
					steadyjobs.jobs.queue=mail      | 'steadyjobs.jobs.queue' is 'mail'. Name a job and an attribute of it, as in 'steadyjobs.jobs.InvoiceJobs.send.queue'.
					steadyjobs.jobs.a.retries=many  | 'steadyjobs.jobs.a.retries' is 'many'. Set it to a whole number, 0 or more.
					steadyjobs.jobs.a.retries=-1    | 'steadyjobs.jobs.a.retries' is '-1'. Set it to a whole number, 0 or more.
					steadyjobs.jobs.a.retries=1.5   | 'steadyjobs.jobs.a.retries' is '1.5'. Set it to a whole number, 0 or more.
					steadyjobs.jobs.a.retries=      | 'steadyjobs.jobs.a.retries' is ''. Set it to a whole number, 0 or more.
					steadyjobs.jobs.a.dead=no       | 'steadyjobs.jobs.a.dead' is 'no'. Set it to 'true' to keep the job when it is dead, or to 'false' to discard it.
					steadyjobs.jobs.a.queue=b c     | 'steadyjobs.jobs.a.queue' is 'b c'. Use 1 to 64 of the characters A-Za-z0-9_.- as the name of the queue.
					steadyjobs.jobs.a.queue=${gone} | 'steadyjobs.jobs.a.queue' is '${gone}'. Use 1 to 64 of the characters A-Za-z0-9_.- as the name of the queue.
					""")
	void readWhenPropertyIsBadSaysWhatToType(String line, String message) {
		assertThatExceptionOfType(JobsPropertyException.class).isThrownBy(() -> read(line)).withMessage(message);
	}

	private static Map<String, JobSettings> read(String... lines) {
		return JobOverrides.read(Bound.properties(lines).jobs());
	}

}
