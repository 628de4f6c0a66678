package io.github.steadyjobs.server;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.client.LockKind.UNTIL_EXECUTING;
import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.named;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code pause.lua}, for {@code unpark.lua} after a pause, and for the effect
 * of pauses on other scripts.
 */
class PauseScriptIntegrationTests extends AbstractScriptTests {

	PauseScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void pauseWhenQueueKnowsALaterVersionIsNotHeeded() {
		assertThat(this.queue.tellPauses(5, "5 0 -", "5 0 - Mail.send")).isEqualTo("D");
		assertThat(this.queue.tellPauses(7, "")).isEqualTo("D");
		assertThat(this.queue.tellPauses(5, "5 0 -", "5 0 - Mail.send")).isEqualTo("S");
		assertThat(this.queue.tellPauses(7, "7 0 -")).isEqualTo("S");
		assertThat(this.queue.hash("meta")).isEqualTo(Map.of("pauses", "7"));
	}

	@Test
	void pauseWhenRepeatedChangesNothing() {
		assertRepeatable(() -> this.queue.tellPauses(5, "5 0 -", "5 0 - Mail.send"));
	}

	@Test
	void pauseWhenLayoutIsNewerIsRefused() {
		this.queue.set("meta", "schema", "3");
		assertThat(this.queue.tellPauses(5, "5 0 -")).isEqualTo("UPGRADE");
		assertThat(this.queue.hash("meta")).isEqualTo(Map.of("schema", "3"));
	}

	@Test
	void pauseWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(ScriptFixture.PAUSE, (queue) -> queue.tellPauses(5, "5 0 -"),
				(queue) -> queue.tellPauses(6, ""), "meta");
	}

	@Test
	@DisplayName("SK-31: a resumed queue leaves a token, so that workers continue immediately")
	void pauseWhenQueueIsResumedLeavesAToken() {
		this.queue.join(PROCESS);
		this.queue.tellPauses(5, "5 0 -");
		this.queue.enqueue(1);
		assertThat(this.queue.has("wake")).isFalse();
		assertThat(this.queue.claim(1).status()).isEqualTo(Claim.Status.PAUSED);
		this.queue.tellPauses(6, "");
		assertThat(this.queue.list("wake")).hasSize(1);
		assertThat(this.queue.claim(1).jobs()).hasSize(1);
	}

	@Test
	void pauseWhenQueueWasNotPausedLeavesNoToken() {
		this.queue.tellPauses(6, "", "5 0 - Mail.send");
		assertThat(this.queue.has("wake")).isFalse();
	}

	@Test
	void claimWhenPauseHasAnEndTellsIt() {
		this.queue.join(PROCESS);
		this.queue.tellPauses(5, "5 " + (this.queue.now() + HOUR) + " -");
		Claim claim = this.queue.claim(1);
		assertThat(claim.status()).isEqualTo(Claim.Status.PAUSED);
		assertThat(claim.rest().untilDue()).isBetween(HOUR - 60_000, HOUR);
		assertThat(claim.rest().rules()).isEqualTo(5);
		assertThat(this.queue.beat(PROCESS, false).hasJobs()).isFalse();
	}

	@Test
	void claimWhenPauseHasEndedGivesJobs() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2);
		this.queue.template().delete(this.queue.key("wake"));
		this.queue.set("meta", "paused", "5 1 -");
		assertThat(this.queue.beat(PROCESS, false).hasJobs()).isTrue();
		assertThat(this.queue.claim(1).jobs()).hasSize(1);
		assertThat(this.queue.hash("meta")).doesNotContainKeys("paused", "probe");
		assertThat(this.queue.list("wake")).hasSize(1);
	}

	@Test
	void claimWhenPauseEndsWithATrialGivesOneJobAndGoesOnToBePaused() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2, 3);
		this.queue.tellPauses(5, "5 1 p");
		Claim claim = this.queue.claim(3);
		assertThat(claim.jobs()).extracting(ClaimedJob::id).containsExactly(id(1));
		Claim next = this.queue.claim(3);
		assertThat(next.status()).isEqualTo(Claim.Status.PAUSED);
		assertThat(next.rest().untilDue()).isBetween(1L, 60_000L);
		// The queue learns of another pause, while the first pause stays unchanged.
		this.queue.tellPauses(6, "5 1 p", "6 0 - Mail.send");
		assertThat(this.queue.claim(3).status()).isEqualTo(Claim.Status.PAUSED);
		this.queue.tellPauses(7, "");
		assertThat(this.queue.claim(3).jobs()).hasSize(2);
	}

	@Test
	void claimWhenThereIsNothingToTryTriesTheNextJob() {
		this.queue.join(PROCESS);
		this.queue.tellPauses(5, "5 1 p");
		assertThat(this.queue.claim(3).status()).isEqualTo(Claim.Status.OK);
		this.queue.enqueue(1, 2);
		assertThat(this.queue.list("wake")).isNotEmpty();
		this.queue.tellPauses(6, "5 1 p", "6 0 - Mail.send");
		assertThat(this.queue.claim(3).jobs()).extracting(ClaimedJob::id).containsExactly(id(1));
		assertThat(this.queue.claim(3).status()).isEqualTo(Claim.Status.PAUSED);
	}

	@Test
	void claimOfNothingWhenPauseEndsWithATrialLeavesTheTrialToTheNextClaim() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2);
		this.queue.tellPauses(5, "5 1 p");
		assertThat(this.queue.claim(0).jobs()).isEmpty();
		assertThat(this.queue.claim(3).jobs()).extracting(ClaimedJob::id).containsExactly(id(1));
		assertThat(this.queue.claim(3).status()).isEqualTo(Claim.Status.PAUSED);
	}

	@Test
	void claimWhenNamesArePausedParksTheirJobs() {
		this.queue.join(PROCESS);
		this.queue.enqueue(named(1, "Mail.send"), named(2, "Bill.print"), named(3, "Mail.send"),
				named(4, "Mail.sendAll"));
		this.queue.tellPauses(5, "", "5 0 - Mail.send", "4 0 - Größe.büro");
		assertThat(this.queue.claim(10).jobs()).extracting(ClaimedJob::id).containsExactly(ids(2, 4));
		assertThat(this.queue.hash("parked")).isEqualTo(Map.of(id(1), "paused:Mail.send", id(3), "paused:Mail.send"));
		assertThat(this.queue.stat("paused")).isEqualTo(2);
		assertThat(this.queue.stat("parked")).isZero();
		this.queue.enqueue(named(5, "Größe.büro"));
		assertThat(this.queue.claim(10).jobs()).isEmpty();
		assertThat(this.queue.hash("parked")).containsEntry(id(5), "paused:Größe.büro");
	}

	@Test
	void claimWhenPausedJobHasALockKeepsIt() {
		this.queue.join(PROCESS);
		NewJob job = named(1, "Mail.send");
		NewJob locked = new NewJob(job.id(), job.payload(), null, UNTIL_EXECUTING.lock(HOUR, "d"), null, null);
		this.queue.enqueue(locked);
		this.queue.tellPauses(5, "", "5 0 - Mail.send");
		assertThat(this.queue.claim(1).jobs()).isEmpty();
		assertThat(this.queue.hash("locks")).containsOnlyKeys("d");
		this.queue.tellPauses(6, "");
		assertThat(this.queue.unpause()).isEqualTo(1);
		assertThat(this.queue.claim(1).jobs()).hasSize(1);
		assertThat(this.queue.has("locks")).isFalse();
	}

	@Test
	void claimWhenRepeatedAfterParkingGivesTheSame() {
		this.queue.join(PROCESS);
		this.queue.enqueue(named(1, "Mail.send"), named(2, "Bill.print"));
		this.queue.tellPauses(5, "", "5 0 - Mail.send");
		Claim claim = this.queue.claim(PROCESS, 1, 10, 200);
		Map<String, Object> once = this.queue.contents();
		assertThat(this.queue.claim(PROCESS, 1, 10, 200).jobs()).extracting(ClaimedJob::id)
			.containsExactlyElementsOf(claim.jobs().stream().map(ClaimedJob::id).toList());
		assertThat(this.queue.contents()).isEqualTo(once);
	}

	@Test
	void claimWhenManyArePausedWorksThroughBoundedSteps() {
		this.queue.join(PROCESS);
		this.queue
			.enqueue(IntStream.rangeClosed(1, 450).mapToObj((job) -> named(job, "Mail.send")).toArray(NewJob[]::new));
		this.queue.enqueue(named(451, "Bill.print"));
		this.queue.tellPauses(5, "", "5 0 - Mail.send");
		assertThat(this.queue.claim(1).rest().ready()).isEqualTo(251);
		assertThat(this.queue.claim(1).rest().ready()).isEqualTo(51);
		assertThat(this.queue.claim(1).jobs()).extracting(ClaimedJob::id).containsExactly(id(451));
	}

	@Test
	void claimWhenPauseOfANameEndsWithATrialGivesOneOfThem() {
		this.queue.join(PROCESS);
		this.queue.enqueue(named(1, "Mail.send"), named(2, "Mail.send"), named(3, "Bill.print"));
		this.queue.tellPauses(5, "", "5 1 p Mail.send");
		assertThat(this.queue.claim(10).jobs()).extracting(ClaimedJob::id).containsExactly(ids(1, 3));
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(2));
		assertThat(this.queue.unpause()).isZero();
		this.queue.tellPauses(6, "", "5 1 p Mail.send", "6 0 - Other.job");
		assertThat(this.queue.unpause()).isZero();
	}

	@Test
	void unparkWhenPauseIsOverPutsTheOldestInFrontAndWakesWorkers() {
		parked(3, 1, 2);
		this.queue.enqueue(4);
		this.queue.template().delete(this.queue.key("wake"));
		this.queue.tellPauses(6, "");
		assertThat(this.queue.unpause()).isEqualTo(3);
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3, 4));
		assertThat(this.queue.has("parked")).isFalse();
		assertThat(this.queue.list("wake")).hasSize(3);
		assertThat(this.queue.unpause()).isZero();
	}

	@Test
	void unparkWhenPauseStandsOrReasonIsAnotherLeavesJobs() {
		parked(1);
		this.queue.working(2);
		this.queue.park(2, 1, "unknown:Mail.send");
		this.queue.tellPauses(5, "", "5 0 - Mail.send");
		assertThat(this.queue.unpause()).isZero();
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(1), id(2));
	}

	@Test
	void unparkWhenPauseEndsWithATrialLetsTheOldestGoOnce() {
		parked(3, 1, 2);
		this.queue.tellPauses(5, "", "5 1 p Mail.send");
		List<Object> answer = this.queue.run(ScriptFixture.UNPARK, "0", 1000);
		assertThat((List<?>) answer.get(4)).map(Answers::utf8).isEqualTo(List.of("Mail.send"));
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(this.queue.unpark("0", 1000, "tried:Mail.send")).isEqualTo(List.of("0", 0L));
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(2), id(3));
	}

	@Test
	void unparkWhenPausesCannotBeReadLeavesJobs() {
		parked(1);
		this.queue.spoil(this.queue.key("meta"));
		assertThat(this.queue.unpause()).isZero();
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(1));
	}

	@Test
	void parkWhenQueueDoesNotKnowThePauseSetsTheJobAside() {
		this.queue.working(1);
		assertThat(this.queue.parkPaused(1, 1, "Mail.send", 5)).isEqualTo("D");
		assertThat(this.queue.hash("parked")).isEqualTo(Map.of(id(1), "paused:Mail.send"));
		assertThat(this.queue.stat("paused")).isEqualTo(1);
	}

	@Test
	void parkWhenQueueKnowsThatThePauseIsOverPutsTheJobBack() {
		this.queue.working(1);
		this.queue.enqueue(2);
		this.queue.tellPauses(6, "", "6 0 - Bill.print");
		assertThat(this.queue.parkPaused(1, 1, "Mail.send", 5)).isEqualTo("D");
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
		assertThat(this.queue.has("parked")).isFalse();
		assertThat(this.queue.list("wake")).isNotEmpty();
	}

	@Test
	void parkWhenQueueKnowsThePauseSetsTheJobAside() {
		this.queue.working(1);
		this.queue.tellPauses(6, "", "5 0 - Mail.send");
		assertThat(this.queue.parkPaused(1, 1, "Mail.send", 5)).isEqualTo("D");
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(1));
	}

	@Test
	void beatTellsTheVersionThatTheQueueKnows() {
		assertThat(this.queue.join(PROCESS).rules()).isZero();
		this.queue.tellPauses(5, "");
		assertThat(this.queue.beat(PROCESS, false).rules()).isEqualTo(5);
		assertThat(this.queue.beat(PROCESS, false).counters()).containsOnlyKeys(PROCESS);
	}

	@Test
	void recoverWhenANameIsPausedLeavesItToTheNextClaim() {
		this.queue.join(PROCESS);
		this.queue.enqueue(named(1, "Mail.send"));
		this.queue.claim(1);
		this.queue.tellPauses(5, "", "5 0 - Mail.send");
		this.queue.recover(PROCESS);
		this.queue.join("p2");
		assertThat(this.queue.claim("p2", 1, 10, 200).jobs()).isEmpty();
		assertThat(this.queue.hash("parked")).containsOnlyKeys(id(1));
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("A");
	}

	private void parked(int... jobs) {
		parked(this.queue, jobs);
	}

	/**
	 * Park jobs for a pause that is not known to the queue.
	 */
	private static void parked(ScriptFixture queue, int... jobs) {
		queue.join(PROCESS);
		List<NewJob> all = IntStream.of(jobs).mapToObj((job) -> named(job, "Mail.send")).toList();
		queue.enqueue(all.toArray(NewJob[]::new));
		queue.claim(PROCESS, "other", 1, jobs.length, 200);
		for (int job : jobs) {
			queue.settle(PROCESS, "paused", job, "other/1", "", "paused:Mail.send", 9);
		}
	}

}
