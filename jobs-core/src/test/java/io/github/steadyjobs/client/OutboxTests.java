package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.client.JobClientSettings.Outage;
import io.github.steadyjobs.redis.PayloadCodec;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Outbox} when a thread cannot be started or a loss cannot be reported.
 */
class OutboxTests {

	private final Set<String> sent = ConcurrentHashMap.newKeySet();

	private final Deque<Throwable> refusals = new ArrayDeque<>();

	@Test
	@DisplayName("If a thread cannot be started, later jobs are still sent")
	void offerWhenThreadIsRefusedTakesNothingAndTriesAgainWithTheNextJob() {
		ThreadFactory threads = (task) -> {
			if (!this.refusals.isEmpty()) {
				throw new OutOfMemoryError("unable to create native thread: pretended");
			}
			return new Thread(task);
		};
		Outbox outbox = outbox(Duration.ofMinutes(1), threads);
		this.refusals.add(new OutOfMemoryError());
		assertThat(outbox.offer(List.of(waiting("a", "q")), true, null)).isFalse();
		assertThat(outbox.size()).isZero();
		this.refusals.clear();
		assertThat(outbox.offer(List.of(waiting("b", "q")), true, null)).isTrue();
		Awaitility.await().until(() -> this.sent.contains("b"));
		outbox.close(Duration.ofMillis(10));
	}

	@Test
	@DisplayName("If a loss cannot be reported, other jobs are still sent")
	void sendWhenALossCannotBeReportedGoesOn() {
		Outbox outbox = outbox(Duration.ofMillis(1), Thread::new);
		// Attempts to send this job end after a millisecond, and its payload cannot be
		// read for the report.
		assertThat(outbox.offer(List.of(waiting("a", "q")), true, null)).isTrue();
		Awaitility.await().until(() -> outbox.size() == 0);
		assertThat(outbox.offer(List.of(waiting("b", "q")), true, null)).isTrue();
		Awaitility.await().until(() -> this.sent.contains("b") && outbox.size() == 0);
	}

	@Test
	@DisplayName("Jobs that do not fit into a call wait until the jobs before them are stored")
	void sendWhenJobsAreLargeSendsOneCallAtATime() {
		Outbox outbox = outbox(Duration.ofMinutes(1), Thread::new);
		List<JobDraft> large = List.of(waiting("a", "q"), waiting("b", "q"), waiting("c", "q"));
		large.forEach((draft) -> draft.write(new byte[400_000], null, null, 0));
		assertThat(outbox.offer(large, true, null)).isTrue();
		Awaitility.await().until(() -> this.sent.contains("b"));
		outbox.close(Duration.ofMillis(10));
		assertThat(this.sent).containsOnly("a", "b");
	}

	private Outbox outbox(Duration retryAfterCommit, ThreadFactory threads) {
		Outage outage = new Outage(retryAfterCommit, 0, DataSize.ofMegabytes(2), true, Duration.ZERO);
		return new Outbox(outage, (drafts) -> {
			drafts.forEach((draft) -> this.sent.add(draft.id()));
			return new Push(drafts.size());
		}, new EnqueueReport(List.of(), null, new PayloadCodec(JobJson.builder().build()), JobClientSettings.DEFAULTS),
				threads);
	}

	private static JobDraft waiting(String id, String queue) {
		return new JobDraft(id, "job", List.of(), JobRequest.named("job").queue(queue).options(), null);
	}

}
