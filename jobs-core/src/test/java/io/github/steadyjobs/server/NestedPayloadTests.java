package io.github.steadyjobs.server;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.definition.RetryRules;
import io.github.steadyjobs.ordered.Form;
import io.github.steadyjobs.ordered.Forms;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.Outcome.Failed;
import io.github.steadyjobs.server.Outcome.Retry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for payloads of other programs that are nested deeply, some of them more deeply
 * than this library allows. Each payload that can be read can also be written again. A
 * payload that cannot be read is kept unchanged when its job goes to the dead set.
 */
class NestedPayloadTests {

	/** The maximum depth of the argument array, which is one level below the job. */
	private static final int DEEPEST = 63;

	private static final String ENVELOPE = """
			{"jid":"019b76daa800a51c2d3e4f50","class":"a","args":[],"queue":"q","retry":true,"created_at":1,"enqueued_at":1}""";

	private final PayloadCodec codec = new PayloadCodec(WorkerFixture.JSON);

	private final JobRetry retry = new JobRetry((count, job, failure) -> Duration.ofSeconds(1), this.codec,
			Clock.systemUTC(), 25, 5);

	@ParameterizedTest
	@ValueSource(ints = { 60, 61, 62, 63, 64, 65, 66, 70, 999, 1000, 1001 })
	@DisplayName("SK-37: a failed job can be written again if it can be read")
	void decideWhenArgumentsAreNestedWritesThemOrSaysThatNobodyCan(int depth) {
		String scanned = ENVELOPE.replace("[]", nested(depth));
		for (String stored : new String[] { scanned, scanned.replace(",\"queue\"", ", \"queue\"") }) {
			if (depth <= DEEPEST) {
				Retry retried = (Retry) decide(stored);
				assertThat(this.codec.read(retried.payload()).arguments()).hasToString(nested(depth));
			}
			else {
				assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> decide(stored));
			}
		}
	}

	private Failed decide(String stored) {
		return this.retry.decide(this.codec.read(stored.getBytes(StandardCharsets.UTF_8)), RetryRules.DEFAULT,
				new IllegalStateException());
	}

	@ParameterizedTest
	@ValueSource(ints = { 60, 61, 62, 63, 64, 65, 66, 70, 999, 1000, 1001 })
	@DisplayName("SK-37: a payload of a key that dies is written as JSON, or kept as text")
	void withoutWhenPayloadOfAKeyIsNestedWritesItOrKeepsItAsText(int depth) {
		Form payloads = Forms.read(this.codec, "q#0", Gathered.write(ENVELOPE.getBytes(StandardCharsets.UTF_8), "1",
				nested(depth).getBytes(StandardCharsets.UTF_8)));
		Failed death = this.retry.decide(payloads.job(), RetryRules.DEFAULT, new KillJobException("on purpose"));
		JobPayload dead = this.codec.read(payloads.without(death.failure().job(), () -> "b", 1).dead().payload());
		if (depth <= DEEPEST) {
			assertThat(dead.arguments()).hasToString(nested(depth));
		}
		else {
			assertThat(dead.field("unreadable").stringValue()).isEqualTo(nested(depth));
		}
	}

	private static String nested(int depth) {
		return "[".repeat(depth) + "]".repeat(depth);
	}

}
