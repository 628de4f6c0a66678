package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.BulkEnqueueException;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Deferred;
import io.github.steadyjobs.EnqueueResult.Enqueued;
import io.github.steadyjobs.EnqueueResult.Scheduled;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.support.ReplicatedRedis;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.support.TransactionTemplate;

import static io.github.steadyjobs.Durability.REPLICATED;
import static io.github.steadyjobs.Durability.STORED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for requests to a {@link JobClient} with a required {@link Durability}.
 */
@ExtendWith(OutputCaptureExtension.class)
class DurabilityIntegrationTests {

	private final ReplicatedRedis servers = ReplicatedRedis.start();

	private final TestRedis redis = this.servers.primary().redis();

	private final TransactionTemplate transaction = new TransactionTemplate(new MemoryTransactionManager());

	private final List<EnqueueResult> seen = new ArrayList<>();

	private final JobClient client = Clients.client(this.redis, (request, chain) -> {
		EnqueueResult result = chain.proceed(request);
		this.seen.add(result);
		return result;
	});

	@AfterEach
	void close() {
		this.servers.close();
	}

	@Test
	void enqueueTellsWhatTheRequestReached() {
		EnqueueResult stored = this.client.enqueue(JobRequest.named("a"));
		EnqueueResult replicated = this.client.enqueue(replicated("b"));
		EnqueueResult later = this.client.enqueue(replicated("c").after(Duration.ofHours(1)));
		assertThat(stored).isEqualTo(new Enqueued(stored.id(), STORED));
		assertThat(replicated).isEqualTo(new Enqueued(replicated.id(), REPLICATED));
		assertThat(later).isInstanceOf(Scheduled.class).extracting(EnqueueResult::durability).isEqualTo(REPLICATED);
		assertThat(this.seen).containsExactly(stored, replicated, later);
		this.servers.cutLink();
		assertThat(this.client.enqueue(replicated("d")).durability()).isEqualTo(STORED);
	}

	@Test
	void enqueueAllWhenDurabilitiesAreMixedTellsForEachAndKeepsTheOrder() {
		List<EnqueueResult> results = this.client.enqueueAll(List.of(JobRequest.named("a").queue("x"),
				replicated("b").queue("y"), replicated("c").queue("x").after(Duration.ofHours(1)),
				JobRequest.named("d").queue("z"), JobRequest.named("e").queue("y")));
		assertThat(results).extracting(EnqueueResult::durability)
			.containsExactly(REPLICATED, REPLICATED, REPLICATED, STORED, REPLICATED);
		assertThat(results.get(2)).isInstanceOf(Scheduled.class);
		assertThat(this.redis.template().opsForList().range(this.redis.key("y", "ready"), 0, -1))
			.containsExactly(results.get(4).id(), results.get(1).id());
		assertThat(this.seen).extracting(EnqueueResult::durability).containsOnly(STORED);
	}

	@Test
	void enqueueAllWhenAQueueRefusesTellsWhatTheOthersReached() {
		this.redis.template().opsForHash().put(this.redis.key("y", "meta"), "schema", "99");
		assertThatExceptionOfType(BulkEnqueueException.class)
			.isThrownBy(() -> this.client.enqueueAll(List.of(replicated("a").queue("x"), replicated("b").queue("y"))))
			.satisfies((ex) -> {
				assertThat(ex.results().get(0).durability()).isEqualTo(REPLICATED);
				assertThat(ex.results().get(1)).isNull();
			});
	}

	@Test
	void commitWhenReplicaAcknowledgesSaysNothing(CapturedOutput output) {
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.client.enqueue(replicated("a"))).isInstanceOf(Deferred.class);
			this.client.enqueueAll(List.of(replicated("b"), JobRequest.named("c").queue("x")));
		});
		assertThat(this.servers.replica().redis().template().hasKey(this.redis.key("default", "ready"))).isTrue();
		assertThat(output).doesNotContain("The transaction has committed");
	}

	@Test
	void commitWhenNoReplicaAcknowledgesNamesTheJobs(CapturedOutput output) {
		this.servers.cutLink();
		List<String> ids = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			ids.add(this.client.enqueue(replicated("a")).id());
			ids.add(this.client.enqueue(JobRequest.named("b")).id());
		});
		assertThat(output).contains("no replica has acknowledged 1: a[" + ids.get(0) + "]")
			.doesNotContain("ERROR")
			.doesNotContain(ids.get(1));
		assertThat(this.client.find(ids.get(0))).isPresent();
	}

	@Test
	void commitWhenAQueueRefusesNamesNoJobAsLostThatIsReplicated(CapturedOutput output) {
		this.redis.template().opsForHash().put(this.redis.key("bad", "meta"), "schema", "99");
		List<String> ids = new ArrayList<>();
		assertThatExceptionOfType(JobStoreException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				ids.add(this.client.enqueue(replicated("a").queue("good")).id());
				ids.add(this.client.enqueue(replicated("b").queue("bad")).id());
			}));
		assertThat(output).contains("did not confirm 1 of its jobs: b[" + ids.get(1) + "]").doesNotContain(ids.get(0));
	}

	@Test
	void enqueueWhenRequestDoesNotWaitForTheCommitTellsWhatItReached() {
		this.transaction.executeWithoutResult((status) -> assertThat(
				this.client.enqueue(replicated("a").beforeCommit()).orElseThrow(REPLICATED).accepted())
			.isTrue());
	}

	private static JobRequest replicated(String name) {
		return JobRequest.named(name).durability(REPLICATED);
	}

}
