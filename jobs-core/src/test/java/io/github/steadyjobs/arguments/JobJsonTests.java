package io.github.steadyjobs.arguments;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JobJson}.
 */
class JobJsonTests {

	private final JsonMapper mapper = JobJson.builder().build();

	@Test
	void writeWhenValuesAreTimesWritesIso() {
		List<Object> times = List.of(Instant.parse("2026-01-01T00:00:00Z"), Duration.ofMinutes(90),
				ZonedDateTime.parse("2026-07-01T10:00:00+02:00[Europe/Paris]"));
		assertThat(this.mapper.writeValueAsString(times))
			.isEqualTo("[\"2026-01-01T00:00:00Z\",\"PT1H30M\",\"2026-07-01T10:00:00+02:00[Europe/Paris]\"]");
	}

	@Test
	void readWhenTimeHasOffsetKeepsIt() {
		OffsetDateTime time = OffsetDateTime.parse("2026-07-01T10:00:00+02:00");
		assertThat(this.mapper.readValue(this.mapper.writeValueAsString(time), OffsetDateTime.class)).isEqualTo(time);
	}

	@Test
	void readWhenNumberIsLongKeepsItsDigits() {
		String number = "1234567890123456789012345.10";
		assertThat(this.mapper.writeValueAsString(this.mapper.readTree(number))).isEqualTo(number);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"name\": \"a\", \"name\": \"b\", \"count\": 1}", "{\"name\": \"a\", \"count\": 1} 2",
			"{\"name\": \"a\"}", "{\"name\": \"a\", \"count\": null}", "{\"name\": \"a\", \"count\": \"1\"}",
			"{\"name\": \"a\", \"count\": 1.5}", "{\"name\": \"a\", \"count\": 1, \"state\": 0}" })
	void readWhenJsonIsDoubtfulRefuses(String json) {
		assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> this.mapper.readValue(json, Thing.class));
	}

	@Test
	void readWhenTreeHasDuplicatesRefuses() {
		assertThatExceptionOfType(JacksonException.class)
			.isThrownBy(() -> this.mapper.readTree("{\"a\": 1, \"a\": 2}"));
	}

	@Test
	void readWhenPropertyIsUnknownIgnoresIt() {
		assertThat(this.mapper.readValue("{\"name\": \"a\", \"count\": 1, \"other\": []}", Thing.class))
			.isEqualTo(new Thing("a", 1, null));
	}

	@Test
	void readWhenNestedTooDeepRefuses() {
		String nested = "[".repeat(65) + "]".repeat(65);
		assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> this.mapper.readTree(nested));
		assertThat(this.mapper.readTree("[".repeat(64) + "]".repeat(64))).isInstanceOf(JsonNode.class);
	}

	@Test
	void readWhenStringIsLongAcceptsIt() {
		String text = "x".repeat(5_000_000);
		assertThat(this.mapper.readTree('"' + text + '"').stringValue()).hasSize(5_000_000);
	}

	@Test
	void writeWhenRecordIsEmptyWritesObject() {
		assertThat(this.mapper.writeValueAsString(new Empty())).isEqualTo("{}");
		assertThat(this.mapper.readValue("{}", Empty.class)).isEqualTo(new Empty());
	}

	enum State {

		NEW

	}

	record Thing(String name, int count, State state) {

	}

	record Empty() {

	}

}
