package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.github.steadyjobs.redis.KeySpace.QueueKeys;
import io.github.steadyjobs.server.ScriptFixture;
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
		assertThat(mail.get(QueuePart.READY)).asString().isEqualTo("steadyjobs:{mail}:ready");
		assertThat(mail.get(QueuePart.META)).asString().isEqualTo("steadyjobs:{mail}:meta");
		assertThat(this.keys.queue("mail")).isSameAs(mail);
	}

	@Test
	void queueKeysAreInTheSlotOfTheQueue() {
		QueueKeys mail = this.keys.queue("mail");
		int slot = SlotHash.getSlot("mail".getBytes(StandardCharsets.UTF_8));
		for (QueuePart part : QueuePart.values()) {
			assertThat(SlotHash.getSlot(mail.get(part))).as(part.text()).isEqualTo(slot);
		}
	}

	@Test
	void queueKeysOfScriptAreThoseThatItNamesAndBuiltOnce() {
		QueueKeys mail = this.keys.queue("mail");
		byte[][] keys = mail.of(ScriptFixture.CLAIM).keys();
		assertThat(Arrays.stream(keys).map((key) -> new String(key, StandardCharsets.UTF_8))).containsExactlyElementsOf(
				ScriptFixture.CLAIM.keys().stream().map((name) -> "steadyjobs:{mail}:" + name).toList());
		assertThat(mail.of(ScriptFixture.CLAIM).keys()).isSameAs(keys);
	}

	@Test
	void queueKeysOfScriptThatGetsOthersTooAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.keys.queue("mail").of(JobScript.REPORT));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "a{b}", "a:b", "ä", "a/b",
			"a1234567890123456789012345678901234567890123456789012345678901234" })
	void namesWhenInvalidAreRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.keys.queue(name)).withMessageContaining(name);
		assertThatIllegalArgumentException().isThrownBy(() -> new KeySpace(name)).withMessageContaining(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "orders#0", "a.b-c#42", "orders#1023" })
	void queueWhenItIsAShardHasKeysOfItsOwn(String name) {
		assertThat(this.keys.queue(name).get(QueuePart.READY)).asString()
			.isEqualTo("steadyjobs:{%s}:ready".formatted(name));
		assertThatIllegalArgumentException().isThrownBy(() -> new KeySpace(name)).withMessageContaining(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "orders#", "#1", "orders#01", "orders#1024", "orders#-1", "orders#1#2", "a b#1",
			"orders#x", "orders#99999999999" })
	void queueWhenItIsNoShardEitherIsRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.keys.queue(name)).withMessageContaining(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "A-Za.z_0-9", "a123456789012345678901234567890123456789012345678901234567890123" })
	void namesWhenValidAreTaken(String name) {
		assertThat(new KeySpace(name).queue(name).queue()).isEqualTo(name);
	}

}
