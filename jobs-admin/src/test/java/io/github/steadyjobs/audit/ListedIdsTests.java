package io.github.steadyjobs.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.audit.DamagedQueue.id;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ListedIds}.
 */
class ListedIdsTests {

	private static final int MANY = 10_000;

	private final ListedIds ids = new ListedIds(0, 1);

	@Test
	void doubtfulAreThoseThatWereNotFound() {
		IntStream.range(0, MANY).forEach((job) -> this.ids.add(id(job)));
		IntStream.range(0, MANY).filter((job) -> job != 77).forEach((job) -> this.ids.found(id(job), true));
		assertThat(this.ids.doubtful()).containsExactly(id(77));
	}

	@Test
	void doubtfulAreThoseThatWereFoundTwiceAtDifferentPositions() {
		this.ids.add(id(1));
		this.ids.add(id(2));
		this.ids.found(id(1), true);
		this.ids.found(id(1), false);
		this.ids.found(id(2), true);
		this.ids.found(id(2), true);
		assertThat(this.ids.doubtful()).containsExactly(id(2));
	}

	@Test
	void foundWhenIdIsNotExpectedIsIgnored() {
		this.ids.found(id(1), true);
		this.ids.found(id(1), true);
		this.ids.found("foreign", true);
		assertThat(this.ids.doubtful()).isEmpty();
	}

	@Test
	void addWhenIdIsForeignLeavesItOut() {
		this.ids.add("lost");
		this.ids.add("0123456789ABCDEF01234567");
		assertThat(this.ids.doubtful()).isEmpty();
	}

	@Test
	void addWhenGrowingKeepsWhatWasFound() {
		this.ids.add(id(1));
		this.ids.found(id(1), true);
		IntStream.range(2, MANY).forEach((job) -> this.ids.add(id(job)));
		assertThat(this.ids.doubtful()).hasSize(MANY - 2).doesNotContain(id(1));
	}

	@Test
	void slicesTakeEachIdOnce() {
		List<Integer> takers = new ArrayList<>();
		for (int job = 0; job < MANY; job++) {
			String id = id(job);
			IntStream.range(0, 3).filter((slice) -> new ListedIds(slice, 3).accepts(id)).forEach(takers::add);
		}
		assertThat(takers).hasSize(MANY).contains(0, 1, 2);
	}

}
