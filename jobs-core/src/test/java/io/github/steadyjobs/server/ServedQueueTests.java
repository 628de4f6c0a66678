package io.github.steadyjobs.server;

import io.github.steadyjobs.server.Capsule.Queue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the number of jobs that a {@link ServedQueue} claims.
 */
class ServedQueueTests {

	@Test
	@DisplayName("LK-27: a claim requests as many keys as its runs can take in all")
	void newClaimWhenRunsTakeBatchesAsksForSoManyMoreJobs() {
		ServedQueue queue = new ServedQueue(Queue.inParts("orders", 1, 5, 10), "orders#3");
		assertThat(claim(queue, 7, 4, false))
			.isEqualTo(new Claim.Request("orders#3", "p", "c", 1, 70, 40, false, false));
		assertThat(queue.expected(System.nanoTime())).as("expected runs").isEqualTo(7);
	}

	@Test
	void newClaimWhenItIsForASuspectAsksForOne() {
		ServedQueue queue = new ServedQueue(Queue.inParts("orders", 1, 5, 10), "orders#3");
		assertThat(claim(queue, 1, 1, true)).isEqualTo(new Claim.Request("orders#3", "p", "c", 1, 1, 1, false, true));
	}

	@Test
	void newClaimWhenJobsAreNotOrderedAsksForItsShare() {
		ServedQueue queue = new ServedQueue(new Queue("mail", 1, true), "mail");
		assertThat(claim(queue, 7, 4, false)).isEqualTo(new Claim.Request("mail", "p", "c", 1, 7, 4, true, false));
		assertThat(queue.batchSize()).isEqualTo(1);
	}

	private static Claim.Request claim(ServedQueue queue, int share, int atOnce, boolean forSuspect) {
		queue.newClaim("p", "c", share, atOnce, forSuspect, 0);
		return queue.unanswered();
	}

}
