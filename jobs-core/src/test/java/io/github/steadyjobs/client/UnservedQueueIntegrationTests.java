package io.github.steadyjobs.client;

import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.ordered.ShardRegistry;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the messages that a client logs about queues that no process serves.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class UnservedQueueIntegrationTests {

	private final TestRedis redis;

	private final Set<String> servedHere = ConcurrentHashMap.newKeySet();

	private final JobClient client;

	UnservedQueueIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.client = Clients.client(redis.connections(), redis.prefix(), Clients.settings(DataSize.ofMegabytes(1),
				Clock.systemUTC(), (queue) -> !this.servedHere.contains(queue)));
	}

	@Test
	void enqueueWhenNobodyServesTheQueueSaysSoOnce(CapturedOutput output) {
		this.client.enqueue(JobRequest.named("mail.ping").queue("mial"));
		awaitNotice(output, "mial");
		this.client.enqueue(JobRequest.named("mail.ping").queue("mial"));
		this.client.enqueueAll(List.of(JobRequest.named("mail.ping").queue("mial"),
				JobRequest.named("mail.digest", "a", 1).queue("digests")));
		awaitNotice(output, "digests");
		assertThat(output).contains("Job 'mail.ping' was put into the queue 'mial', which no process serves right now");
		assertThat(notices(output)).hasSize(2);
	}

	@Test
	void enqueueWhenAProcessServesTheQueueIsSilent(CapturedOutput output) {
		new ScriptFixture(this.redis, "elsewhere").join("p.1");
		this.servedHere.add("here");
		this.client.enqueue(JobRequest.named("mail.ping").queue("elsewhere"));
		this.client.enqueue(JobRequest.named("mail.ping").queue("here"));
		// This queue is checked after the other queues, so its answer arrives last.
		this.client.enqueue(JobRequest.named("mail.ping").queue("nowhere"));
		awaitNotice(output, "nowhere");
		assertThat(notices(output)).hasSize(1);
	}

	@Test
	void isServedWhenQueueHasShardsAsksForAllOfThem() {
		JobStore store = new JobStore(this.redis.connections(), this.redis.prefix());
		new ShardRegistry(this.redis.connections(), this.redis.prefix()).current("orders", 2);
		new ScriptFixture(this.redis, "orders#0").join("p.1");
		assertThat(store.isServed(QueueRef.allOf("orders")).join()).isFalse();
		new ScriptFixture(this.redis, "orders#1").join("p.1");
		assertThat(store.isServed(QueueRef.allOf("orders")).join()).isTrue();
		assertThat(store.isServed("orders").join()).isFalse();
	}

	@Test
	void enqueueWhenItIsNotYetKnownAsksLater(CapturedOutput output) {
		this.servedHere.add("q");
		this.client.enqueue(JobRequest.named("mail.ping").queue("q"));
		this.servedHere.remove("q");
		this.client.enqueue(JobRequest.named("mail.ping").queue("q"));
		awaitNotice(output, "q");
	}

	private static void awaitNotice(CapturedOutput output, String queue) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(notices(output)).anyMatch((line) -> line.contains("'" + queue + "'")));
	}

	private static List<String> notices(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("which no process serves")).toList();
	}

}
