package io.github.steadyjobs.dashboard;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Json}.
 */
class JsonTests {

	@Test
	void blockHasALineForEachPart() {
		assertThat(Json.block(Map.of("a", List.of(1, List.of())))).isEqualTo("{\n  \"a\": [\n    1,\n    []\n  ]\n}");
	}

	@Test
	void lineStaysOnItsLine() {
		assertThat(Json.line(List.of("a\nb", 1, true))).isEqualTo("[\"a\\nb\", 1, true]");
		assertThat(Json.line(List.of("x".repeat(400)))).hasSize(Plain.LONGEST_LINE).endsWith("…");
	}

	@Test
	void numbersKeepTheirDigits() {
		assertThat(Json.line(List.of(9007199254740993L, new BigDecimal("1.10")))).isEqualTo("[9007199254740993, 1.10]");
	}

	@Test
	void completeTextIsJson() {
		assertThat(Json.complete(List.of("\u0001\"\\\t\u202e"))).isEqualTo("[\n  \"\\u0001\\\"\\\\\\t\u202e\"\n]");
		assertThat(Json.complete(List.of("x".repeat(400_000)))).hasSizeGreaterThan(400_000);
	}

	@Test
	void longTextDoesNotHideTheRest() {
		assertThat(Json.block(List.of("x".repeat(20_000), "end"))).contains("(cut here, 20,000 characters in all)",
				"\"end\"");
		assertThat(Json.block(List.of("\u202e"))).doesNotContain("\u202e").contains("\\u202e");
	}

}
