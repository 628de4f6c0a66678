package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.arguments.JobJson;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobView}.
 */
class JobViewTests {

	private static final String STORED = """
			{"jid":"0123456789abcdef01234567","class":"Mail.send","args":["ada",{"account":12345678901234567890,\
			"rate":1.10,"note":null}],"queue":"mail","meta":{"tenant":"acme"},"error_class":"Oops",\
			"error_message":"The password is swordfish","retry":true,"own":"secret","created_at":1}""";

	private final JobPayload payload = JobPayload.read(JobJson.builder().build(),
			STORED.getBytes(StandardCharsets.UTF_8));

	@Test
	void storedHasAllFieldsInTheirOrderAndNumbersWithAllTheirDigits() {
		Map<String, Object> view = new JobView((key, value, showsValues) -> value).stored(this.payload, true);
		assertThat(view.keySet()).containsExactly("jid", "class", "args", "queue", "meta", "error_class",
				"error_message", "retry", "own", "created_at");
		assertThat(view.get("args").toString())
			.isEqualTo("[ada, {account=12345678901234567890, rate=1.10, note=null}]");
		assertThat(view).containsEntry("retry", true);
	}

	@Test
	void storedHidesWhatAnApplicationKeepsInItsJobs() {
		JobView hiding = new JobView((key, value, showsValues) -> showsValues ? value : "******");
		assertThat(hiding.stored(this.payload, false)).containsEntry("class", "Mail.send")
			.containsEntry("queue", "mail")
			.containsEntry("error_class", "Oops")
			.containsEntry("args", "******")
			.containsEntry("meta", "******")
			.containsEntry("error_message", "******")
			.containsEntry("own", "******");
	}

	@Test
	void storedAsksTheSanitizerByTheSameKeysAsTheRest() {
		JobView view = new JobView((key, value, showsValues) -> switch (key) {
			case "arguments[1].account", "meta.tenant", "errorMessage" -> "***";
			default -> value;
		});
		assertThat(view.stored(this.payload, true).toString()).contains("account=***", "tenant=***",
				"error_message=***", "own=secret");
	}

}
