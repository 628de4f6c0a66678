package io.github.steadyjobs.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.server.ScriptFixture.Taken;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.audit.ViolationKind.LOST_PAYLOADS;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.bytes;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link JobAudit} with the backlogs of ordered keys.
 */
@RedisAndClusterTest
class BacklogAuditIntegrationTests {

	private static final String ENVELOPE = "{\"jid\":\"%s\",\"class\":\"x\",\"args\":[],\"queue\":\"orders\","
			+ "\"retry\":25,\"created_at\":1,\"enqueued_at\":1,\"key\":\"k\"}";

	private static final int STORED = 300;

	private final JobAudit audit;

	private final ScriptFixture queue;

	BacklogAuditIntegrationTests(TestRedis redis) {
		this.audit = new JobAudit(redis.connections(), redis.prefix());
		this.queue = new ScriptFixture(redis, "orders#0");
	}

	@BeforeEach
	void fill() {
		TestRedis redis = this.queue.redis();
		redis.template().opsForSet().add(redis.prefix() + ":queues", this.queue.queue());
		this.queue.join(PROCESS);
		push(0, STORED);
	}

	@Test
	void runWhenBacklogsAreInUseIsClean() {
		assertIsClean();
		push(STORED, 2000);
		this.queue.claim(1);
		assertIsClean();
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertIsClean();
		this.queue.cancel(1);
		assertIsClean();
		push(0, STORED);
		assertIsClean();
	}

	@Test
	void runWhenJobIsGoneReportsItsBacklogAndRepairMakesAJob() {
		this.queue.template().delete(List.of(this.queue.key("ready"), this.queue.key("payloads")));
		assertRepairs(id(1));
		assertThat(drain()).isEqualTo(range(64, STORED));
	}

	@Test
	void runOfQueueExaminesItsShards() {
		this.queue.template().delete(List.of(this.queue.key("ready"), this.queue.key("payloads")));
		AuditReport report = this.audit.run("orders");
		assertThat(report.isClean()).isFalse();
		assertThat(report).isEqualTo(this.audit.run());
		this.queue.spoil(this.queue.redis().prefix() + ":queues");
		assertThat(this.audit.run("orders").violations()).extracting(Violation::kind)
			.containsExactly(ViolationKind.WRONG_TYPE);
	}

	@Test
	void runWhenJobIsGoneAndCancelledDropsItsBacklog() {
		this.queue.template().opsForHash().delete(this.queue.key("payloads"), id(1));
		this.queue.template().opsForSet().add(this.queue.key("cancelled"), id(1));
		assertRepairs(id(1));
		push(1000, 1001);
		assertThat(drain()).containsExactly(1000);
	}

	@Test
	void runWhenNextJobOfARunIsGoneReportsItsBacklogAndRepairMakesIt() {
		push(STORED, 2000);
		this.queue.claim(1);
		this.queue.template().delete(this.queue.key("gathered"));
		assertRepairs(id(1));
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("D");
		assertThat(drain()).isEqualTo(range(1001, 2000));
	}

	@Test
	void runWhenPayloadHasNoPlaceReportsItAndRepairGivesItOne() {
		String member = this.queue.sorted("backlog").get(7);
		this.queue.template().opsForZSet().remove(this.queue.key("backlog"), member);
		assertRepairs("1:" + member.substring(member.length() - 24));
		assertThat(this.queue.sorted("backlog")).contains(member);
		assertThat(drain()).isEqualTo(range(0, STORED));
	}

	@Test
	void runWhenOrderIsLostRepairsIt() {
		Set<String> before = Set.copyOf(this.queue.sorted("backlog"));
		this.queue.template().delete(this.queue.key("backlog"));
		AuditReport report = this.audit.run();
		assertThat(report.violations()).hasSize(STORED - 64);
		this.audit.repair(report);
		assertIsClean();
		assertThat(Set.copyOf(this.queue.sorted("backlog"))).isEqualTo(before);
	}

	@Test
	void runWhenPlaceHasNoPayloadReportsItAndRepairRemovesIt() {
		String member = this.queue.sorted("backlog").get(7);
		this.queue.template()
			.opsForHash()
			.delete(this.queue.key("backlogged"), "1:" + member.substring(member.length() - 24));
		assertThat(this.audit.run().violations()).extracting(Violation::kind, Violation::id, Violation::where)
			.containsExactly(tuple(LOST_PAYLOADS, member, "backlog"));
		this.audit.repair(this.audit.run());
		assertIsClean();
		assertThat(drain()).hasSize(STORED - 1).doesNotContain(64 + 7);
	}

	@Test
	void runWhenBacklogHasNoKeyReportsItAndRepairGivesItBack() {
		this.queue.template().opsForHash().delete(this.queue.key("backlogged"), id(1));
		assertRepairs("1:");
		push(STORED, STORED + 10);
		assertThat(drain()).isEqualTo(range(0, STORED + 10));
	}

	@Test
	void claimWhenPlaceHasNoPayloadSkipsIt() {
		String member = this.queue.sorted("backlog").get(7);
		this.queue.template()
			.opsForHash()
			.delete(this.queue.key("backlogged"), "1:" + member.substring(member.length() - 24));
		assertThat(drain()).hasSize(STORED - 1);
		assertThat(this.queue.contents()).doesNotContainKeys("backlog", "backlogged");
	}

	@ParameterizedTest
	@ValueSource(strings = { "backlog", "backlogged" })
	void runWhenKeyHasWrongTypeIsCleanAfterSomeRepairs(String name) {
		this.queue.spoil(this.queue.key(name));
		this.audit.repair(this.audit.run());
		this.audit.repair(this.audit.run());
		assertIsClean();
		assertThat(drain()).startsWith(range(0, 64).toArray(Integer[]::new));
	}

	@Test
	void runWhenValueIsDamagedReportsIt() {
		this.queue.set("backlogged", id(2), "?");
		assertThat(this.audit.run().violations()).extracting(Violation::kind, Violation::id)
			.containsExactly(tuple(ViolationKind.BAD_VALUE, id(2)));
	}

	private void push(int from, int to) {
		for (int start = from; start < to; start += 1000) {
			this.queue.gather(IntStream.range(start, Math.min(to, start + 1000))
				.mapToObj((number) -> new NewJob(id(1),
						bytes(ENVELOPE.formatted(id(1)) + "\n" + number + " [" + number + "]\n"), null))
				.toArray(NewJob[]::new));
		}
	}

	private void assertRepairs(String id) {
		AuditReport report = this.audit.run();
		assertThat(report.violations()).extracting(Violation::kind, Violation::id)
			.containsExactly(tuple(LOST_PAYLOADS, id));
		assertThat(this.audit.repair(report).repaired()).isEqualTo(report.violations());
		assertIsClean();
		Map<String, Object> before = this.queue.contents();
		assertThat(this.audit.repair(report).gone()).isEqualTo(report.violations());
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	private void assertIsClean() {
		assertThat(this.audit.run().violations()).isEmpty();
	}

	private List<Integer> drain() {
		List<Integer> numbers = new ArrayList<>();
		while (this.queue.has("ready")) {
			for (Taken job : this.queue.take(1)) {
				new String(job.payload()).lines()
					.skip(1)
					.forEach((line) -> numbers.add(Integer.valueOf(line.split(" ")[0])));
				this.queue.acknowledge(PROCESS, job.id(), job.claim());
			}
		}
		return numbers;
	}

	private static List<Integer> range(int from, int to) {
		return IntStream.range(from, to).boxed().toList();
	}

}
