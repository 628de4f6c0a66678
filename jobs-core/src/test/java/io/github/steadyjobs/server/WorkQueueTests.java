package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WorkQueue}.
 */
class WorkQueueTests {

	private static final ClaimAhead NONE_AHEAD = new ClaimAhead(Duration.ZERO, 0);

	private final WorkQueue queue = new WorkQueue(4, NONE_AHEAD, (work) -> {
	});

	@Test
	void takeGivesOutInTheOrderOfTheClaims() throws InterruptedException {
		this.queue.add(works(1, 3), 1);
		this.queue.add(works(3, 4), 1);
		assertThat(List.of(take(), take(), take())).containsExactly("1", "2", "3");
		assertThat(this.queue.isEmpty()).isTrue();
	}

	@Test
	void roomCountsWhatWasClaimedUntilItHasEnded() throws InterruptedException {
		this.queue.add(works(0, 3), 1);
		assertThat(this.queue.room(0, 0)).isOne();
		List<UnitOfWork> first = this.queue.take();
		assertThat(this.queue.room(0, 0)).isOne();
		this.queue.ended(first);
		assertThat(this.queue.room(0, 0)).isEqualTo(2);
	}

	@Test
	void isLowWhenAWorkerIsFreeThoughAJobWaitsForAnother() throws InterruptedException {
		this.queue.add(works(0, 4), 1);
		assertThat(this.queue.isLow()).isFalse();
		this.queue.ended(this.queue.take());
		assertThat(this.queue.isEmpty()).isFalse();
		assertThat(this.queue.isLow()).isTrue();
	}

	@Test
	void aheadCountsNothingAsBegunThatWasGivenBack() {
		WorkQueue ahead = new WorkQueue(4, new ClaimAhead(Duration.ofMillis(5), 0), (work) -> {
		});
		ahead.add(works(0, 150), 1);
		ahead.removeIf((work) -> true);
		assertThat(ahead.ahead(Duration.ofMillis(20).toNanos())).isZero();
	}

	@Test
	void roomWhenMoreWasClaimedThanThereAreWorkersIsNegative() {
		this.queue.add(works(0, 6), 1);
		assertThat(this.queue.room(0, 0)).isEqualTo(-2);
	}

	@Test
	void roomWhenTooMuchIsUnsettledKeepsWorkersBack() {
		assertThat(this.queue.room(8, 0)).isEqualTo(4);
		assertThat(this.queue.room(9, 0)).isEqualTo(3);
		assertThat(this.queue.room(100, 0)).isNegative();
		assertThat(this.queue.room(28, 10)).isEqualTo(4);
		assertThat(this.queue.room(29, 10)).isEqualTo(3);
		assertThat(new WorkQueue(4000, NONE_AHEAD, (work) -> {
		}).room(500, 0)).isEqualTo(4000);
		assertThat(new WorkQueue(4000, NONE_AHEAD, (work) -> {
		}).room(501, 0)).isEqualTo(3999);
	}

	@Test
	void removeIfTakesOutWhatHasNotBegunForGood() throws InterruptedException {
		List<UnitOfWork> works = works(0, 4);
		this.queue.add(works, 1);
		take();
		assertThat(this.queue.removeIf((work) -> !work.token().id().equals("2"))).extracting(WorkQueueTests::id)
			.containsExactly("1", "3");
		assertThat(this.queue.claimed()).hasSize(2);
		assertThat(works.get(1).begin()).isFalse();
		assertThat(take()).isEqualTo("2");
		assertThat(works.get(2).begin()).isTrue();
	}

	@Test
	void removeIfWhenAWorkerBeginsOneMeanwhileLeavesThatAlone() {
		List<UnitOfWork> works = works(0, 2);
		this.queue.add(works, 1);
		assertThat(this.queue.removeIf((work) -> !id(work).equals("0") || taken().begin()))
			.extracting(WorkQueueTests::id)
			.containsExactly("1");
		assertThat(works.get(0).isGivenBack()).isFalse();
		assertThat(this.queue.claimed()).hasSize(1);
	}

	@Test
	void removeIfWhenAWorkerTakesOneMeanwhileKeepsItFromBeginning() {
		List<UnitOfWork> works = works(0, 2);
		this.queue.add(works, 1);
		assertThat(this.queue.removeIf((work) -> !id(work).equals("0") || taken() == work)).hasSize(2);
		assertThat(works.get(0).begin()).isFalse();
		assertThat(this.queue.giveBack(works.get(0))).isFalse();
		assertThat(this.queue.claimed()).isEmpty();
	}

	@Test
	void giveBackWhenItHasBegunDoesNothing() {
		List<UnitOfWork> works = works(0, 1);
		this.queue.add(works, 1);
		assertThat(works.get(0).begin()).isTrue();
		assertThat(this.queue.giveBack(works.get(0))).isFalse();
		assertThat(works.get(0).isGivenBack()).isFalse();
		assertThat(this.queue.claimed()).hasSize(1);
	}

	@Test
	void takeGivesOutTogetherWhatOneWorkerRuns() throws InterruptedException {
		this.queue.add(works(0, 5), 3);
		assertThat(this.queue.room(0, 0)).as("room with two of four workers free").isEqualTo(2);
		assertThat(this.queue.take()).extracting(WorkQueueTests::id).containsExactly("0", "1", "2");
		List<UnitOfWork> rest = this.queue.take();
		assertThat(rest).extracting(WorkQueueTests::id).containsExactly("3", "4");
		assertThat(begin(rest)).hasSize(2);
		assertThat(this.queue.begun()).isOne();
		this.queue.ended(rest);
		assertThat(this.queue.room(0, 0)).isEqualTo(3);
		assertThat(this.queue.claimed()).hasSize(3);
	}

	@Test
	void removeIfWhenSomeOfARunGoBackLeavesTheOthers() throws InterruptedException {
		this.queue.add(works(0, 3), 3);
		assertThat(this.queue.removeIf((work) -> id(work).equals("1"))).hasSize(1);
		assertThat(this.queue.room(0, 0)).isEqualTo(3);
		assertThat(begin(this.queue.take())).extracting(WorkQueueTests::id).containsExactly("0", "2");
	}

	@Test
	void removeIfWhenAllOfARunGoBackMakesRoom() {
		this.queue.add(works(0, 3), 3);
		assertThat(this.queue.removeIf((work) -> true)).hasSize(3);
		assertThat(this.queue.isEmpty()).isTrue();
		assertThat(this.queue.room(0, 0)).isEqualTo(4);
	}

	private List<UnitOfWork> begin(List<UnitOfWork> works) {
		List<UnitOfWork> begun = new ArrayList<>(works);
		this.queue.begin(begun);
		return begun;
	}

	private UnitOfWork taken() {
		try {
			return this.queue.take().get(0);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String take() throws InterruptedException {
		return id(this.queue.take().get(0));
	}

	private static String id(UnitOfWork work) {
		return work.token().id();
	}

	private static List<UnitOfWork> works(int from, int to) {
		return IntStream.range(from, to).mapToObj(Integer::toString).map((id) -> {
			JobToken token = new JobToken("q", "p.1", id, "c/1");
			return new UnitOfWork(new ClaimedJob(token, new byte[0], "", 1, 1), 0, 0);
		}).toList();
	}

}
