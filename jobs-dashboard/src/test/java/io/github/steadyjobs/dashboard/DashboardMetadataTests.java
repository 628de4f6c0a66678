package io.github.steadyjobs.dashboard;

import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.steadyjobs.support.Repository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the metadata of the properties, and for their table in the documents.
 */
class DashboardMetadataTests {

	private static final Pattern ROW = Pattern.compile("(?m)^\\| `(steadyjobs[^`]+)` \\|(?: `([^`]*)`)? \\| \\S");

	@ParameterizedTest
	@MethodSource("properties")
	void propertyHasADescriptionThatFollowsTheRules(JsonNode property) {
		String description = property.path("description").asString("");
		assertThat(description).endsWith(".").doesNotStartWithIgnoringCase("The ").doesNotContain("\n");
		assertThat(description).doesNotContainPattern("(?i)by default|defaults? (to|is|value)");
		if (property.path("type").asString().equals(Boolean.class.getName())) {
			assertThat(description).startsWith("Whether ");
		}
	}

	@Test
	void pageHasEveryPropertyWithItsDefault() {
		Map<String, String> documented = new TreeMap<>();
		ROW.matcher(Repository.read("docs/dashboard.md"))
			.results()
			.forEach((row) -> documented.put(row.group(1), (row.group(2) != null) ? row.group(2) : ""));
		Map<String, String> expected = new TreeMap<>();
		properties().forEach((property) -> expected.put(property.path("name").asString(), defaultOf(property)));
		assertThat(documented).isEqualTo(expected).hasSize(11);
	}

	@Test
	void propertiesAreKnownWhereUnknownOnesAreNamed() throws ClassNotFoundException {
		Class<?> known = Class.forName("io.github.steadyjobs.boot.UnknownProperties$Dashboard");
		Class<?> roles = Class.forName("io.github.steadyjobs.boot.UnknownProperties$DashboardRoles");
		assertThat(components(known)).containsExactlyElementsOf(components(DashboardProperties.class).toList());
		assertThat(components(roles)).containsExactlyElementsOf(components(DashboardProperties.Roles.class).toList());
	}

	private static Stream<String> components(Class<?> type) {
		return Stream.of(type.getRecordComponents()).map(RecordComponent::getName);
	}

	private static String defaultOf(JsonNode property) {
		JsonNode value = property.path("defaultValue");
		return value.isArray() ? value.path(0).asString() : value.asString("");
	}

	static Stream<JsonNode> properties() {
		return JsonMapper.shared()
			.readTree(DashboardMetadataTests.class.getClassLoader()
				.getResourceAsStream("META-INF/spring-configuration-metadata.json"))
			.path("properties")
			.valueStream();
	}

}
