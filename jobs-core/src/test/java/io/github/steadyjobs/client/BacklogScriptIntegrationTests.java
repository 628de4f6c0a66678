package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.server.ScriptFixture.Taken;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.bytes;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.ordered;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code backlog.lua} and {@code drop-backlog.lua}: keys for which more
 * payloads wait than their stored job has room for.
 */
class BacklogScriptIntegrationTests extends AbstractScriptTests {

	private static final int FRONT = 64;

	BacklogScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void gatherWhenFrontIsFullUsesTheBacklogAndRaisesTheSchema() {
		assertThat(push(0, FRONT)).doesNotContain("F");
		assertThat(this.queue.hash("meta")).containsEntry("schema", "1");
		assertThat(this.queue.contents()).doesNotContainKeys("backlog", "backlogged");
		assertThat(push(FRONT, FRONT + 1)).isEqualTo("M");
		assertThat(this.queue.hash("meta")).containsEntry("schema", "2");
		assertThat(front(1).size()).isEqualTo(FRONT);
		assertThat(this.queue.sorted("backlog")).hasSize(1);
		assertThat(this.queue.hash("backlogged")).hasSize(3)
			.containsEntry(id(1), "1 1 11 0 1")
			.containsEntry("1:", "payload of 1\n");
		assertThat(this.queue.ready()).containsExactly(ids(1));
	}

	@Test
	void gatherWhenPayloadsAreLargeUsesTheBacklogEarlier() {
		String large = "[\"" + "x".repeat(40_000) + "\"]";
		this.queue.gather(ordered(1, "1", large));
		this.queue.gather(ordered(1, "2", large.replace('x', 'y')));
		assertThat(front(1).size()).isEqualTo(1);
		assertThat(this.queue.sorted("backlog")).hasSize(1);
	}

	@Test
	void claimTakesAThousandAndTheRestIsTheNextJobAtTheTail() {
		push(0, 2500);
		this.queue.gather(ordered(2, "1", "[1]"));
		this.queue.join(PROCESS);
		assertThat(scores(this.queue.take(1).get(0))).isEqualTo(range(0, 1000));
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("D");
		assertThat(this.queue.ready()).containsExactly(ids(2, 1));
		assertThat(this.queue.take(1).get(0).id()).isEqualTo(id(2));
		assertThat(scores(this.queue.take(1).get(0))).isEqualTo(range(1000, 2000));
		this.queue.acknowledge(PROCESS, id(1), token(3));
		assertThat(scores(this.queue.take(1).get(0))).isEqualTo(range(2000, 2500));
		this.queue.acknowledge(PROCESS, id(1), token(4), id(2), token(2));
		assertThat(this.queue.contents()).doesNotContainKeys("backlog", "backlogged", "payloads", "gathered", "ready");
	}

	@Test
	void claimTakesAMegabyte() {
		String large = "[\"" + "x".repeat(300_000) + "\"]";
		for (int i = 0; i < 8; i++) {
			this.queue.gather(ordered(1, Integer.toString(i), large.replace('x', (char) ('a' + i))));
		}
		this.queue.join(PROCESS);
		List<Integer> sizes = new ArrayList<>();
		for (long claim = 1; claim <= 3; claim++) {
			sizes.add(Gathered.read(this.queue.take(1).get(0).payload()).size());
			this.queue.acknowledge(PROCESS, id(1), token(claim));
		}
		assertThat(sizes).containsExactly(3, 3, 2);
		assertThat(this.queue.contents()).doesNotContainKeys("backlog", "backlogged", "payloads");
	}

	@Test
	void claimWhenRepeatedGivesTheSamePayloads() {
		push(0, 1500);
		this.queue.join(PROCESS);
		Taken first = this.queue.take(PROCESS, 1, 1, 200).get(0);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.take(PROCESS, 1, 1, 200).get(0).payload()).isEqualTo(first.payload());
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void claimWhenKeysHaveBacklogsTakesFew() {
		for (int key = 1; key <= 4; key++) {
			push(key, 0, 1500);
		}
		this.queue.join(PROCESS);
		assertThat(this.queue.take(4)).extracting(Taken::id).containsExactly(id(1));
		assertThat(this.queue.ready()).containsExactly(ids(2, 3, 4));
		assertThat(this.queue.list("wake")).isNotEmpty();
	}

	// No payload runs before a payload with a smaller score.
	@Test
	void claimMergesFrontAndBacklogByScoreAndArrival() {
		List<Integer> numbers = new ArrayList<>(range(0, 3000));
		Collections.shuffle(numbers, new Random(7));
		// Each score occurs three times. The sort is stable, so payloads with equal
		// scores stay in order of arrival.
		List<String> expected = numbers.stream()
			.sorted((one, other) -> Integer.compare(one / 3, other / 3))
			.map((number) -> "%d [%d]".formatted(number / 3 - 500, number))
			.toList();
		for (int from = 0; from < 3000; from += 100) {
			this.queue.gather(numbers.subList(from, from + 100)
				.stream()
				.map((number) -> ordered(1, Integer.toString(number / 3 - 500), "[" + number + "]"))
				.toArray(NewJob[]::new));
		}
		this.queue.join(PROCESS);
		assertThat(drain()).isEqualTo(expected);
	}

	@Test
	void claimWhenScoresAreOfAnyKindKeepsTheOrderOfGather() {
		List<String> scores = List.of("-1E300", "-9223372036854775808", "-9223372036854775807",
				"-9223372036854775807.5", "-9007199254740993", "-10", "-9.5", "-0.001", "0", "0.0", "1E-300", "2", "10",
				"9007199254740992", "9007199254740993", "1732290000000000001", "1732290000000000002",
				"9223372036854775806", "9223372036854775807", "9.223372036854775807E18",
				"123456789012345678901234567890", "1E300");
		List<NewJob> jobs = new ArrayList<>();
		for (int i = 0; i < scores.size(); i++) {
			jobs.add(ordered(2, scores.get(i), "[" + i + "]"));
		}
		Collections.shuffle(jobs, new Random(3));
		this.queue.gather(jobs.toArray(NewJob[]::new));
		List<String> inFront = lines(front(2));
		// Fill the front of the other key, so that the same payloads go to its backlog.
		push(0, FRONT);
		this.queue.gather(jobs.stream().map((job) -> new NewJob(id(1), job.payload(), null)).toArray(NewJob[]::new));
		this.queue.join(PROCESS);
		List<String> all = lines(Gathered.read(this.queue.take(1).get(0).payload()));
		all.removeIf((line) -> line.contains("[\"p"));
		assertThat(all).isEqualTo(inFront);
	}

	// LK-17
	@Test
	void gatherWhenPayloadsAreEqualKeepsTheSmallerScore() {
		push(0, FRONT);
		assertThat(this.queue.gather(ordered(1, "500", "[\"a\"]"), ordered(1, "400", "[\"a\"]"),
				ordered(1, "450", "[\"a\"]"), ordered(1, "7", "[\"p3\"]"), ordered(1, "-1", "[\"p5\"]")))
			.isEqualTo("MMMMM");
		this.queue.gather(ordered(1, "300", "[\"a\"]"));
		this.queue.gather(ordered(1, "350", "[\"a\"]"));
		assertThat(this.queue.sorted("backlog")).hasSize(3);
		this.queue.join(PROCESS);
		List<String> lines = drain();
		assertThat(lines).hasSize(FRONT + 1)
			.startsWith("-1 [\"p5\"]", "0 [\"p0\"]")
			.contains("3 [\"p3\"]", "300 [\"a\"]")
			.doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void gatherManyDoesWhatOneAfterTheOtherDo(long seed) {
		ScriptFixture other = this.queue.gatherInTwoWays(new Random(seed), 300);
		this.queue.join(PROCESS);
		other.join(PROCESS);
		assertThat(this.queue.take(1).get(0).payload()).isEqualTo(other.take(1).get(0).payload());
		this.queue.acknowledge(PROCESS, id(1), token(1));
	}

	@Test
	void gatherWhenKeyRunsUsesTheBacklogOfTheNextRun() {
		this.queue.gather(ordered(1, "5", "[5]"));
		this.queue.join(PROCESS);
		this.queue.claim(1);
		push(0, 200);
		assertThat(this.queue.sorted("backlog")).hasSize(200 - FRONT + 1);
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.ready()).containsExactly(ids(1));
		assertThat(scores(this.queue.take(1).get(0))).isEqualTo(range(0, 200));
	}

	@Test
	void gatherWhenLimitIsReachedRefusesMore() {
		this.queue.gatherCall("p/0", 1, 1, 1200, payloads(1, 0, 1000));
		assertThat(this.queue.gatherCall("p/0", 2, 1, 1200, payloads(1, 1000, 1500)))
			.isEqualTo("M".repeat(200) + "F".repeat(300));
		assertThat(this.queue.gatherCall("p/0", 3, 1, 1200, ordered(1, "1", "[1]"), ordered(2, "1", "[1]"),
				ordered(1, "-1", "[\"p100\"]")))
			.isEqualTo("FSM");
		assertThat(this.queue.gatherCall("p/0", 4, 1, 10, ordered(1, "1", "[1]"))).isEqualTo("F");
		this.queue.join(PROCESS);
		assertThat(drain()).hasSize(1201).startsWith("-1 [\"p100\"]");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10, FRONT, 999 })
	void gatherWhenLimitIsSmallNeedsNoBacklog(int limit) {
		String answer = this.queue.gatherCall("p/0", 1, 1, limit, payloads(1, 0, 1000));
		assertThat(answer).isEqualTo("S" + "M".repeat(limit - 1) + "F".repeat(1000 - limit));
		assertThat(this.queue.contents()).doesNotContainKeys("backlog", "backlogged");
		assertThat(this.queue.hash("meta")).containsEntry("schema", "1");
	}

	@Test
	void gatherWhenMegabytesWaitRefusesMore() {
		String large = "[\"" + "x".repeat(999_000) + "\"]";
		String answers = "";
		for (int i = 0; i < 70; i++) {
			answers += this.queue.gather(ordered(1, Integer.toString(i), large + i));
		}
		assertThat(answers).isEqualTo("S" + "M".repeat(67) + "F".repeat(2));
	}

	@Test
	void gatherWhenSentTwiceChangesNothing() {
		push(0, 100);
		NewJob[] more = payloads(1, 100, 150);
		assertThat(this.queue.gatherCall("producer/7", 4, 1, more)).isEqualTo("M".repeat(50));
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.gatherCall("producer/7", 4, 1, more)).isEqualTo("M".repeat(50));
		assertThat(this.queue.gatherCall("producer/7", 3, 1, more)).isEqualTo("STALE");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void retryPutsBackWhatTheRunHadAndLeavesTheBacklog() {
		push(0, 2500);
		this.queue.join(PROCESS);
		String run = new String(this.queue.take(1).get(0).payload());
		List<String> order = this.queue.sorted("backlog");
		push(2500, 2510);
		this.queue.settle(PROCESS, "failed", 1, token(1), run.replace("payload of 1", "failed"), HOUR);
		assertThat(this.queue.sorted("backlog")).containsAll(order).hasSize(order.size() + 10);
		assertThat(front(1).size()).isEqualTo(1001);
		assertThat(this.queue.sorted("retries")).containsExactly(id(1));
		push(2510, 2520);
		this.queue.template().opsForZSet().add(this.queue.key("retries"), id(1), 1);
		Taken again = this.queue.take(1).get(0);
		assertThat(new String(again.payload())).isEqualTo(run.replace("payload of 1", "failed"));
		this.queue.acknowledge(PROCESS, id(1), token(2));
		// The next job has only payloads that have not failed, so it shows no failure.
		assertThat(this.queue.hash("payloads").get(id(1))).startsWith("payload of 1\n");
		assertThat(scores(drain())).isEqualTo(range(1000, 2520));
	}

	@Test
	void retryWhenEarlierPayloadsHaveComeRunsTheseFirst() {
		push(5000, 7000);
		this.queue.join(PROCESS);
		byte[] run = this.queue.take(1).get(0).payload();
		push(0, 990);
		this.queue.settle(PROCESS, "failed", 1, token(1), run, 0);
		assertThat(scores(this.queue.take(1).get(0))).startsWith(0, 1).endsWith(5009).hasSize(1000);
		// The other payloads that had failed are in the backlog now.
		assertThat(Gathered.read(bytes(this.queue.hash("gathered").get(id(1)))).size()).isEqualTo(1);
		this.queue.acknowledge(PROCESS, id(1), token(2));
		assertThat(scores(drain())).isEqualTo(range(5010, 7000));
	}

	@Test
	void retryKeepsOneOfEqualPayloadsWithTheSmallerScore() {
		push(0, 1200);
		this.queue.join(PROCESS);
		byte[] run = this.queue.take(1).get(0).payload();
		this.queue.gather(ordered(1, "-5", "[\"p7\"]"), ordered(1, "5000", "[\"p8\"]"));
		this.queue.settle(PROCESS, "failed", 1, token(1), run, 0);
		List<String> lines = drain();
		assertThat(lines).hasSize(1200).startsWith("-5 [\"p7\"]").contains("8 [\"p8\"]").doesNotHaveDuplicates();
	}

	@Test
	void exhaustWhenBacklogIsLeftGoesOn() {
		push(0, 1100);
		this.queue.join(PROCESS);
		Gathered run = Gathered.read(this.queue.take(1).get(0).payload());
		String rest = new String(run.rest(bytes("payload of 1"), 0, 0));
		assertThat(this.queue.exhaust(PROCESS, 1, token(1), 9, "dead", rest)).isEqualTo("D");
		assertThat(scores(drain())).isEqualTo(range(1, 1100));
	}

	@Test
	void advanceAndReleaseKeepTheRest() {
		push(0, 1100);
		this.queue.join(PROCESS);
		Gathered run = Gathered.read(this.queue.take(1).get(0).payload());
		assertThat(this.queue.advance(PROCESS, 1, token(1), run.sizeBehind(10))).isEqualTo("D");
		assertThat(this.queue.requeue(PROCESS, id(1), token(1))).isEqualTo("D");
		assertThat(scores(drain())).isEqualTo(range(10, 1100));
	}

	@Test
	void recoverKeepsTheRest() {
		push(0, 1100);
		this.queue.join(PROCESS);
		this.queue.claim(1);
		assertThat(this.queue.recovered(PROCESS)).containsExactly(1L, 0L);
		this.queue.join("other");
		assertThat(scores(this.queue.take("other", 1, 1, 200).get(0))).isEqualTo(range(0, 1000));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void cancelDropsTheBacklogStepByStep(boolean runs) {
		push(0, 3500);
		this.queue.join(PROCESS);
		if (runs) {
			this.queue.claim(1);
		}
		assertThat(this.queue.cancel(1)).isEqualTo(runs ? "RUNNING" : "CANCELLED");
		assertThat(this.queue.hash("backlogged")).doesNotContainKey(id(1));
		push(9000, 9100);
		if (runs) {
			this.queue.acknowledge(PROCESS, id(1), token(1));
		}
		assertThat(scores(this.queue.take(1).get(0))).isEqualTo(range(9000, 9100));
		for (int claims = 0; claims < 4; claims++) {
			this.queue.template().delete(this.queue.key("wake"));
			this.queue.claim(1);
		}
		assertThat(this.queue.contents()).doesNotContainKeys("backlog", "backlogged");
	}

	@Test
	void claimWhenBacklogIsBeingDroppedWakesAnotherClaim() {
		push(0, 2500);
		this.queue.join(PROCESS);
		this.queue.cancel(1);
		this.queue.template().delete(this.queue.key("wake"));
		this.queue.claim(1);
		assertThat(this.queue.list("wake")).hasSize(1);
		assertThat(this.queue.sorted("backlog")).hasSize(2500 - FRONT - 1000 + 1);
	}

	@Test
	void gatherWhenJobOfBacklogIsGoneBringsTheBacklogBack() {
		push(0, 100);
		this.queue.join(PROCESS);
		// Simulate an earlier release, which cancels a key but leaves its backlog.
		this.queue.template().opsForHash().delete(this.queue.key("payloads"), id(1));
		this.queue.template().delete(this.queue.key("ready"));
		assertThat(push(1000, 1002)).isEqualTo("SM");
		assertThat(scores(drain())).isEqualTo(concat(range(FRONT, 100), range(1000, 1002)));
	}

	@Test
	void gatherWhenNextJobOfRunningKeyIsGoneKeepsPayloads() {
		push(0, 1100);
		this.queue.join(PROCESS);
		this.queue.claim(1);
		this.queue.template().delete(this.queue.key("gathered"));
		assertThat(push(2000, 2002)).isEqualTo("MM");
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(scores(drain())).isEqualTo(concat(range(1001, 1100), range(2000, 2002)));
	}

	@Test
	void beginWhenNumberIsInUseTakesAnother() {
		push(0, 100);
		this.queue.template().delete(this.queue.key("meta"));
		push(2, 0, 100);
		assertThat(this.queue.hash("backlogged")).containsKeys("1:", "2:");
		this.queue.join(PROCESS);
		assertThat(scores(this.queue.take(1).get(0))).isEqualTo(range(0, 100));
	}

	@Test
	void closeShardWhenBacklogIsLeftRefuses() {
		push(0, 100);
		this.queue.template().delete(List.of(this.queue.key("ready"), this.queue.key("payloads")));
		assertThat(this.queue.closeShard(2)).isEqualTo("BUSY");
	}

	// LK-07: any number of payloads may wait for a key.
	@Test
	void keyWithHundredThousandPayloadsIsWorkedOff() {
		for (int from = 0; from < 100_000; from += 1000) {
			push(from, from + 1000);
		}
		assertThat(push(100_000, 100_001)).isEqualTo("F");
		this.queue.join(PROCESS);
		byte[] run = this.queue.take(1).get(0).payload();
		this.queue.settle(PROCESS, "failed", 1, token(1), run, 0);
		assertThat(scores(drain())).isEqualTo(range(0, 100_000));
		assertThat(this.queue.contents()).doesNotContainKeys("backlog", "backlogged", "payloads");
	}

	@Test
	void claimWhenEntriesAreMissingKeepsTheOtherPayloads() {
		push(0, 2500);
		this.queue.template()
			.opsForHash()
			.delete(this.queue.key("backlogged"),
					this.queue.sorted("backlog")
						.stream()
						.limit(1100)
						.map((member) -> member.split(":")[0] + ":" + member.substring(member.length() - 24))
						.toArray());
		this.queue.join(PROCESS);
		assertThat(scores(drain())).isEqualTo(concat(range(0, FRONT), range(FRONT + 1100, 2500)));
		assertThat(this.queue.contents()).doesNotContainKeys("backlog", "backlogged", "payloads");
	}

	@Test
	void gatherWhenKeyHasWrongTypeRefuses() {
		for (String key : List.of("backlog", "backlogged", "payloads", "meta")) {
			assertRefusesWrongType(key, (queue) -> queue.gather(payloads(1, 0, 100)),
					(queue) -> queue.gather(payloads(1, 100, 120)));
		}
	}

	@Test
	void claimWhenKeyHasWrongTypeRefuses() {
		for (String key : List.of("backlog", "backlogged", "payloads", "gathered")) {
			assertRefusesWrongType(key, (queue) -> {
				queue.join(PROCESS);
				queue.gather(payloads(1, 0, 100));
				queue.template().opsForHash().put(queue.key("gathered"), id(3), "1 x\n");
			}, (queue) -> queue.claim(1));
		}
	}

	private String push(int from, int to) {
		return push(1, from, to);
	}

	private String push(int key, int from, int to) {
		StringBuilder answers = new StringBuilder();
		for (int start = from; start < to; start += 1000) {
			answers.append(this.queue.gather(payloads(key, start, Math.min(to, start + 1000))));
		}
		return answers.toString();
	}

	private static NewJob[] payloads(int key, int from, int to) {
		return IntStream.range(from, to)
			.mapToObj((number) -> ordered(key, Integer.toString(number), "[\"p" + number + "\"]"))
			.toArray(NewJob[]::new);
	}

	/**
	 * Run the only key until it has no payloads, and return the lines of all payloads in
	 * the order in which they ran.
	 */
	private List<String> drain() {
		List<String> lines = new ArrayList<>();
		while (this.queue.has("ready") || this.queue.has("retries")) {
			for (Taken job : this.queue.take(1)) {
				List<String> run = lines(Gathered.read(job.payload()));
				assertThat(run).hasSizeLessThanOrEqualTo(1000);
				lines.addAll(run);
				assertThat(this.queue.acknowledge(PROCESS, job.id(), job.claim())).isEqualTo("D");
			}
		}
		return lines;
	}

	private Gathered front(int key) {
		return Gathered.read(bytes(this.queue.hash("payloads").get(id(key))));
	}

	private static List<String> lines(Gathered stored) {
		List<String> lines = new ArrayList<>();
		for (int i = 0; i < stored.size(); i++) {
			lines.add(stored.score(i) + " " + new String(stored.arguments(i)));
		}
		return lines;
	}

	private static List<Integer> scores(Taken job) {
		return scores(lines(Gathered.read(job.payload())));
	}

	private static List<Integer> scores(List<String> lines) {
		return lines.stream().map((line) -> Integer.valueOf(line.split(" ")[0])).toList();
	}

	private static List<Integer> range(int from, int to) {
		return IntStream.range(from, to).boxed().toList();
	}

	private static List<Integer> concat(List<Integer> first, List<Integer> second) {
		List<Integer> all = new ArrayList<>(first);
		all.addAll(second);
		return all;
	}

}
