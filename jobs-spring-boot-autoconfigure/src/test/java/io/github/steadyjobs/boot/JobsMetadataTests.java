package io.github.steadyjobs.boot;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.definition.JobOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.support.PropertiesLoaderUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the metadata of the properties, and for the property tables in the documents.
 */
class JobsMetadataTests {

	private static final Path README = Path.of("..", "README.md");

	private static final Path CONFIGURATION = Path.of("..", "docs", "configuration.md");

	private static final int README_ROWS = 9;

	private static final Pattern TABLE = Pattern.compile("<!-- configuration -->(.*)<!-- /configuration -->",
			Pattern.DOTALL);

	private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` +\\|(?: `([^`]*)`)? +\\| (\\S.*\\S) +\\|");

	/**
	 * Properties of map values, which the metadata does not list, with their defaults.
	 */
	private static final Map<String, Map<String, String>> ENTRIES = Map.of("steadyjobs.queues",
			components(JobsProperties.Queue.class), "steadyjobs.capsules", components(JobsProperties.Capsule.class),
			"steadyjobs.jobs", Map.of(), "steadyjobs.recurring", withoutDefaults(JobOverrides.RECURRING));

	@Test
	void defaultsOfDevToolsAreProperties() throws IOException {
		Properties defaults = PropertiesLoaderUtils.loadAllProperties("META-INF/spring-devtools.properties");
		assertThat(defaults).containsEntry("defaults.steadyjobs.shutdown-timeout", "2s");
		assertThat(properties()).extracting((property) -> "defaults." + property.name())
			.containsAll(defaults.stringPropertyNames()
				.stream()
				.filter((name) -> name.startsWith("defaults.steadyjobs."))
				.toList());
	}

	@ParameterizedTest
	@MethodSource("properties")
	void propertyHasADescriptionThatFollowsTheRules(Property property) {
		assertThat(property.description()).endsWith(".").doesNotStartWithIgnoringCase("The ").doesNotContain("\n");
		assertThat(property.description()).doesNotContainPattern("(?i)by default|defaults? (to|is|value)");
		if (property.defaultValue() != null && property.defaultValue().length() > 1) {
			assertThat(property.description()).doesNotContain(property.defaultValue());
		}
		if (property.type().equals(Boolean.class.getName())) {
			assertThat(property.description()).startsWith("Whether ");
		}
	}

	@Test
	void metadataHasEveryComponentOfTheProperties() {
		Set<String> expected = new TreeSet<>();
		addComponents("steadyjobs", JobsProperties.class, expected);
		assertThat(properties().stream().map(Property::name)).containsAll(expected);
	}

	@Test
	void metadataHintsAtTheKeysOfEveryMap() {
		List<String> hints = new ArrayList<>();
		for (JsonNode metadata : metadata()) {
			metadata.path("hints").forEach((hint) -> hints.add(hint.path("name").asString()));
		}
		List<String> maps = properties().stream().filter(Property::isMap).map(Property::name).toList();
		assertThat(hints).containsAll(maps.stream().map((name) -> name + ".keys").toList());
		assertThat(maps).containsExactlyInAnyOrderElementsOf(ENTRIES.keySet());
	}

	@Test
	void readmeHasTheMostNeededProperties() throws IOException {
		assertThat(table(README)).hasSize(README_ROWS).isSubsetOf(table(CONFIGURATION));
	}

	@Test
	void configurationHasEveryPropertyWithItsDefault() throws IOException {
		Map<String, String> documented = new TreeMap<>();
		for (String line : table(CONFIGURATION)) {
			Matcher row = ROW.matcher(line);
			assertThat(row.matches()).as(line).isTrue();
			documented.put(row.group(1), (row.group(2) != null) ? row.group(2) : "");
		}
		assertThat(documented).isEqualTo(expectedRows());
	}

	@Test
	void optionsHaveEveryOptionOfAJob() throws IOException {
		Matcher rows = Pattern.compile("^\\| `([a-z-]+)` \\|", Pattern.MULTILINE)
			.matcher(Files.readString(Path.of("..", "docs", "options.md")));
		assertThat(rows.results().map((row) -> row.group(1)))
			.containsExactlyInAnyOrderElementsOf(Stream.of(JobOption.values()).map(JobOption::text).toList());
	}

	private static List<String> table(Path document) throws IOException {
		Matcher table = TABLE.matcher(Files.readString(document));
		assertThat(table.find()).isTrue();
		List<String> lines = table.group(1).trim().lines().toList();
		assertThat(lines).startsWith("| Property | Default | Meaning |", "|---|---|---|");
		return lines.subList(2, lines.size());
	}

	private static Map<String, String> expectedRows() {
		Map<String, String> rows = new TreeMap<>();
		for (Property property : properties()) {
			if (!property.isMap()) {
				rows.put(property.name(), (property.defaultValue() != null) ? property.defaultValue() : "");
				continue;
			}
			String map = property.name();
			String key = map.equals("steadyjobs.recurring") ? "name"
					: map.substring(map.lastIndexOf('.') + 1).replaceFirst("s$", "");
			ENTRIES.get(map)
				.forEach((name, defaultValue) -> rows.put("%s.<%s>.%s".formatted(map, key, name), defaultValue));
		}
		return rows;
	}

	private static Map<String, String> withoutDefaults(List<String> attributes) {
		return attributes.stream().collect(Collectors.toMap((attribute) -> attribute, (attribute) -> ""));
	}

	private static void addComponents(String prefix, Class<?> type, Set<String> names) {
		for (RecordComponent component : type.getRecordComponents()) {
			String name = prefix + "." + dashed(component.getName());
			if (component.getType().isRecord()) {
				addComponents(name, component.getType(), names);
			}
			else {
				names.add(name);
			}
		}
	}

	private static String dashed(String name) {
		return Pattern.compile("[A-Z]").matcher(name).replaceAll((letter) -> "-" + letter.group().toLowerCase());
	}

	private static Map<String, String> components(Class<?> type) {
		return Stream.of(type.getDeclaredConstructors()[0].getParameters())
			.collect(Collectors.toMap((parameter) -> dashed(parameter.getName()), JobsMetadataTests::defaultValue));
	}

	private static String defaultValue(Parameter parameter) {
		DefaultValue value = parameter.getAnnotation(DefaultValue.class);
		return (value != null) ? String.join(",", value.value()) : "";
	}

	static List<Property> properties() {
		List<Property> properties = new ArrayList<>();
		for (JsonNode metadata : metadata()) {
			for (JsonNode property : metadata.path("properties")) {
				if (property.path("name").asString().startsWith("steadyjobs.")) {
					properties.add(Property.of(property));
				}
			}
		}
		return properties;
	}

	static List<JsonNode> metadata() {
		try {
			List<JsonNode> all = new ArrayList<>();
			for (URL url : Collections.list(JobsMetadataTests.class.getClassLoader()
				.getResources("META-INF/spring-configuration-metadata.json"))) {
				try (InputStream content = url.openStream()) {
					all.add(JsonMapper.shared().readTree(content));
				}
			}
			return all;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	record Property(String name, String type, String description, String defaultValue) {

		static Property of(JsonNode node) {
			JsonNode value = node.path("defaultValue");
			return new Property(node.path("name").asString(), node.path("type").asString(),
					node.path("description").asString(""), value.isMissingNode() ? null : value.asString());
		}

		boolean isMap() {
			return this.type.startsWith("java.util.Map<");
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
