package io.github.steadyjobs.audit;

import java.util.Map;

import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.audit.AuditScripts.quarantine;
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
		assertRepeatable(() -> quarantine(this.queue));
		assertThat(this.queue.contents()).isEqualTo(Map.of("ready:damaged:1", value));
	}

	@Test
	void quarantineWhenTypeIsRightOrNothingIsThereDoesNothing() {
		assertThat(quarantine(this.queue)).isZero();
		this.queue.enqueue(1);
		Map<String, Object> before = this.queue.contents();
		assertThat(quarantine(this.queue)).isZero();
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void quarantineWhenNameIsTakenOverwritesNothing() {
		this.queue.spoil(this.queue.key("ready"));
		this.queue.spoil(this.queue.key("ready:damaged:1"));
		Map<String, Object> before = this.queue.contents();
		assertThat(quarantine(this.queue)).isZero();
		assertThat(this.queue.contents()).isEqualTo(before);
	}

}
