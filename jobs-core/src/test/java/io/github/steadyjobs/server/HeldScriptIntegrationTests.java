package io.github.steadyjobs.server;

import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code held.lua}.
 */
class HeldScriptIntegrationTests extends AbstractScriptTests {

	HeldScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void heldWhenOthersHoldJobsTooReadsThoseOfTheProcessAlone() {
		this.queue.join("p1");
		this.queue.join("p10");
		this.queue.enqueue(job(1), job(2), job(3));
		this.queue.claim("p1", 1, 1, 200);
		this.queue.claim("p10", 1, 1, 200);
		this.queue.claim("p1", 2, 1, 200);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.held("p1")).containsOnly(Map.entry(id(1), "main/1"), Map.entry(id(3), "main/2"));
		assertThat(this.queue.held("p10")).containsOnly(Map.entry(id(2), "main/1"));
		assertThat(this.queue.held("p")).isEmpty();
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void heldWhenManyAreHeldReadsAllPageByPage() {
		IntStream.range(0, 3000)
			.forEach((number) -> this.queue.set("working", id(number), ((number % 2 == 0) ? "p1" : "p2") + "/main/1"));
		assertThat(this.queue.held("p1")).hasSize(1500).containsKey(id(2998)).doesNotContainKey(id(2999));
		this.queue.template().delete(this.queue.key("working"));
	}

	@Test
	void heldWhenQueueIsNewReadsNothing() {
		assertThat(this.queue.held("p1")).isEmpty();
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void heldWhenKeyHasWrongTypeFails() {
		assertRefusesWrongType("working", (given) -> given.join("p1"), (given) -> given.held("p1"));
	}

}
