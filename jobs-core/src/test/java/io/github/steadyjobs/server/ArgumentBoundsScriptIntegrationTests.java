package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.server.ScriptFixture.CAPSULE;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the scripts that write many ids with one command. A call that asks for more
 * ids than a script moves in one step is refused before the first write. Lua passes at
 * most 8,000 arguments to a function, so the script could otherwise fail half-way.
 */
class ArgumentBoundsScriptIntegrationTests extends AbstractScriptTests {

	ArgumentBoundsScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@ParameterizedTest
	@CsvSource({ "4000, 4000", "1001, 1000", "1, 1001", "1, 9000" })
	void claimWhenMoreIsWantedThanAStepMovesIsRefused(int wanted, int bound) {
		this.queue.join(PROCESS);
		for (int job = 1; job <= 4000; job += 1000) {
			this.queue.enqueue(jobs(job, job + 999));
		}
		assertRefusesSoMany(ScriptFixture.CLAIM, PROCESS, CAPSULE, 1, wanted, bound, "", 0);
		assertThat(this.queue.claim(PROCESS, 1, 1000, 1000).jobs()).hasSize(1000);
	}

	@Test
	void enqueueWhenJobsAreTooManyIsRefused() {
		List<Object> arguments = new ArrayList<>(List.of("producer/0", 1, 1001));
		for (NewJob job : jobs(1, 1001)) {
			arguments.addAll(List.of(job.id(), job.payload()));
		}
		assertRefusesSoMany(ScriptFixture.ENQUEUE, arguments.toArray());
		assertThat(this.queue.enqueueCall("producer/0", 1, jobs(1, 1000))).isEqualTo("S");
	}

	@ParameterizedTest
	@ValueSource(ints = { 501, 9000 })
	void settleWhenJobsAreTooManyIsRefused(int jobs) {
		this.queue.working(1);
		assertRefusesSoMany(ScriptFixture.SETTLE,
				Stream.concat(Stream.of(PROCESS, "done", jobs, token(1), jobs), Stream.of(ids(jobs))).toArray());
		assertRefusesSoMany(ScriptFixture.SETTLE,
				Stream
					.concat(Stream.of(PROCESS, "released", jobs),
							Stream.of(ids(jobs)).flatMap((id) -> Stream.of(token(1), 1, id)))
					.toArray());
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("D");
	}

	@Test
	void recoverWhenTooManyAreToBeMovedIsRefused() {
		this.queue.working(1);
		assertRefusesSoMany(ScriptFixture.RECOVER, PROCESS, "1", 1001, 3);
		assertThat(this.queue.recover(PROCESS, "1", 1000, 3).moved()).isEqualTo(1);
	}

	@Test
	void unparkWhenRedisGivesMoreThanThePageMovesThemAll() {
		// HSCAN returns a small hash as a whole. This setting makes Redis treat the hash
		// as small.
		try (OwnRedis server = OwnRedis.start("--hash-max-ziplist-entries", "20000")) {
			ScriptFixture large = new ScriptFixture(server.redis());
			Map<String, String> parked = new HashMap<>();
			for (NewJob job : jobs(1, 9000)) {
				parked.put(job.id(), "unknown:job");
			}
			large.template().opsForHash().putAll(large.key("parked"), parked);
			large.template().opsForHash().putAll(large.key("payloads"), parked);
			assertThat(large.unpark("0", 1000, "unknown:job")).containsExactly("0", 9000L);
			assertThat(large.ready()).hasSize(9000).startsWith(id(1), id(2)).endsWith(id(9000));
			large.assertOnePlaceEach();
		}
	}

	private static Object[] ids(int count) {
		return IntStream.rangeClosed(1, count).mapToObj(ScriptFixture::id).toArray();
	}

}
