package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;

import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link KeySpace}.
 */
class KeySpaceTests {

	private final KeySpace keys = new KeySpace("steadyjobs");

	@Test
	void queueKeysCarryThePrefixAndTheTag() {
		QueueKeys mail = this.keys.queue("mail");
		assertThat(mail.ready()).asString().isEqualTo("steadyjobs:{mail}:ready");
		assertThat(mail.meta()).asString().isEqualTo("steadyjobs:{mail}:meta");
		assertThat(this.keys.queue("mail")).isSameAs(mail);
	}

	@Test
	void queueKeysAreInTheSlotOfTheQueue() {
		QueueKeys mail = this.keys.queue("mail");
		int slot = SlotHash.getSlot("mail".getBytes(StandardCharsets.UTF_8));
		assertThat(SlotHash.getSlot(mail.payloads())).isEqualTo(SlotHash.getSlot(mail.wake())).isEqualTo(slot);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "a{b}", "a:b", "ä", "a/b",
			"a1234567890123456789012345678901234567890123456789012345678901234" })
	void namesWhenInvalidAreRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.keys.queue(name)).withMessageContaining(name);
		assertThatIllegalArgumentException().isThrownBy(() -> new KeySpace(name)).withMessageContaining(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "A-Za.z_0-9", "a123456789012345678901234567890123456789012345678901234567890123" })
	void namesWhenValidAreTaken(String name) {
		assertThat(new KeySpace(name).queue(name).queue()).isEqualTo(name);
	}

}
