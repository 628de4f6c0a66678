package io.github.steadyjobs.redis;

import java.util.Map;

import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code quarantine.lua}.
 */
class QuarantineScriptIntegrationTests extends AbstractScriptTests {

	QuarantineScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void quarantineWhenTypeIsWrongRenamesKey() {
		this.queue.spoil(this.queue.key("ready"));
		Object value = this.queue.contents().get("ready");
		assertRepeatable(() -> this.queue.quarantine());
		assertThat(this.queue.contents()).isEqualTo(Map.of("ready:damaged:1", value));
	}

	@Test
	void quarantineWhenTypeIsRightOrNothingIsThereDoesNothing() {
		assertThat(this.queue.quarantine()).isZero();
		this.queue.enqueue(1);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.quarantine()).isZero();
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void quarantineWhenNameIsTakenOverwritesNothing() {
		this.queue.spoil(this.queue.key("ready"));
		this.queue.spoil(this.queue.key("ready:damaged:1"));
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.quarantine()).isZero();
		assertThat(this.queue.contents()).isEqualTo(before);
	}

}
