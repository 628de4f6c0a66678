package io.github.steadyjobs.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.steadyjobs.JobStoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BackgroundThread}.
 */
class BackgroundThreadTests {

	private final List<Throwable> passedOn = new CopyOnWriteArrayList<>();

	private final BackgroundThread thread = new BackgroundThread("test", true, this.passedOn::add);

	@AfterEach
	void close() {
		this.thread.shutdownNow();
	}

	@Test
	@DisplayName("SK-16: exceptions that escape from background work are passed on")
	void executeWhenATaskThrowsPassesThatOnAndGoesOn() throws Exception {
		Error failure = new StackOverflowError("pretended");
		this.thread.execute(() -> {
			throw failure;
		});
		this.thread.schedule(() -> {
			throw new IllegalStateException("pretended");
		}, 1, TimeUnit.MILLISECONDS);
		WorkerFixture.await().until(() -> this.passedOn.size() == 2);
		assertThat(this.passedOn.get(0)).isSameAs(failure);
		assertThat(this.thread.submit(() -> "goes on").get()).isEqualTo("goes on");
		assertThat(this.passedOn).hasSize(2);
	}

	@Test
	@DisplayName("SK-16: a task that throws is repeated, and an unavailable Redis is expected")
	void repeatWhenTheTaskThrowsPassesThatOnAndRepeatsIt() {
		AtomicInteger runs = new AtomicInteger();
		this.thread.repeat(() -> {
			if (runs.incrementAndGet() % 2 == 0) {
				throw new NoClassDefFoundError("pretended");
			}
			throw new JobStoreException("pretended");
		}, 0, 1, TimeUnit.MILLISECONDS);
		WorkerFixture.await().until(() -> this.passedOn.size() > 1);
		assertThat(this.passedOn).hasOnlyElementsOfType(NoClassDefFoundError.class);
	}

	@Test
	void executeWhenTheThreadHasEndedLeavesTheTaskUndone() {
		this.thread.shutdownNow();
		this.thread.execute(() -> this.passedOn.add(new IllegalStateException()));
		this.thread.schedule(() -> this.passedOn.add(new IllegalStateException()), 1, TimeUnit.MILLISECONDS);
		assertThat(this.passedOn).isEmpty();
	}

	@Test
	void cancelPassesNothingOn() throws Exception {
		this.thread.scheduleWithFixedDelay(() -> {
		}, 0, 1, TimeUnit.MILLISECONDS).cancel(true);
		this.thread.submit(() -> {
		}).get();
		assertThat(this.passedOn).isEmpty();
	}

}
