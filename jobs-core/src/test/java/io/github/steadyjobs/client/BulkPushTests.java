package io.github.steadyjobs.client;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.ScriptFixture;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BulkPush}.
 */
class BulkPushTests {

	@Test
	void endOfChunkIsAfterThousandJobsOrAMegabyte() {
		List<NewJob> jobs = IntStream.range(0, 1500).mapToObj((number) -> ScriptFixture.job(number % 500)).toList();
		assertThat(BulkPush.endOfChunk(jobs, 0)).isEqualTo(1000);
		assertThat(BulkPush.endOfChunk(jobs, 1000)).isEqualTo(1500);
		NewJob large = new NewJob(ScriptFixture.id(1), new byte[300_000], null);
		assertThat(BulkPush.endOfChunk(Collections.nCopies(10, large), 0)).isEqualTo(3);
	}

}
