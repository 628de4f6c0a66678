package io.github.steadyjobs.boot;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.boot.WorkerProperties.RemoteStop;
import io.github.steadyjobs.client.JobClientSettings.Outage;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.IdempotenceDefaults.Undeclared;
import io.github.steadyjobs.doctor.Check;
import io.github.steadyjobs.doctor.Finding.Severity;
import io.github.steadyjobs.server.Capsule.Order;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link JobsProperties} (SK-06).
 */
class JobsPropertiesTests {

	@Test
	@DisplayName("SK-21: by default, jobs get 25 s to end at a shutdown")
	void bindWhenNothingIsSetUsesDefaults() {
		JobsProperties properties = Bound.properties();
		assertThat(properties.enabled()).isTrue();
		assertThat(properties.prefix()).isEqualTo("steadyjobs");
		assertThat(properties.client().outage(properties.shutdownTimeout())).isEqualTo(Outage.DEFAULTS);
		assertThat(properties.worker()).isEqualTo(new WorkerProperties(true, true, RemoteStop.APPLICATION, false));
		assertThat(properties.runs()).isEqualTo(new RunProperties(false, Duration.ZERO, Duration.ofHours(1)));
		assertThat(properties.queues()).isEmpty();
		assertThat(properties.capsules()).isEmpty();
		assertThat(properties.shutdownTimeout()).isEqualTo(Duration.ofSeconds(25));
		assertThat(properties.payloadLimit()).isEqualTo(DataSize.ofMegabytes(1));
		assertThat(properties.liveness())
			.isEqualTo(new JobsProperties.Liveness(Duration.ofSeconds(5), Duration.ofSeconds(30), 3));
		assertThat(properties.dead()).isEqualTo(new JobsProperties.Dead(10_000, Duration.ofDays(180)));
		assertThat(properties.retry()).isEqualTo(new JobsProperties.Retry(25, 0));
		assertThat(properties.idempotence()).isEqualTo(
				new JobsProperties.Idempotence(Strategy.UNTIL_EXECUTING, Duration.ofHours(6), Undeclared.WARN, false));
		assertThat(properties.idempotence().defaults()).isEqualTo(IdempotenceDefaults.STANDARD);
		DoctorProperties doctor = Bound.doctor("");
		assertThat(doctor.enabled()).isTrue();
		assertThat(doctor.severity().byCheck()).containsOnlyKeys(Check.values())
			.containsEntry(Check.EVICTION, Severity.ERROR)
			.containsEntry(Check.PERSISTENCE, Severity.WARN);
		assertThat(properties.jobs()).isEmpty();
		assertThat(properties.recurring()).isEmpty();
		assertThat(properties.ticks().lateAfter()).isEqualTo(Duration.ofMinutes(1));
	}

	@Test
	@DisplayName("LK-45: shards are split among nodes only if that is configured")
	void bindWhenNodesAreSetSplitsShards() {
		TreeMap<String, Integer> shards = new TreeMap<>(Map.of("a", 3));
		assertThat(Bound.properties().sequential().splitter().split(shards)).isEqualTo(Map.of("a", List.of(0, 1, 2)));
		assertThat(sequential("nodes=2", "node=1", "order=round-robin").splitter().split(shards))
			.isEqualTo(Map.of("a", List.of(1)));
		assertThat(sequential("order=round-robin").order()).isEqualTo(SequentialProperties.Order.ROUND_ROBIN);
	}

	@Test
	void bindWhenLimitIsSetUsesIt() {
		assertThat(Bound.properties().sequential().limit()).isEqualTo(JobStore.MOST_PAYLOADS);
		assertThat(sequential("limit=7").limit()).isEqualTo(7);
	}

	@ParameterizedTest
	@ValueSource(strings = { "2", "-1" })
	void bindWhenThereIsNoSuchNodeSaysSo(String node) {
		assertThatException().isThrownBy(() -> sequential("nodes=2", "node=" + node))
			.havingRootCause()
			.isInstanceOf(JobsPropertyException.class)
			.withMessageStartingWith("'steadyjobs.sequential.node' is '%s'. Set it to the number of this node", node);
	}

	private static SequentialProperties sequential(String... lines) {
		return Bound.properties(Arrays.stream(lines).map("steadyjobs.sequential."::concat).toArray(String[]::new))
			.sequential();
	}

	@ParameterizedTest
	@EnumSource
	void bindWhenOrderIsWrittenWithDashesFindsIt(Order order) {
		String text = order.name().toLowerCase().replace('_', '-');
		JobsProperties properties = Bound.properties("steadyjobs.capsules.a.queues=a",
				"steadyjobs.capsules.a.order=" + text);
		assertThat(properties.capsules().get("a").builtInOrder()).isEqualTo(order);
	}

	@Test
	@DisplayName("GL-10, GL-18: the default strategy and lifetime of locks can be set")
	void bindWhenDefaultsOfIdempotentJobsAreSetUsesThem() {
		JobsProperties properties = Bound.properties("steadyjobs.idempotence.strategy=until-executed",
				"steadyjobs.idempotence.ttl=5m", "steadyjobs.idempotence.undeclared=fail",
				"steadyjobs.idempotence.dry-run=true");
		assertThat(properties.idempotence().dryRun()).isTrue();
		assertThat(properties.idempotence().defaults())
			.isEqualTo(new IdempotenceDefaults(Strategy.UNTIL_EXECUTED, Duration.ofMinutes(5), Undeclared.FAIL));
	}

	@ParameterizedTest
	@EnumSource
	void bindWhenSeverityIsSetPutsItToItsCheck(Check check) {
		DoctorProperties properties = Bound.doctor("steadyjobs.doctor.severity.%s=fail".formatted(check.id()));
		assertThat(properties.severity().byCheck()).containsEntry(check, Severity.FAIL);
		assertThat(properties.severity().byCheck().values()).containsOnlyOnce(Severity.FAIL);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					steadyjobs.prefix=a b                       | 'steadyjobs.prefix' is 'a b'. Use 1 to 64 of
					steadyjobs.prefix={a}                       | 'steadyjobs.prefix' is '{a}'. Use 1 to 64 of
					steadyjobs.client.retry-after-commit=-1s    | 'steadyjobs.client.retry-after-commit' is 'PT-1S'. Set it to 0s to 1d
					steadyjobs.client.retry-after-commit=25h    | 'steadyjobs.client.retry-after-commit' is 'PT25H'. Set it to 0s to 1d
					steadyjobs.client.buffer=-1                 | 'steadyjobs.client.buffer' is '-1'. Set it to 0 to 1000000
					steadyjobs.client.buffer=1000001            | 'steadyjobs.client.buffer' is '1000001'. Set it to 0 to 1000000
					steadyjobs.client.buffer-size=0             | 'steadyjobs.client.buffer-size' is '0B'. Set it to more than 0, as in '256MB'
					steadyjobs.queues[a\\ b].weight=1           | 'steadyjobs.queues.a b' is '…'. Use 1 to 64 of
					steadyjobs.queues.mail.weight=-1            | 'steadyjobs.queues.mail.weight' is '-1'. Set it to 1 to 1000.
					steadyjobs.queues.mail.weight=0             | 'steadyjobs.queues.mail.weight' is '0'. Set it to 1 to 1000.
					steadyjobs.queues.mail.breaker=10           | 'steadyjobs.queues.mail.breaker' is '10'. Set it to a number of failures
					steadyjobs.queues.mail.weight=1001          | 'steadyjobs.queues.mail.weight' is '1001'. Set it to 1 to 1000.
					steadyjobs.capsules[a\\ b].queues=a         | 'steadyjobs.capsules.a b' is '…'. Use 1 to 64 of
					steadyjobs.capsules.default.concurrency=0   | 'steadyjobs.capsules.default.concurrency' is '0'. Set it to 1 or more
					steadyjobs.capsules.default.order=strict    | 'steadyjobs.capsules.default.order' is 'strict'. List the queues in 'steadyjobs.capsules.default.queues'
					steadyjobs.capsules.default.claim-ahead=-1ms | 'steadyjobs.capsules.default.claim-ahead' is 'PT-0.001S'. Set it to 0ms to 100ms
					steadyjobs.capsules.default.claim-ahead=101ms | 'steadyjobs.capsules.default.claim-ahead' is 'PT0.101S'. Set it to 0ms to 100ms
					steadyjobs.capsules.reports.concurrency=1   | 'steadyjobs.capsules.reports.queues' is not set. List the queues
					steadyjobs.shutdown-timeout=-1s             | 'steadyjobs.shutdown-timeout' is 'PT-1S'. Set it to 0s or more
					steadyjobs.payload-limit=0                  | 'steadyjobs.payload-limit' is '0B'. Set it to more than nothing
					steadyjobs.liveness.beat=0s                 | 'steadyjobs.liveness.beat' is 'PT0S'. Set it to 1ms or more
					steadyjobs.liveness.beat=8s                 | 'steadyjobs.liveness.death-after' is 'PT30S'. Set it to at least four times 'steadyjobs.liveness.beat', which is 'PT8S'.
					steadyjobs.liveness.max-crashes=0           | 'steadyjobs.liveness.max-crashes' is '0'. Set it to 1 or more
					steadyjobs.dead.max=0                       | 'steadyjobs.dead.max' is '0'. Set it to 1 or more
					steadyjobs.dead.age=0s                      | 'steadyjobs.dead.age' is 'PT0S'. Set it to 1ms or more
					steadyjobs.idempotence.ttl=0s               | 'steadyjobs.idempotence.ttl' is 'PT0S'. Set it to 1ms or more, as in '6h',
					steadyjobs.idempotence.ttl=-6h              | 'steadyjobs.idempotence.ttl' is 'PT-6H'. Set it to 1ms or more, as in '6h',
					steadyjobs.idempotence.ttl=99999999d        | 'steadyjobs.idempotence.ttl' is 'PT2399999976H'. Set it to 1ms or more, as in '6h', and less than 100,000 years.
					steadyjobs.idempotence.strategy=default     | 'steadyjobs.idempotence.strategy' is 'default'. Set it to 'until-executing', 'until-executed', 'while-executing' or 'within'.
					steadyjobs.sequential.nodes=3               | 'steadyjobs.sequential.node' is not set. Set it to the number of this node, from 0, because 'steadyjobs.sequential.nodes' is '3'.
					steadyjobs.sequential.nodes=0               | 'steadyjobs.sequential.nodes' is '0'. Set it to 1 or more
					steadyjobs.sequential.limit=0               | 'steadyjobs.sequential.limit' is '0'. Set it to 1 or more
					steadyjobs.sequential.node=0                | 'steadyjobs.sequential.nodes' is not set. Set it to the number of nodes
					steadyjobs.runs.slow-after=-1s              | 'steadyjobs.runs.slow-after' is 'PT-1S'. Set it to 1ms or more, as in '10s', or to 0s for no reports.
					steadyjobs.runs.stuck-after=-1s             | 'steadyjobs.runs.stuck-after' is 'PT-1S'. Set it to 1ms or more, as in '1h', or to 0s for no reports.
					steadyjobs.retry.max=-1                     | 'steadyjobs.retry.max' is '-1'. Set it to 0 or more.
					steadyjobs.history.deploy-label=a\u0007b   | 'steadyjobs.history.deploy-label' is 'a\u0007b'. Set it to 1 to 200 characters without control characters
					steadyjobs.retry.backtrace=-1               | 'steadyjobs.retry.backtrace' is '-1'. Set it to 0 or more.
					""")
	void bindWhenValueIsBadNamesThePropertyAndWhatToType(String line, String message) {
		assertThatException().isThrownBy(() -> Bound.properties(line))
			.havingRootCause()
			.isInstanceOf(JobsPropertyException.class)
			.withMessageStartingWith(message);
	}

	@Test
	void bindWhenClaimAheadIsLongForDeathAfterSaysWhichIsAllowed() {
		String[] lines = { "steadyjobs.liveness.beat=100ms", "steadyjobs.liveness.death-after=2s",
				"steadyjobs.capsules.default.claim-ahead=" };
		assertThat(claimAhead(lines[0], lines[1], lines[2] + "49ms")).isEqualTo(Duration.ofMillis(49));
		assertThatException().isThrownBy(() -> claimAhead(lines[0], lines[1], lines[2] + "50ms"))
			.havingRootCause()
			.isInstanceOf(JobsPropertyException.class)
			.withMessageStartingWith("'steadyjobs.capsules.default.claim-ahead' is 'PT0.05S'. Set it to less than a "
					+ "fortieth of 'steadyjobs.liveness.death-after', which is 'PT2S'");
	}

	@Test
	void bindWhenClaimAheadIsZeroSwitchesItOff() {
		assertThat(claimAhead("steadyjobs.capsules.default.claim-ahead=0")).isZero();
		assertThat(claimAhead("steadyjobs.capsules.default.concurrency=2")).isEqualTo(Duration.ofMillis(5));
	}

	private static Duration claimAhead(String... lines) {
		return Bound.properties(lines).capsules().get("default").claimAhead();
	}

}
