package io.github.steadyjobs.client;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Duplicate;
import io.github.steadyjobs.EnqueueResult.Enqueued;
import io.github.steadyjobs.EnqueueResult.Scheduled;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobNotAcceptedException;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.client.SyncJobs.Change;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.definition.JobSettings;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for deduplication when jobs are enqueued.
 */
@RedisTest
class DeduplicationIntegrationTests {

	private static final JsonMapper JSON = JobJson.builder().build();

	private final TestRedis redis;

	private final List<String> events = new ArrayList<>();

	private final AtomicReference<@Nullable String> position = new AtomicReference<>("0007");

	private final JobClient client;

	DeduplicationIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.client = client(true);
	}

	private JobClient client(boolean dryRun) {
		return client(dryRun, Map.of());
	}

	private JobClient client(boolean dryRun, Map<String, JobSettings> overrides) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("syncJobs", new SyncJobs());
		JobClientSettings settings = new JobClientSettings(DataSize.ofMegabytes(1), Clock.systemUTC(),
				Duration.ofHours(6), dryRun, List.of(new TestSource()), (queue) -> false,
				JobClientSettings.Outage.DEFAULTS);
		return JobClientFactory.create(new JobStore(this.redis.connections(), this.redis.prefix()),
				new PayloadCodec(JSON), new JobRegistry(beans, overrides, IdempotenceDefaults.STANDARD, JSON),
				List.of(), List.of(new Noting()), settings);
	}

	@Test
	@DisplayName("GL-03, GL-16: while an equal job waits, a new job is a duplicate, and the result names the waiting job")
	void enqueueWhenEqualJobWaitsReturnsDuplicate() {
		EnqueueResult first = waiting(1);
		assertThat(first).isInstanceOf(Enqueued.class);
		EnqueueResult second = waiting(1);
		assertThat(second).isEqualTo(new Duplicate(first.id(), false));
		assertThat(second.accepted()).isFalse();
		assertThat(second.durability()).isNull();
		assertThatExceptionOfType(JobNotAcceptedException.class).isThrownBy(second::orElseThrow)
			.withMessageContaining(first.id());
		assertThat(waiting(2)).isInstanceOf(Enqueued.class);
		assertThat(this.redis.template().opsForList().size(this.redis.key("default", "ready"))).isEqualTo(2);
		assertThat(this.events).containsExactly("dropped SyncJobs.waiting");
	}

	@Test
	void enqueueWhenNameIsAnAliasReturnsDuplicate() {
		EnqueueResult first = waiting(1);
		JobRequest alias = JobRequest.named("SyncJobs.pending", 1);
		assertThat(this.client.enqueue(alias)).isEqualTo(new Duplicate(first.id(), false));
		assertThat(this.client.enqueue(alias.idempotent(Idempotence.untilExecuting())))
			.isEqualTo(new Duplicate(first.id(), false));
	}

	@Test
	@DisplayName("configuration can disable dropping for one job")
	void enqueueWhenDroppingIsSwitchedOffStoresAll() {
		JobSettings off = JobSettings.NONE.with("deduplicate", "false");
		JobClient client = client(false,
				Map.of("SyncJobs.waiting", off, "SyncJobs.newest", off, "SyncJobs.declared", off));
		JobRequest waiting = JobRequest.named("SyncJobs.waiting", 1);
		waiting(1);
		assertThat(client.enqueue(waiting)).isInstanceOf(Enqueued.class);
		assertThat(client.enqueue(JobRequest.named("SyncJobs.pending", 1))).isInstanceOf(Enqueued.class);
		assertThat(client.enqueue(waiting.idempotent(Idempotence.untilExecuted()))).isInstanceOf(Enqueued.class);
		JobRequest declared = JobRequest.named("SyncJobs.declared", 1).idempotent(Idempotence.untilExecuted());
		assertThat(List.of(client.enqueue(declared), client.enqueue(declared))).hasOnlyElementsOfType(Enqueued.class);
		// With deduplication, this job would be refused, because its key is null. The
		// positions are stored nevertheless.
		assertThat(client.enqueue(new Change(null, 1))).isInstanceOf(Enqueued.class);
		assertThat(this.redis.template().<String, String>opsForHash().values(this.redis.key("default", "lockof")))
			.filteredOn((lock) -> lock.startsWith("n"))
			.singleElement()
			.asString()
			.contains("=0007");
		// Duplicates of other jobs are still dropped.
		JobRequest hourly = JobRequest.named("SyncJobs.hourly", 1);
		assertThat(client.enqueue(hourly)).isInstanceOf(Enqueued.class);
		assertThat(client.enqueue(hourly)).isInstanceOf(Duplicate.class);
	}

	@Test
	void enqueueWhenDroppingIsSwitchedOffStillRunsOneAtATime() {
		JobClient client = client(false, Map.of("SyncJobs.declared", JobSettings.NONE.with("deduplicate", "false")));
		client.enqueue(JobRequest.named("SyncJobs.declared", 1).idempotent(Idempotence.whileExecuting()));
		assertThat(this.redis.template().<String, String>opsForHash().values(this.redis.key("default", "lockof")))
			.singleElement()
			.asString()
			.startsWith("m");
	}

	@Test
	void enqueueWhenQueueDiffersIsNoDuplicate() {
		waiting(1);
		assertThat(this.client.enqueue(JobRequest.named("SyncJobs.waiting", 1).queue("other")))
			.isInstanceOf(Enqueued.class);
	}

	static List<Idempotence> lockedUntil() {
		return List.of(Idempotence.untilExecuting(), Idempotence.untilExecuted());
	}

	@ParameterizedTest
	@MethodSource("lockedUntil")
	@DisplayName("GL-14: scheduled jobs are not deduplicated")
	void enqueueWhenScheduledTakesNoPart(Idempotence idempotence) {
		JobRequest now = JobRequest.named("SyncJobs.declared", 1).idempotent(idempotence);
		JobRequest later = now.after(Duration.ofHours(1));
		assertThat(this.client.enqueue(later)).isInstanceOf(Scheduled.class);
		assertThat(this.client.enqueue(later)).isInstanceOf(Scheduled.class);
		assertThat(this.client.enqueue(now)).isInstanceOf(Enqueued.class);
		assertThat(this.client.enqueue(now)).isInstanceOf(Duplicate.class);
		assertThat(this.client.enqueue(later)).isInstanceOf(Scheduled.class);
	}

	@ParameterizedTest
	@MethodSource("lockedUntil")
	@DisplayName("GL-15: scheduled jobs are deduplicated if they are included")
	void enqueueWhenScheduledAndIncludedTakesPart(Idempotence idempotence) {
		JobRequest request = JobRequest.named("SyncJobs.declared", 1).idempotent(idempotence.withScheduled());
		EnqueueResult later = this.client.enqueue(request.after(Duration.ofHours(1)));
		assertThat(this.client.enqueue(request.after(Duration.ofHours(2)))).isEqualTo(new Duplicate(later.id(), false));
		assertThat(this.client.enqueue(request)).isEqualTo(new Duplicate(later.id(), false));
	}

	@Test
	void enqueueWhenKeyIsEqualAndTheRestIsNotReturnsDuplicate() {
		EnqueueResult first = this.client.enqueue(new Change("a", 1));
		assertThat(this.client.enqueue(new Change("a", 2))).isEqualTo(new Duplicate(first.id(), false));
		assertThat(this.client.enqueue(new Change("b", 2))).isInstanceOf(Enqueued.class);
	}

	@Test
	void enqueueWhenKeyIsNullThrowsAndStoresNothing() {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.client.enqueue(new Change(null, 1)))
			.withMessageContaining("SyncJobs.newest")
			.withMessageContaining("#change.shop");
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	@DisplayName("GL-20: each job can have its own TTL, and so can each request")
	void enqueueWhenTtlIsSetTakesThat() {
		this.client.enqueue(new Change("a", 1));
		waiting(1);
		this.client.enqueue(JobRequest.named("SyncJobs.undeclared", 1)
			.idempotent(Idempotence.untilExecuted().ttl(Duration.ofSeconds(3))));
		assertThat(this.redis.template().<String, String>opsForHash().values(this.redis.key("default", "lockof")))
			.map((lock) -> lock.split(" ")[0])
			.containsExactlyInAnyOrder("a493e0", "u1499700", "ebb8");
	}

	@Test
	void enqueueWhenRequestSaysHowDoesThatInsteadOfTheDeclaration() {
		JobRequest request = JobRequest.named("SyncJobs.declared", 1)
			.idempotent(Idempotence.untilExecuted().key("mine"));
		EnqueueResult first = this.client.enqueue(request);
		assertThat(this.client
			.enqueue(JobRequest.named("SyncJobs.declared", 2).idempotent(request.options().idempotence())))
			.isEqualTo(new Duplicate(first.id(), false));
		assertThat(this.client.enqueue(JobRequest.named("SyncJobs.declared", 1))).isInstanceOf(Enqueued.class);
	}

	@Test
	void enqueueWhenJobIsNotKnownHereDeduplicatesAsTheRequestSays() {
		JobRequest request = JobRequest.named("elsewhere", Map.of("b", 1, "a", 2))
			.idempotent(Idempotence.untilExecuting());
		EnqueueResult first = this.client.enqueue(request);
		assertThat(this.client.enqueue(request)).isEqualTo(new Duplicate(first.id(), false));
	}

	@Test
	void enqueueWhenJobIsNotKnownHereObeysTheConfiguration() {
		JobSettings settings = JobSettings.NONE.with("deduplicate", "false").with("queue", "slow");
		JobClient client = client(false, Map.of("elsewhere", settings));
		JobRequest request = JobRequest.named("elsewhere", 1).idempotent(Idempotence.untilExecuting());
		EnqueueResult first = client.enqueue(request);
		assertThat(client.enqueue(request)).isInstanceOf(Enqueued.class);
		assertThat(client.find(first.id()).orElseThrow().queue()).isEqualTo("slow");
	}

	@Test
	void enqueueWhenWithinWindowDropsUnlessTheFirstWasCancelled() {
		EnqueueResult first = this.client.enqueue(JobRequest.named("SyncJobs.hourly", 1));
		assertThat(this.client.enqueue(JobRequest.named("SyncJobs.hourly", 1)))
			.isEqualTo(new Duplicate(first.id(), false));
		assertThat(this.client.cancel(first.id())).isTrue();
		assertThat(this.client.enqueue(JobRequest.named("SyncJobs.hourly", 1))).isInstanceOf(Enqueued.class);
	}

	@Test
	@DisplayName("GL-10: an application may add its own strategies")
	void enqueueWhenStrategyIsCustomDoesAsThatSays() {
		assertThat(this.client.enqueue(JobRequest.named("SyncJobs.large", 7))).isInstanceOf(Enqueued.class);
		assertThat(this.client.enqueue(JobRequest.named("SyncJobs.large", 7))).isInstanceOf(Enqueued.class);
		EnqueueResult large = this.client.enqueue(JobRequest.named("SyncJobs.large", 1234));
		assertThat(this.client.enqueue(JobRequest.named("SyncJobs.large", 5674)))
			.isEqualTo(new Duplicate(large.id(), false));
	}

	@Test
	void enqueueAllWhenSomeAreDuplicatesTellsWhich() {
		EnqueueResult first = waiting(2);
		List<EnqueueResult> results = this.client
			.enqueueAll(List.of(JobRequest.named("SyncJobs.waiting", 1), JobRequest.named("SyncJobs.waiting", 2),
					JobRequest.named("SyncJobs.waiting", 1), JobRequest.named("SyncJobs.undeclared", 1)));
		assertThat(results.get(0)).isInstanceOf(Enqueued.class);
		assertThat(results.get(1)).isEqualTo(new Duplicate(first.id(), false));
		assertThat(results.get(2)).isEqualTo(new Duplicate(results.get(0).id(), false));
		assertThat(results.get(3)).isInstanceOf(Enqueued.class);
		assertThat(this.events).containsExactly("dropped SyncJobs.waiting", "dropped SyncJobs.waiting");
	}

	@Test
	void enqueueWhenTransactionCommitsDropsDuplicatesThen() {
		TransactionTemplate transaction = new TransactionTemplate(new MemoryTransactionManager());
		List<EnqueueResult> results = transaction.execute((status) -> List.of(waiting(1), waiting(1), waiting(2)));
		assertThat(results).allSatisfy((result) -> assertThat(result).isInstanceOf(EnqueueResult.Deferred.class));
		assertThat(this.redis.template().<String, String>opsForHash().keys(this.redis.key("default", "payloads")))
			.containsExactlyInAnyOrder(results.get(0).id(), results.get(2).id());
	}

	@Test
	@DisplayName("GL-17: the lock of a lost job is taken over, and listeners are notified")
	void enqueueWhenHolderIsLostTellsOfTheTakeOver() {
		EnqueueResult first = waiting(1);
		this.redis.template().opsForHash().delete(this.redis.key("default", "payloads"), first.id());
		this.redis.template().delete(this.redis.key("default", "ready"));
		assertThat(waiting(1)).isInstanceOf(Enqueued.class);
		assertThat(this.events).containsExactly("TAKEN_OVER SyncJobs.waiting");
	}

	@Test
	@DisplayName("GL-X2: a dry run counts the jobs without declarations that would be dropped")
	void enqueueWhenDryRunTellsOfPossibleDuplicatesAndStoresThem() {
		for (String job : List.of("undeclared", "declared")) {
			for (int i = 0; i < 3; i++) {
				assertThat(this.client.enqueue(JobRequest.named("SyncJobs." + job, 1))).isInstanceOf(Enqueued.class);
			}
		}
		assertThat(this.events).containsExactly("POSSIBLE SyncJobs.undeclared", "POSSIBLE SyncJobs.undeclared");
		assertThat(this.redis.template().hasKey(this.redis.key("default", "locks"))).isFalse();
		this.events.clear();
		JobClient without = client(false);
		without.enqueue(JobRequest.named("SyncJobs.undeclared", 1));
		without.enqueue(JobRequest.named("SyncJobs.undeclared", 1));
		assertThat(this.events).isEmpty();
	}

	@Test
	void enqueueWhenDryRunAndTheTransactionRollsBackTellsNothing() {
		JobRequest undeclared = JobRequest.named("SyncJobs.undeclared", 1);
		this.client.enqueue(undeclared);
		new TransactionTemplate(new MemoryTransactionManager()).executeWithoutResult((status) -> {
			this.client.enqueue(undeclared);
			status.setRollbackOnly();
		});
		assertThat(this.events).isEmpty();
	}

	@Test
	@DisplayName("GL-21: the position is taken at the moment when the job is stored")
	void enqueueWhenConsistencyIsKeptStoresThePosition() {
		this.client.enqueue(new Change("a", 1));
		this.position.set("0009");
		this.client.enqueue(new Change("a", 2));
		this.position.set(null);
		this.client.enqueue(new Change("a", 3));
		new TransactionTemplate(new MemoryTransactionManager()).executeWithoutResult((status) -> {
			this.client.enqueue(new Change("b", 1));
			this.position.set("0011");
		});
		assertThat(this.redis.template().<String, String>opsForHash().values(this.redis.key("default", "lockof")))
			.map((lock) -> lock.split(" ")[2])
			.containsExactlyInAnyOrder("db=0009", "db=0011");
	}

	@Test
	void enqueueWhenPositionCannotBeToldStoresTheJobAllTheSame() {
		this.position.set("not; a position");
		assertThat(this.client.enqueue(new Change("a", 1))).isInstanceOf(Enqueued.class);
		this.position.set("throw");
		assertThat(this.client.enqueue(new Change("b", 1))).isInstanceOf(Enqueued.class);
	}

	@Test
	void enqueueWhenReplicatedReturnsDuplicateToo() {
		EnqueueResult first = waiting(1);
		assertThat(this.client.enqueue(JobRequest.named("SyncJobs.waiting", 1).durability(Durability.REPLICATED)))
			.isEqualTo(new Duplicate(first.id(), false));
	}

	private EnqueueResult waiting(int shop) {
		return this.client.enqueue(JobRequest.named("SyncJobs.waiting", shop));
	}

	private final class Noting implements EnqueueListener {

		@Override
		public void accepted(Requested job, EnqueueResult result, Overlap overlap) {
			if (overlap != Overlap.NONE) {
				DeduplicationIntegrationTests.this.events.add(overlap + " " + job.name());
			}
		}

		@Override
		public void duplicate(Requested job, Duplicate result) {
			DeduplicationIntegrationTests.this.events
				.add((result.runsOnceMore() ? "once more " : "dropped ") + job.name());
		}

	}

	private final class TestSource implements ConsistencySource {

		@Override
		public String name() {
			return "db";
		}

		@Override
		public @Nullable String position() {
			String position = DeduplicationIntegrationTests.this.position.get();
			if ("throw".equals(position)) {
				throw new IllegalStateException("No position");
			}
			return position;
		}

		@Override
		public boolean begin(String position) {
			return true;
		}

	}

}
