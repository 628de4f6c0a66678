package io.github.steadyjobs.redis;

import java.util.List;
import java.util.Map;

import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.redis.ScriptFixture.HOUR;
import static io.github.steadyjobs.redis.ScriptFixture.id;
import static io.github.steadyjobs.redis.ScriptFixture.job;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code mend.lua}.
 */
class MendScriptIntegrationTests extends AbstractScriptTests {

	MendScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void dropWhenValueIsAsFoundRemovesField() {
		this.queue.set("stats", "done", "many");
		assertThat(this.queue.mend(QueuePart.STATS, "drop", "done", "several")).isZero();
		assertRepeatable(() -> this.queue.mend(QueuePart.STATS, "drop", "done", "many"));
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void restartWhenValueIsAsFoundCountsFromZero() {
		this.queue.set("beats", "p1", "x");
		assertThat(this.queue.mend(QueuePart.BEATS, "restart", "p1", "y")).isZero();
		assertRepeatable(() -> this.queue.mend(QueuePart.BEATS, "restart", "p1", "x"));
		assertThat(this.queue.hash("beats")).isEqualTo(Map.of("p1", "0"));
	}

	@Test
	void unclaimWhenProcessIsNotInBeatsRemovesClaim() {
		this.queue.join("p1");
		this.queue.claim("p1", 1, 1, 200);
		this.queue.set("claims", "p9/main", "3 " + id(1));
		this.queue.set("claims", "p9/", "stopping");
		this.queue.set("claims", "nobody", "3");
		for (String claimant : new String[] { "p9/main", "p9/", "nobody" }) {
			assertThat(this.queue.mend(QueuePart.CLAIMS, "unclaim", claimant, "")).isOne();
			assertThat(this.queue.mend(QueuePart.CLAIMS, "unclaim", claimant, "")).isZero();
		}
		assertThat(this.queue.mend(QueuePart.CLAIMS, "unclaim", "p1/main", "")).isZero();
		assertThat(this.queue.hash("claims")).containsOnlyKeys("p1/main");
	}

	@Test
	void rescoreWhenScoreIsNoTimeMakesItThePresent() {
		this.queue.enqueue(job(1, HOUR), job(2, HOUR), job(3, HOUR));
		double later = this.queue.score("scheduled", 3);
		this.queue.template().opsForZSet().add(this.queue.key("scheduled"), id(1), Double.POSITIVE_INFINITY);
		this.queue.template().opsForZSet().add(this.queue.key("scheduled"), id(2), -1);
		for (int damaged = 1; damaged <= 2; damaged++) {
			String id = id(damaged);
			assertRepeatable(() -> this.queue.mend(QueuePart.SCHEDULED, "rescore", id, ""));
			assertThat(this.queue.score("scheduled", damaged)).isBetween(1.7e12, (double) this.queue.now());
		}
		assertThat(this.queue.mend(QueuePart.SCHEDULED, "rescore", id(3), "")).isZero();
		assertThat(this.queue.mend(QueuePart.SCHEDULED, "rescore", id(4), "")).isZero();
		assertThat(this.queue.score("scheduled", 3)).isEqualTo(later);
	}

	@Test
	void removeWhenMemberIsThereRemovesIt() {
		this.queue.template().opsForZSet().add(this.queue.key("mutexes"), "neither", 0);
		assertThat(this.queue.mend(QueuePart.MUTEXES, "remove", "neither", "0")).isOne();
		assertThat(this.queue.mend(QueuePart.MUTEXES, "remove", "neither", "0")).isZero();
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void mendWhenKeyHasWrongTypeFailsAndWritesNothing() {
		for (String key : List.of("claims", "beats")) {
			assertRefusesWrongType(key, (given) -> given.set("claims", "p1/0", "damaged"),
					(given) -> given.mend(QueuePart.CLAIMS, "unclaim", "p1/0", ""));
		}
	}

}
