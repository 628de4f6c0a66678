package io.github.steadyjobs.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobIds}.
 */
class JobIdsTests {

	private static final long NOW = 0x0198_0000_00ffL;

	private final JobIds ids = new JobIds();

	@Test
	void nextIsTimeThenRandomStart() {
		// SK-61
		JobIds ids = new JobIds(() -> 0xffff_0123_4567_89abL);
		assertThat(ids.next(NOW)).isEqualTo("0198000000ff0123456789ab").matches(JobIds::isId);
	}

	@Test
	void nextWhenMillisecondIsTheSameCountsUp() {
		JobIds ids = new JobIds(() -> 0xfe);
		assertThat(List.of(ids.next(NOW), ids.next(NOW), ids.next(NOW))).containsExactly("0198000000ff0000000000fe",
				"0198000000ff0000000000ff", "0198000000ff000000000100");
	}

	@Test
	void nextWhenClockStepsBackStillSorts() {
		assertThat(List.of(this.ids.next(NOW), this.ids.next(NOW - 5000), this.ids.next(NOW - 1), this.ids.next(NOW),
				this.ids.next(NOW + 1)))
			.isSorted()
			.doesNotHaveDuplicates();
	}

	@Test
	void nextWhenMillisecondIsUsedUpTakesTheNext() {
		JobIds ids = new JobIds(() -> -1);
		assertThat(List.of(ids.next(NOW), ids.next(NOW), ids.next(NOW + 1), ids.next(NOW + 3))).containsExactly(
				"0198000000ffffffffffffff", "019800000100ffffffffffff", "019800000101ffffffffffff",
				"019800000102ffffffffffff");
	}

	@Test
	void nextWhenProcessesDifferDiffers() {
		assertThat(this.ids.next(NOW)).isNotEqualTo(new JobIds().next(NOW));
	}

	@Test
	void nextWhenThreadsCompeteIsUniqueAndSortedInEach() throws Exception {
		Set<String> all = ConcurrentHashMap.newKeySet();
		Callable<List<String>> task = () -> {
			List<String> own = new ArrayList<>();
			for (int i = 0; i < 50_000; i++) {
				own.add(this.ids.next(System.currentTimeMillis()));
			}
			all.addAll(own);
			return own;
		};
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			for (Future<List<String>> own : threads.invokeAll(List.of(task, task, task, task))) {
				assertThat(own.get()).isSorted();
			}
		}
		finally {
			threads.shutdown();
		}
		assertThat(all).hasSize(200_000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "0198000000ff0123456789a", "0198000000ff0123456789abc", "0198000000FF0123456789AB",
			"0198000000ff0123456789ag", "0198000000ff 123456789ab" })
	void isIdWhenTextHasAnotherFormIsFalse(String text) {
		assertThat(JobIds.isId(text)).isFalse();
	}

}
