package io.github.steadyjobs.client;

import java.util.Iterator;
import java.util.List;

import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import org.springframework.context.support.GenericApplicationContext;

import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for a {@link JobStore} of a process that was restored from a snapshot. Initially,
 * all processes restored from a snapshot have the same producer name.
 */
@RedisTest
class ProducerNameIntegrationTests {

	private final TestRedis redis;

	private final ScriptFixture queue;

	ProducerNameIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.queue = new ScriptFixture(redis);
	}

	@Test
	void enqueueWhenAnotherProcessHasTheSameNameIsNotAnsweredForIt() {
		Iterator<String> names = List.of("twin", "twin", "twin", "twin", "other").iterator();
		JobStore restored = new JobStore(this.redis.connections(), this.redis.prefix(), 1, names::next);
		JobStore twin = new JobStore(this.redis.connections(), this.redis.prefix(), 1, () -> "twin");
		twin.enqueue(this.queue.queue(), job(1));
		assertThatExceptionOfType(JobStoreTimeoutException.class)
			.isThrownBy(() -> restored.enqueue(this.queue.queue(), job(2)))
			.withMessageContaining("Another process")
			.withMessageContaining("may have been carried out");
		restored.enqueue(this.queue.queue(), job(3));
		twin.enqueue(this.queue.queue(), job(4));
		assertThat(this.queue.ready()).containsExactly(ids(1, 3, 4));
	}

	@Test
	void enqueueAllWhenAnotherProcessHasTheSameNameIsNotAnsweredForIt() {
		Iterator<String> names = List.of("single", "twin", "replicated", "twin", "other").iterator();
		JobStore restored = new JobStore(this.redis.connections(), this.redis.prefix(), 1, names::next);
		JobStore twin = new JobStore(this.redis.connections(), this.redis.prefix(), 1, () -> "twin");
		twin.enqueueAll(this.queue.queue(), List.of(job(1)), Durability.STORED);
		twin.enqueueAll(this.queue.queue(), List.of(job(2)), Durability.STORED);
		Push push = restored.enqueueAll(this.queue.queue(), List.of(jobs(3, 4)), Durability.STORED);
		assertThat(push.admissions()).containsOnlyNulls();
		assertThat(push.outcomes()).containsOnly(Outcome.DOUBTFUL);
		assertThat(restored.enqueueAll(this.queue.queue(), List.of(jobs(5, 6)), Durability.STORED).failure()).isNull();
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 5, 6));
	}

	@Test
	void enqueueWhenContextWasRestartedHasAnotherName() {
		JobStore store = new JobStore(this.redis.connections(), this.redis.prefix());
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.registerBean(JobStore.class, () -> store);
			context.refresh();
			store.enqueue(this.queue.queue(), job(1));
			store.enqueueAll(this.queue.queue(), List.of(jobs(2, 3)), Durability.STORED);
			cancel(store, 7);
			// Simulate a checkpoint and a restore.
			context.stop();
			context.start();
			store.enqueue(this.queue.queue(), job(4));
			store.enqueueAll(this.queue.queue(), List.of(jobs(5, 6)), Durability.STORED);
			cancel(store, 7);
		}
		assertThat(this.queue.hash("calls").keySet()).extracting((slot) -> slot.split("/")[0])
			.hasSize(6)
			.doesNotHaveDuplicates();
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3, 4, 5, 6));
	}

	private void cancel(JobStore store, int job) {
		assertThat(store.removals().remove(ScriptFixture.CANCEL, this.queue.queue(), (call) -> call.add(id(job))))
			.isEqualTo("GONE");
	}

}
