package io.github.steadyjobs.server;

import java.util.List;

import io.github.steadyjobs.server.Capsule.Queue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the claims of a {@link ServedQueue}: how many jobs they ask for, which
 * numbers they have, and when they may wait in Redis.
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

	@Test
	void newClaimWhileAnotherCopyWaitsForAHintHasTheSameNumber() {
		ServedQueue queue = joined();
		queue.newWaitingClaim("p", "c", 7);
		assertThat(queue.unanswered()).isEqualTo(new Claim.Request("mail", "p", "c", 1, 1, 1, false, false));
		assertThat(queue.isWaiting()).isTrue();
		assertThat(queue.isUnderWay()).isFalse();
		assertThat(queue.expected(System.nanoTime())).as("expected runs").isZero();
		long sent = queue.firstSentAt();
		assertThat(claim(queue, 5, 4, false)).isEqualTo(new Claim.Request("mail", "p", "c", 1, 5, 4, false, false));
		assertThat(queue.isUnderWay()).isTrue();
		assertThat(queue.isWaiting()).isFalse();
		// Either copy may be the one that is answered, so the earlier limits apply.
		assertThat(queue.expectedSeq()).isEqualTo(7);
		assertThat(queue.firstSentAt()).isEqualTo(sent);
	}

	@Test
	void newClaimAfterTheClaimThatWaitedIsAnsweredHasTheNextNumber() {
		ServedQueue queue = joined();
		queue.newWaitingClaim("p", "c", 7);
		queue.answered(answer(Claim.Status.OK));
		assertThat(queue.unanswered()).isNull();
		assertThat(queue.answered()).isEqualTo(1);
		assertThat(claim(queue, 1, 1, false).number()).isEqualTo(2);
	}

	@Test
	void mayWaitWhenJobsRunAtMostOnceIsFalse() {
		ServedQueue queue = new ServedQueue(new Queue("mail", 1, true), "mail");
		queue.setJoined(true);
		assertThat(queue.mayWait()).isFalse();
	}

	@Test
	void mayWaitOnlyWhileTheQueueIsEmptyAndGivesJobs() {
		ServedQueue queue = joined();
		assertThat(queue.mayWait()).isTrue();
		queue.hint();
		assertThat(queue.mayWait()).as("with a hint").isFalse();
		claim(queue, 1, 1, false);
		assertThat(queue.mayWait()).as("while a claim is under way").isFalse();
		queue.answered(answer(Claim.Status.PAUSED));
		assertThat(queue.mayWait()).as("while paused").isFalse();
		queue.answered(answer(Claim.Status.OK));
		assertThat(queue.mayWait()).isTrue();
		queue.stop();
		assertThat(queue.mayWait()).as("while damaged").isFalse();
	}

	private static ServedQueue joined() {
		ServedQueue queue = new ServedQueue(new Queue("mail", 1), "mail");
		queue.setJoined(true);
		queue.fenced();
		return queue;
	}

	private static Claim answer(Claim.Status status) {
		return new Claim(status, 0, Claim.Rest.NONE, List.of());
	}

	private static Claim.Request claim(ServedQueue queue, int share, int atOnce, boolean forSuspect) {
		queue.newClaim("p", "c", share, atOnce, forSuspect, 0);
		return queue.unanswered();
	}

}
