package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.server.ScriptFixture.CAPSULE;
import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.holder;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static io.github.steadyjobs.server.ScriptFixture.locked;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@code claim.lua} (UL-01).
 */
class ClaimScriptIntegrationTests extends AbstractScriptTests {

	private final long begin;

	ClaimScriptIntegrationTests(TestRedis redis) {
		super(redis);
		this.begin = this.queue.now();
	}

	@Test
	@DisplayName("AMB-11, UL-01, UL-04: first in, first out")
	void claimWhenJobsAreReadyGivesTheOldestFirst() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2, 3);
		Claim claim = this.queue.claim(PROCESS, 1, 2, 200);
		assertThat(idsOf(claim)).containsExactly(ids(1, 2));
		assertThat(claim.jobs()).extracting((job) -> new String(job.payload())).containsExactly(payload(1), payload(2));
		assertThat(claim.status()).isEqualTo(Claim.Status.OK);
		assertThat(claim.rest().ready()).isEqualTo(1);
		assertThat(claim.rest().untilDue()).isEqualTo(-1);
		assertThat(this.queue.ready()).containsExactly(id(3));
		assertThat(this.queue.hash("working")).isEqualTo(Map.of(id(1), holder(1), id(2), holder(1)));
		assertThat(this.queue.hash("claims")).isEqualTo(Map.of(PROCESS + "/" + CAPSULE, "1 " + id(1) + " " + id(2)));
		assertThat(this.queue.hash("payloads")).hasSize(3);
	}

	@Test
	void claimTellsRedisTime() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1);
		long earlier = this.queue.now();
		assertThat(this.queue.claim(1).jobs().get(0).claimedAt()).isBetween(earlier, this.queue.now());
	}

	@Test
	void claimWhenQueueIsEmptyGivesNothing() {
		this.queue.join(PROCESS);
		Claim claim = this.queue.claim(PROCESS, 1, 5, 200);
		assertThat(claim).isEqualTo(new Claim(Claim.Status.OK, claim.seq(), Claim.Rest.NONE, List.of()));
		assertThat(this.queue.contents()).containsOnlyKeys("beats", "meta", "claims");
		assertThat(this.queue.hash("claims")).isEqualTo(Map.of(PROCESS + "/" + CAPSULE, "1"));
	}

	@Test
	void claimWhenFewerAreReadyThanWantedGivesThem() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2);
		assertThat(idsOf(this.queue.claim(10))).containsExactly(ids(1, 2));
	}

	@Test
	void claimWhenTwoHundredAreWantedGivesThemInOrder() {
		this.queue.join(PROCESS);
		this.queue.enqueue(jobs(1, 250));
		assertThat(idsOf(this.queue.claim(200))).containsExactly(ids(IntStream.rangeClosed(1, 200).toArray()));
		assertThat(idsOf(this.queue.claim(200))).containsExactly(ids(IntStream.rangeClosed(201, 250).toArray()));
	}

	@Test
	void claimWhenThousandAreWantedGivesThem() {
		this.queue.join(PROCESS);
		this.queue.enqueue(jobs(1, 1000));
		assertThat(this.queue.claim(PROCESS, 1, 1000, 1000).jobs()).hasSize(1000);
		assertThat(this.queue.claim(PROCESS, 1, 1000, 1000).jobs()).hasSize(1000);
		assertThat(this.queue.hash("working")).hasSize(1000);
	}

	// Repeated and late calls

	@Test
	void claimWhenRepeatedGivesTheSameAndChangesNothing() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2, 3);
		List<List<String>> answers = new ArrayList<>();
		assertRepeatable(() -> answers.add(idsOf(this.queue.claim(PROCESS, 1, 2, 200))));
		assertThat(answers).containsOnly(List.of(ids(1, 2)));
	}

	@Test
	void claimWhenEmptyAndRepeatedGivesNothingAgain() {
		this.queue.join(PROCESS);
		this.queue.claim(PROCESS, 1, 2, 200);
		this.queue.enqueue(1);
		assertThat(this.queue.claim(PROCESS, 1, 2, 200).jobs()).isEmpty();
		assertThat(this.queue.ready()).containsExactly(id(1));
	}

	@Test
	void claimOfNothingBeforeAnotherCopyKeepsThatFromGettingJobs() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1);
		assertRepeatable(() -> assertThat(this.queue.claim(PROCESS, 1, 0, 200).jobs()).isEmpty());
		assertThat(this.queue.claim(PROCESS, 1, 1, 200).jobs()).isEmpty();
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(idsOf(this.queue.claim(PROCESS, 2, 1, 200))).containsExactly(id(1));
	}

	@Test
	void claimOfNothingAfterAnotherCopyGivesItsJobs() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2);
		this.queue.claim(PROCESS, 1, 1, 200);
		assertRepeatable(() -> assertThat(idsOf(this.queue.claim(PROCESS, 1, 0, 200))).containsExactly(id(1)));
	}

	@Test
	void claimOfNothingMakesDueJobsReadyAndTellsWaitingWorkers() {
		this.queue.join(PROCESS);
		due("scheduled", 1, 300);
		assertThat(this.queue.claim(PROCESS, 1, 0, 200).rest().ready()).isEqualTo(1);
		assertThat(this.queue.list("wake")).hasSize(1);
	}

	@Test
	void claimWhenRepeatedAfterSomeEndedGivesTheRest() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2, 3);
		this.queue.claim(PROCESS, 1, 3, 200);
		this.queue.acknowledge(PROCESS, id(2), token(1));
		assertThat(idsOf(this.queue.claim(PROCESS, 1, 3, 200))).containsExactly(ids(1, 3));
	}

	@Test
	void claimWhenRepeatedAfterJobWentToAnotherDoesNotGiveIt() {
		this.queue.join(PROCESS);
		this.queue.join("p2");
		this.queue.enqueue(1, 2);
		this.queue.claim(PROCESS, 1, 2, 200);
		this.queue.requeue(PROCESS, id(1), token(1));
		this.queue.claim("p2", 1, 1, 200);
		assertThat(idsOf(this.queue.claim(PROCESS, 1, 2, 200))).containsExactly(id(2));
		assertThat(this.queue.hash("working")).containsEntry(id(1), "p2/" + token(1));
	}

	@Test
	void claimWhenRepeatedAfterJobWasCancelledGivesItWithoutPayloadAndEndsNothing() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2);
		this.queue.claim(PROCESS, 1, 2, 200);
		this.queue.cancel(1);
		Map<String, Object> before = this.queue.contents();
		for (int copy = 0; copy < 2; copy++) {
			assertThat(this.queue.claim(PROCESS, 1, 2, 200).jobs()).extracting(ClaimedJob::id, ClaimedJob::payload)
				.containsExactly(tuple(id(1), null), tuple(id(2), payload(2).getBytes()));
		}
		assertThat(this.queue.contents()).isEqualTo(before);
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("D");
		assertThat(idsOf(this.queue.claim(PROCESS, 1, 2, 200))).containsExactly(id(2));
		assertThat(this.queue.has("cancelled")).isFalse();
	}

	@Test
	void claimWhenRepeatedWhilePausedGivesTheSame() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1);
		this.queue.claim(PROCESS, 1, 1, 200);
		this.queue.pause();
		assertThat(idsOf(this.queue.claim(PROCESS, 1, 1, 200))).containsExactly(id(1));
	}

	@Test
	void claimWhenRepeatedTellsWhatIsLeftAndDue() {
		this.queue.join(PROCESS);
		this.queue.enqueue(job(1), job(2), job(3, HOUR));
		this.queue.claim(PROCESS, 1, 1, 200);
		Claim again = this.queue.claim(PROCESS, 1, 1, 200);
		assertThat(again.rest().ready()).isEqualTo(1);
		assertThat(again.rest().untilDue()).isBetween(HOUR - 60_000, HOUR);
	}

	@Test
	void claimWhenLateCopyAnswersStaleAndTakesNothing() {
		this.queue.join(PROCESS);
		this.queue.claim(PROCESS, 9, 1, 200);
		this.queue.claim(PROCESS, 10, 1, 200);
		this.queue.enqueue(1);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.claim(PROCESS, 9, 1, 200).status()).isEqualTo(Claim.Status.STALE);
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void claimWhenOtherCapsuleHasGreaterNumberGivesJobs() {
		this.queue.join(PROCESS);
		this.queue.join("p2");
		this.queue.enqueue(1, 2, 3);
		this.queue.claim(PROCESS, 9, 1, 200);
		assertThat(idsOf(this.queue.claim(PROCESS, "other", 1, 1, 200))).containsExactly(id(2));
		assertThat(idsOf(this.queue.claim("p2", CAPSULE, 1, 1, 200))).containsExactly(id(3));
	}

	// Refused calls

	@Test
	void claimWhenNotJoinedAnswersFencedAndWritesNothing() {
		this.queue.enqueue(1);
		assertRefused(Claim.Status.FENCED);
	}

	@Test
	void claimWhenTakenForDeadAnswersFencedAndWritesNothing() {
		this.queue.set("beats", PROCESS, "FENCED");
		this.queue.enqueue(1);
		assertRefused(Claim.Status.FENCED);
	}

	@Test
	void claimWhenSchemaIsNewerAnswersUpgradeAndWritesNothing() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1);
		this.queue.set("meta", "schema", "3");
		assertRefused(Claim.Status.UPGRADE);
	}

	private void assertRefused(Claim.Status status) {
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.claim(PROCESS, 1, 1, 200)).isEqualTo(new Claim(status, 0, Claim.Rest.NONE, List.of()));
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void claimWhenPausedGivesNothingAndLeavesNoToken() {
		this.queue.join(PROCESS);
		this.queue.enqueue(job(1), job(2, 0));
		this.queue.template().delete(this.queue.key("wake"));
		this.queue.pause();
		Claim claim = this.queue.claim(PROCESS, 1, 1, 200);
		assertThat(claim).isEqualTo(new Claim(Claim.Status.PAUSED, 0, Claim.Rest.NONE, List.of()));
		assertThat(this.queue.has("wake")).isFalse();
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(this.queue.sorted("scheduled")).containsExactly(id(2));
		assertThat(this.queue.hash("claims")).isEqualTo(Map.of(PROCESS + "/" + CAPSULE, "1"));
	}

	@Test
	void claimWhenPausedAndRepeatedAfterResumeGivesNothing() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1);
		this.queue.pause();
		this.queue.claim(PROCESS, 1, 1, 200);
		this.queue.template().opsForHash().delete(this.queue.key("meta"), "paused");
		assertThat(this.queue.claim(PROCESS, 1, 1, 200).jobs()).isEmpty();
		assertThat(idsOf(this.queue.claim(PROCESS, 2, 1, 200))).containsExactly(id(1));
	}

	// Due jobs

	@Test
	void claimWhenJobsAreDueGivesThemInDueOrder() {
		this.queue.join(PROCESS);
		due("scheduled", 1, 300);
		due("retries", 2, 100);
		due("scheduled", 3, 200);
		due("scheduled", 4, 500);
		assertThat(idsOf(this.queue.claim(4))).containsExactly(ids(4, 1, 3, 2));
		assertThat(this.queue.contents()).doesNotContainKeys("scheduled", "retries", "ready", "since");
	}

	@Test
	void claimWhenJobsAreDuePutsThemBehindTheReadyOnes() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1);
		due("scheduled", 2, 500);
		assertThat(idsOf(this.queue.claim(2))).containsExactly(ids(1, 2));
	}

	@Test
	void claimWhenMoreAreDueThanWantedMakesThemReady() {
		this.queue.join(PROCESS);
		due("scheduled", 1, 300);
		due("scheduled", 2, 200);
		due("scheduled", 3, 100);
		String since = "%.0f".formatted(this.queue.score("scheduled", 3));
		Claim claim = this.queue.claim(1);
		assertThat(idsOf(claim)).containsExactly(id(1));
		assertThat(claim.rest().ready()).isEqualTo(2);
		assertThat(this.queue.ready()).containsExactly(ids(2, 3));
		assertThat(this.queue.hash("since")).containsOnlyKeys(ids(2, 3)).containsEntry(id(3), since);
	}

	@Test
	@DisplayName("AMB-12: scheduled and retried jobs are as safe as other jobs")
	void claimWhenMoreAreDueThanBoundMovesThemInSteps() {
		this.queue.join(PROCESS);
		for (int job = 1; job <= 10; job++) {
			due("scheduled", job, 1000 - job);
			due("retries", job + 10, 1000 - job);
		}
		Claim claim = this.queue.claim(PROCESS, 1, 1, 4);
		assertThat(idsOf(claim)).containsExactly(id(1));
		assertThat(claim.rest().untilDue()).isZero();
		assertThat(this.queue.ready()).containsExactly(ids(2, 3, 4, 11, 12, 13, 14));
		assertThat(this.queue.sorted("scheduled")).startsWith(id(5)).hasSize(6);
	}

	@Test
	@DisplayName("SK-79: the cost of moving due jobs is bounded")
	void claimWhenThousandAreDueMovesThem() {
		this.queue.join(PROCESS);
		NewJob[] delayed = IntStream.rangeClosed(1, 1000).mapToObj((n) -> job(n, 0)).toArray(NewJob[]::new);
		this.queue.enqueue(delayed);
		assertThat(this.queue.claim(PROCESS, 1, 1000, 1000).jobs()).hasSize(1000);
	}

	@Test
	@DisplayName("SK-79: a claim moves a limited number of due jobs, including those that fail again")
	void claimWhenMoreAreDueThanItMovesLeavesTheRest() {
		this.queue.join(PROCESS);
		this.queue.enqueue(IntStream.rangeClosed(1, 1000).mapToObj((n) -> job(n, 0)).toArray(NewJob[]::new));
		assertThat(this.queue.claim(PROCESS, 1, 1000, 200).jobs()).hasSize(200);
		assertThat(this.queue.sorted("scheduled")).hasSize(800);
		assertThat(this.queue.claim(PROCESS, 2, 10, 200).jobs()).hasSize(10);
		assertThat(this.queue.sorted("scheduled")).hasSize(600);
		assertThat(this.queue.ready()).hasSize(190);
	}

	@Test
	void claimWhenManyAreDueDoesNotSearchTheirTimes() {
		this.queue.join(PROCESS);
		this.queue.enqueue(IntStream.rangeClosed(1, 40).mapToObj((n) -> job(n, 0)).toArray(NewJob[]::new));
		this.queue.claim(1);
		assertThat(this.queue.isSearched("since")).isFalse();
		assertThat(this.queue.hash("since")).containsOnlyKeys(ids(IntStream.rangeClosed(2, 40).toArray()));
	}

	@Test
	@DisplayName("SK-69: a claim returns when the next job is due, so polling is not needed")
	void claimTellsWhenTheNextJobIsDue() {
		this.queue.working(1);
		this.queue.retry(1, 1, HOUR / 2);
		this.queue.enqueue(job(2, HOUR));
		assertThat(this.queue.claim(1).rest().untilDue()).isBetween(HOUR / 2 - 60_000, HOUR / 2);
		assertThat(this.queue.ready()).isEmpty();
	}

	@Test
	void claimWhenOnlyScheduledJobsWaitTellsWhenTheyAreDue() {
		this.queue.join(PROCESS);
		this.queue.enqueue(job(1, HOUR));
		assertThat(this.queue.claim(1).rest().untilDue()).isBetween(HOUR - 60_000, HOUR);
	}

	// Dropped ids

	@Test
	void claimWhenSomeWereCancelledTopsUp() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2, 3, 4, 5);
		this.queue.cancel(1);
		this.queue.cancel(3);
		assertThat(idsOf(this.queue.claim(3))).containsExactly(ids(2, 4, 5));
		assertThat(this.queue.has("cancelled")).isFalse();
		assertThat(this.queue.stat("dropped")).isZero();
	}

	@Test
	void claimWhenPayloadIsMissingDropsAndCounts() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2, 3);
		this.queue.template().opsForHash().delete(this.queue.key("payloads"), id(1));
		assertThat(idsOf(this.queue.claim(2))).containsExactly(ids(2, 3));
		assertThat(this.queue.stat("dropped")).isEqualTo(1);
	}

	@Test
	void claimWhenMoreWereCancelledThanBoundStopsAndLeavesToken() {
		this.queue.join(PROCESS);
		this.queue.enqueue(jobs(1, 10));
		IntStream.rangeClosed(1, 8).forEach(this.queue::cancel);
		this.queue.template().delete(this.queue.key("wake"));
		Claim first = this.queue.claim(PROCESS, 1, 2, 5);
		assertThat(first.jobs()).isEmpty();
		assertThat(first.rest().ready()).isEqualTo(5);
		assertThat(this.queue.list("wake")).containsExactly("1");
		assertThat(idsOf(this.queue.claim(PROCESS, 2, 2, 5))).containsExactly(ids(9, 10));
	}

	// Tokens

	@Test
	void claimWhenJobsAreLeftLeavesOneToken() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2, 3);
		this.queue.template().delete(this.queue.key("wake"));
		this.queue.claim(1);
		assertThat(this.queue.list("wake")).containsExactly("1");
		this.queue.claim(1);
		assertThat(this.queue.list("wake")).containsExactly("1");
	}

	@Test
	void claimWhenNothingIsLeftLeavesNoToken() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1);
		this.queue.template().delete(this.queue.key("wake"));
		this.queue.claim(1);
		assertThat(this.queue.has("wake")).isFalse();
	}

	@Test
	void claimWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(ScriptFixture.CLAIM, (queue) -> {
			queue.working(9);
			queue.enqueue(1, 2, 3, 4);
			queue.cancel(1);
			queue.template().opsForHash().delete(queue.key("payloads"), id(2));
			due(queue, "scheduled", 5, 100);
			due(queue, "retries", 6, 100);
			queue.template().delete(queue.key("wake"));
		}, (queue) -> queue.claim(1), fate("beats", "claims", "working"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "beats", "claims", "working", "ready", "payloads", "scheduled", "retries", "parked",
			"lockof", "gathered" })
	void claimWhenJobIsPlainAndTypeIsWrongRefuses(String key) {
		assertRefusesWrongType(key, (queue) -> {
			queue.join(PROCESS);
			queue.enqueue(1, 2);
		}, (queue) -> queue.claim(1));
	}

	@Test
	void claimWhenNextJobIsGoneGivesTheJobBehindIt() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2, 3);
		this.queue.template().opsForHash().delete(this.queue.key("payloads"), id(1));
		Claim claim = this.queue.claim(1);
		assertThat(idsOf(claim)).containsExactly(id(2));
		assertThat(claim.rest().ready()).isEqualTo(1);
		assertThat(this.queue.stat("dropped")).isEqualTo(1);
	}

	@Test
	void claimWhenManyJobsRunLeavesNoListThatIsSearched() {
		this.queue.join(PROCESS);
		this.queue.enqueue(jobs(1, 40));
		for (int job = 1; job <= 40; job++) {
			assertThat(idsOf(this.queue.claim(1))).containsExactly(id(job));
		}
		assertThat(this.queue.isSearched("working")).isFalse();
		assertThat(this.queue.hash("working")).hasSize(40);
	}

	@Test
	void claimWhenSomeAreClaimedAheadGivesThemAll() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2, 3, 4, 5);
		assertThat(idsOf(this.queue.claimAhead(4, 1))).containsExactly(ScriptFixture.ids(1, 2, 3, 4));
	}

	@Test
	void claimWhenAJobWasHeldByADeadProcessClaimsNothingAhead() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2, 3, 4, 5);
		this.queue.set("crashes", id(3), "1 1700000000000 p9");
		assertThat(idsOf(this.queue.claimAhead(2, 0))).containsExactly(ScriptFixture.ids(1, 2));
		Claim none = this.queue.claimAhead(3, 0);
		assertThat(none.jobs()).isEmpty();
		assertThat(none.rest()).isEqualTo(new Claim.Rest(-1, 3, true, 0));
		assertThat(idsOf(this.queue.claimAhead(3, 2))).containsExactly(ScriptFixture.ids(3, 4));
		assertThat(idsOf(this.queue.claimAhead(3, 0))).containsExactly(ScriptFixture.ids(5));
	}

	@Test
	void claimWhenAJobBehindCancelledOnesWasHeldByADeadProcessClaimsNothingAhead() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1, 2, 3, 4, 5);
		this.queue.cancel(1);
		this.queue.cancel(2);
		this.queue.set("crashes", id(4), "1 1700000000000 p9");
		Claim claim = this.queue.claimAhead(2, 0);
		assertThat(claim.jobs()).isEmpty();
		assertThat(claim.rest()).isEqualTo(new Claim.Rest(-1, 3, true, 0));
		assertThat(this.queue.ready()).containsExactly(ids(3, 4, 5));
	}

	@Test
	void claimWhenEqualJobsWereParkedWithholdsNothing() {
		this.queue.join(PROCESS);
		this.queue.enqueue(locked(1, LockKind.WHILE_EXECUTING, "m"), locked(2, LockKind.WHILE_EXECUTING, "m"),
				locked(3, LockKind.WHILE_EXECUTING, "m"), job(4));
		Claim claim = this.queue.claimAhead(3, 1, 3);
		assertThat(idsOf(claim)).containsExactly(id(1));
		assertThat(claim.rest()).isEqualTo(new Claim.Rest(-1, 1, false, 0));
	}

	@Test
	void claimWhenJobsAreLargeGivesFewOfThemAtOnce() {
		this.queue.join(PROCESS);
		this.queue.enqueue(IntStream.rangeClosed(1, 60)
			.mapToObj((job) -> new NewJob(id(job), new byte[1000], null))
			.toArray(NewJob[]::new));
		Claim claim = this.queue.claimBytes(50, 5000);
		assertThat(idsOf(claim)).containsExactly(ids(1, 2, 3, 4, 5));
		assertThat(claim.rest().ready()).isEqualTo(55);
		assertThat(claim.rest().withheld()).isFalse();
		assertThat(this.queue.claimBytes(50, 1).jobs()).as("at least one job").hasSize(1);
		assertThat(this.queue.claimBytes(50, 40_000).jobs()).as("jobs claimed in several steps").hasSize(40);
	}

	@Test
	@DisplayName("Fencing tokens keep growing even after a loss of data")
	void claimWhenDataAreLostGivesAGreaterFencingToken() {
		this.queue.join(PROCESS);
		this.queue.enqueue(job(1), job(2));
		long before = this.queue.claim(1).jobs().get(0).fencingToken();
		long seq = Long.parseLong(this.queue.hash("meta").get("seq"));
		assertThat(before).isGreaterThanOrEqualTo(seq);
		this.queue.set("meta", "seq", "7");
		assertThat(this.queue.claim(1).jobs().get(0).fencingToken()).isGreaterThan(before);
		this.queue.enqueue(job(3));
		this.queue.set("meta", "seq", "4000000000000000");
		assertThat(this.queue.claim(1).jobs().get(0).fencingToken()).isEqualTo(4_000_000_000_000_000L);
	}

	@Test
	void claimWhenJobsAreLargeClaimsFewAhead() {
		this.queue.join(PROCESS);
		byte[] large = new byte[ScriptFixture.MOST_BYTES / 5 * 2];
		this.queue.enqueue(IntStream.rangeClosed(1, 20)
			.mapToObj((job) -> new NewJob(id(job), large, null))
			.toArray(NewJob[]::new));
		Claim claim = this.queue.claimAhead(10, 1);
		assertThat(idsOf(claim)).containsExactly(ids(1, 2, 3));
		assertThat(claim.rest()).isEqualTo(new Claim.Rest(-1, 17, false, 0));
		assertThat(idsOf(this.queue.claimAhead(10, 5))).containsExactly(ids(4, 5, 6, 7, 8));
		assertThat(this.queue.claim(10).jobs()).hasSize(10);
		assertThat(this.queue.ready()).containsExactly(ids(19, 20));
	}

	@Test
	void claimWhenManyAreHeldLeavesNoListThatIsSearched() {
		this.queue.join(PROCESS);
		this.queue.enqueue(jobs(1, 40));
		this.queue.claim(32);
		assertThat(this.queue.isSearched("working")).isTrue();
		this.queue.claim(1);
		assertThat(this.queue.isSearched("working")).isFalse();
		assertThat(this.queue.hash("working")).containsOnlyKeys(ids(IntStream.rangeClosed(1, 33).toArray()));
	}

	private void due(String set, int job, long millisAgo) {
		due(this.queue, set, job, millisAgo);
	}

	private void due(ScriptFixture queue, String set, int job, long millisAgo) {
		queue.template().opsForZSet().add(queue.key(set), id(job), this.begin - millisAgo);
		queue.set("payloads", id(job), payload(job));
	}

	private static List<String> idsOf(Claim claim) {
		return claim.jobs().stream().map(ClaimedJob::id).toList();
	}

}
