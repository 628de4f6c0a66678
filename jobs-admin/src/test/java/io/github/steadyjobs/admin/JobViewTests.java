package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

import io.github.steadyjobs.JobFailure;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.arguments.JobJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
	void messagesInTheHistoryAreHiddenAsThatOfTheLastFailure() {
		JobPayload failed = this.payload
			.withFailure(new JobFailure(Instant.EPOCH, "Oops", "The password is swordfish", "host:1:2.1", null))
			.with((json) -> json.withArray("attempts").addObject().put("class", "B").put("own", "secret"));
		assertThat(new JobView((key, value, showsValues) -> value).stored(failed, true).get("attempts"))
			.hasToString("[{at=0, class=Oops, message=The password is swordfish, process=host:1:2.1}, "
					+ "{class=B, own=secret}]");
		assertThat(new JobView((key, value, showsValues) -> showsValues ? value : "***").stored(failed, false)
			.get("attempts")).hasToString("[{at=0, class=Oops, message=***, process=host:1:2.1}, {class=B, own=***}]");
		JobView view = new JobView((key, value, showsValues) -> key.equals("errorMessage") ? "***" : value);
		assertThat(view.stored(failed, true).get("attempts"))
			.hasToString("[{at=0, class=Oops, message=***, process=host:1:2.1}, {class=B, own=secret}]");
		JobEntry entry = new JobEntry("a", "mail", JobPlace.DEAD, null, "", failed, 1);
		JobDetails details = new JobDetails(entry, JobDetails.Reason.DEAD, "", "", 0, "", null);
		assertThat(view.of(details, true).get("failures"))
			.hasToString("[{time=1970-01-01T00:00:00Z, errorClass=Oops, errorMessage=***, process=host:1:2.1}]");
		assertThat(view.of(entry, true)).doesNotContainKey("failures");
	}

	@ParameterizedTest
	@ValueSource(strings = { "[7]", "'secret'", "{'a':'secret'}", "[['secret']]" })
	void historyThatIsNoneIsAValueLikeAnyOther(String attempts) {
		JobPayload odd = JobPayload.read(JobJson.builder().build(),
				STORED.replace("\"own\"", "\"attempts\":%s,\"own\"".formatted(attempts.replace('\'', '"')))
					.getBytes(StandardCharsets.UTF_8));
		assertThat(new JobView((key, value, showsValues) -> showsValues ? value : "***").stored(odd, false))
			.containsEntry("attempts", "***");
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
