package io.github.steadyjobs.server;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

import io.github.steadyjobs.JobFailure;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.definition.RetryRules;
import io.github.steadyjobs.ordered.Form;
import io.github.steadyjobs.ordered.Forms;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.JobSchema;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.Outcome.Failed;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the payloads stored by {@link JobRetry} match {@code docs/job.schema.json},
 * and which failures remain if one payload of a key dies (SK-47, SK-51).
 */
class FailedPayloadTests {

	private static final long NOW = 1767225600000L;

	private final PayloadCodec codec = new PayloadCodec(JobJson.builder().build());

	@Test
	void retryWhenFailedFirstMatchesSchema() {
		byte[] payload = retried(fresh(2), new IllegalStateException("boom"));
		JobSchema.assertMatches(payload);
		assertThat(this.codec.read(payload).json().propertyNames()).containsExactly("jid", "class", "args", "queue",
				"retry", "created_at", "enqueued_at", "retry_count", "failed_at", "error_class", "error_message", "at");
		assertThat(this.codec.read(payload).at()).isEqualTo(Instant.ofEpochMilli(NOW + 15_000));
	}

	@Test
	void retryWhenFailedAgainMatchesSchema() {
		JobPayload failed = this.codec.read(retried(fresh(2), new IllegalStateException("boom")));
		byte[] payload = retried(failed, new IllegalStateException());
		JobSchema.assertMatches(payload);
		assertThat(this.codec.read(payload).json().propertyNames()).contains("failed_at", "retried_at");
		assertThat(this.codec.read(payload).attempts()).isEqualTo(2);
		assertThat(this.codec.read(payload).errorMessage()).isEmpty();
	}

	@Test
	void buryWhenNoRetryIsLeftMatchesSchema() {
		Outcome outcome = retry(3).decide(fresh(0), RetryRules.DEFAULT, new IllegalStateException("x".repeat(100_000)));
		assertThat(outcome).isInstanceOfSatisfying(Outcome.Dead.class, (dead) -> {
			JobSchema.assertMatches(dead.payload());
			JobPayload payload = this.codec.read(dead.payload());
			assertThat(payload.json().propertyNames()).endsWith("error_backtrace").doesNotContain("at");
			assertThat(payload.field("error_backtrace").size()).isEqualTo(3);
		});
	}

	@Test
	void historyMatchesSchema() {
		JobPayload job = fresh(2);
		for (int number = 0; number < 12; number++) {
			job = job.withFailure(failure("no. " + number))
				.withFailure(new JobFailure(Instant.EPOCH, "A", "", "", null));
			JobSchema.assertMatches(this.codec.write(job));
		}
	}

	@Test
	void payloadOfAKeyThatDiesTakesItsOwnFailuresAlong() {
		JobPayload key = fresh(2).withFailure(failure("of one before"))
			.withFailure(failure("first"))
			.with((json) -> json.put("retry_count", 0).put("key", "k"));
		byte[] stored = (new String(this.codec.write(key), StandardCharsets.UTF_8) + "\n1 [1]\n2 [2]\n")
			.getBytes(StandardCharsets.UTF_8);
		Form form = Forms.read(this.codec, "q#0", stored);
		Failed death = retry(0).decide(form.job().withFailure(failure("second")), RetryRules.DEFAULT,
				new KillJobException("second"));
		Form.Rest rest = form.without(death.failure().job(), () -> "b", NOW);
		assertThat(messages(this.codec.read(rest.dead().payload()))).containsExactly("first", "second");
		assertThat(messages(this.codec.read(Gathered.read(rest.rest()).envelope()))).containsExactly("of one before");
		// If a payload is discarded, its failures are discarded too.
		Form.Rest forgotten = form.without(null, () -> "b", NOW);
		assertThat(messages(this.codec.read(Gathered.read(forgotten.rest()).envelope())))
			.containsExactly("of one before");
	}

	@Test
	void payloadOfAKeyThatCannotBeReadLeavesTheKeyItsFailures() {
		byte[] envelope = this.codec
			.write(fresh(2).withFailure(failure("first")).with((json) -> json.put("retry_count", 0)));
		byte[] stored = (new String(envelope, StandardCharsets.UTF_8) + "\n1 [1]\n2 [{]\n")
			.getBytes(StandardCharsets.UTF_8);
		Form.Rest rest = Forms.read(this.codec, "q#0", stored).withoutUnreadable(() -> "b", NOW);
		assertThat(messages(this.codec.read(rest.dead().payload()))).isEmpty();
		assertThat(messages(this.codec.read(Gathered.read(rest.rest()).envelope()))).containsExactly("first");
	}

	private static List<String> messages(JobPayload job) {
		return job.failures().stream().map(JobFailure::message).toList();
	}

	private static JobFailure failure(String message) {
		return new JobFailure(Instant.ofEpochMilli(NOW), "java.io.IOException", message, "host:1:2.1", Duration.ZERO);
	}

	private byte[] retried(JobPayload job, Throwable failure) {
		Outcome outcome = retry(0).decide(job, RetryRules.DEFAULT, failure);
		assertThat(outcome).isInstanceOf(Outcome.Retry.class);
		return ((Outcome.Retry) outcome).payload();
	}

	private JobRetry retry(int backtraceLines) {
		return new JobRetry(RetryDelay.exactly((count, job, failure) -> Duration.ofSeconds(15)), this.codec,
				Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC), 25, backtraceLines);
	}

	private JobPayload fresh(int retries) {
		return this.codec.read(
				this.codec
					.write("019b76daa800a51c2d3e4f50", "a", List.of(1),
							JobRequest.named("a").queue("mail").retries(retries).options(), NOW, null)
					.json());
	}

}
