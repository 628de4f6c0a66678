package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.QueueMonitor.DataSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the reports of {@link Vitals} about lost data.
 */
class VitalsDataTests {

	private final List<WorkerEvent> told = new CopyOnWriteArrayList<>();

	private final WorkerEvents events = new WorkerEvents(List.of(), this.told::add);

	private final Vitals vitals = new Vitals(null, this.events, (failure) -> {
	}, (version) -> {
	}, Duration.ofMinutes(1));

	@AfterEach
	void close() {
		this.events.close();
	}

	@Test
	void seenWhenChangesGrowTellsNothing() {
		seen("q", "a", 10);
		seen("q", "", 11);
		seen("q", "a", 11);
		assertThat(told()).isEmpty();
		assertThat(this.vitals.losses()).isEmpty();
		assertThat(this.vitals.seq("q")).isEqualTo(11);
	}

	@Test
	void seenWhenEpochIsAnotherTellsThatEverythingIsLost() {
		seen("q", "a", 10);
		seen("q", "b", 20);
		seen("q", "b", 21);
		assertThat(told()).containsExactly(new WorkerEvent.DataLost("q", null));
		assertThat(this.vitals.losses()).isEqualTo(Map.of("q", "everything"));
	}

	@Test
	void seenWhenDataOfAShardAreLostNamesItsQueue() {
		seen("orders#3", "a", 10);
		seen("orders#3", "b", 20);
		assertThat(told()).containsExactly(new WorkerEvent.DataLost("orders", null));
		assertThat(this.vitals.losses()).isEqualTo(Map.of("orders", "everything"));
	}

	@Test
	void seenWhenChangesAreFewerTellsHowMany() {
		seen("q", "a", 10);
		seen("q", "a", 7);
		seen("q", "a", 8);
		assertThat(told()).containsExactly(new WorkerEvent.DataLost("q", 3L));
		assertThat(this.vitals.losses()).isEqualTo(Map.of("q", "its last 3 changes"));
	}

	@Test
	void seenWhenAnswersComeInAnotherOrderTellsNothing() {
		seen("q", "a", 10);
		long first = this.vitals.seq("q");
		long second = this.vitals.seq("q");
		this.vitals.seen("q", second, new DataSet("", 15));
		this.vitals.seen("q", first, new DataSet("a", 12));
		assertThat(told()).isEmpty();
		assertThat(this.vitals.seq("q")).isEqualTo(15);
	}

	@Test
	void seenWhenSeveralAnswersTellOfTheSameLossTellsOnce() {
		seen("q", "a", 10);
		long first = this.vitals.seq("q");
		long second = this.vitals.seq("q");
		this.vitals.seen("q", first, new DataSet("a", 4));
		this.vitals.seen("q", second, new DataSet("", 5));
		assertThat(told()).containsExactly(new WorkerEvent.DataLost("q", 6L));
	}

	@Test
	void seenWhenQueuesDifferKeepsThemApart() {
		seen("q", "a", 10);
		seen("p", "b", 5);
		assertThat(told()).isEmpty();
	}

	@Test
	void seenWhenAnswerDoesNotTellIsIgnored() {
		seen("q", "a", 10);
		seen("q", "", 0);
		assertThat(told()).isEmpty();
	}

	private void seen(String queue, String epoch, long seq) {
		this.vitals.seen(queue, this.vitals.seq(queue), new DataSet(epoch, seq));
	}

	private List<WorkerEvent> told() {
		this.events.close();
		return this.told;
	}

}
