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

	private static final Destination SHARD = new Destination.Shard("q#0", 1);

	private static final List<NewJob> OF_ONE_KEY = Collections.nCopies(250, ScriptFixture.job(1));

	@Test
	void endOfChunkWhenPayloadsAreOfOneKeyIsAfterHundred() {
		assertThat(BulkPush.endOfChunk(SHARD, OF_ONE_KEY, 0)).isEqualTo(100);
		assertThat(BulkPush.endOfChunk(SHARD, OF_ONE_KEY, 100)).isEqualTo(200);
		assertThat(BulkPush.endOfChunk(SHARD, OF_ONE_KEY, 200)).isEqualTo(250);
	}

	@Test
	void endOfChunkWhenPayloadsAreOfManyKeysIsAfterThousand() {
		List<NewJob> jobs = IntStream.range(0, 1500).mapToObj((number) -> ScriptFixture.job(number % 500)).toList();
		assertThat(BulkPush.endOfChunk(SHARD, jobs, 0)).isEqualTo(1000);
		assertThat(BulkPush.endOfChunk(new Destination.Queue("q"), jobs, 0)).isEqualTo(1000);
	}

}
