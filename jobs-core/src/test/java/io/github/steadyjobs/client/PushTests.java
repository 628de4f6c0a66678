package io.github.steadyjobs.client;

import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.redis.RedisErrors;
import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Push}.
 */
class PushTests {

	@Test
	void failedSaysWhatIsTrueInRedis() {
		assertThat(outcome(new JobStoreUnavailableException("refused", null))).isEqualTo(Outcome.NOT_SENT);
		assertThat(outcome(new JobStoreTimeoutException("no answer", null))).isEqualTo(Outcome.DOUBTFUL);
		assertThat(outcome("LOADING Redis is loading")).isEqualTo(Outcome.REFUSED);
		assertThat(outcome("OOM command not allowed")).isEqualTo(Outcome.REFUSED);
		// This error can occur in the middle of a script, after other commands of the
		// script have already run.
		assertThat(outcome("NOPERM no permissions to run the 'lpush' command")).isEqualTo(Outcome.DOUBTFUL);
	}

	private static Outcome outcome(String error) {
		return outcome(RedisErrors.translate(new RedisCommandExecutionException(error)));
	}

	private static Outcome outcome(JobStoreException failure) {
		Push push = new Push(1);
		push.failed(0, 1, failure);
		return push.outcomes()[0];
	}

}
