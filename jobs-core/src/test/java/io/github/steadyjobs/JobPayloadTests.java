package io.github.steadyjobs;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobPayload}.
 */
class JobPayloadTests {

	@Test
	void toStringHasNameAndId() {
		assertThat(payload("Größen.messen", "019b76daa800a51c2d3e4f50"))
			.hasToString("Größen.messen[019b76daa800a51c2d3e4f50]");
	}

	@Test
	void toStringWhenNameHasControlCharactersEscapesThem() {
		assertThat(payload("a\r\n2026 ERROR forged\u001B[2J\u0085\u2028\u202E", "b\n"))
			.hasToString("a\\u000d\\u000a2026 ERROR forged\\u001b[2J\\u0085\\u2028\\u202e[b\\u000a]");
	}

	@Test
	void toStringWhenNameIsLongCutsIt() {
		assertThat(payload("x".repeat(1_000_000), "y".repeat(1_000_000)).toString()).hasSizeLessThan(600)
			.startsWith("xxx")
			.contains("…[yyy");
	}

	private static JobPayload payload(String name, String id) {
		ObjectNode json = JsonNodeFactory.instance.objectNode();
		json.put("jid", id).put("class", name).putArray("args");
		return JobPayload.of(json);
	}

}
