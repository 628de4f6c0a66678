package io.github.steadyjobs.boot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.support.Repository;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the properties in the code blocks of the documents exist and have valid
 * values. A block with another configuration file has the name of its program after the
 * language, as in {@code yaml compose}.
 */
@ExtendWith(OutputCaptureExtension.class)
class PagesPropertiesTests {

	private static final Pattern BLOCK = Pattern.compile("(?sm)^```(yaml|properties)\n(.*?)^```$");

	/** Properties of the application in the examples. */
	private static final Set<String> OWN = Set.of("jobs.redis.url");

	private static final List<JsonNode> METADATA = JobsMetadataTests.metadata();

	@ParameterizedTest
	@MethodSource("blocks")
	void propertiesAreKnownAndValid(String page, String language, String content, CapturedOutput output)
			throws IOException {
		StandardEnvironment environment = new StandardEnvironment();
		List<PropertySource<?>> sources = loader(language).load(page,
				new ByteArrayResource(content.getBytes(StandardCharsets.UTF_8)));
		sources.forEach(environment.getPropertySources()::addFirst);
		UnknownProperties.warn(environment);
		assertThat(output).doesNotContain("UnknownProperties");
		JobsProperties properties = Binder.get(environment).bindOrCreate("steadyjobs", JobsProperties.class);
		JobOverrides.jobs(properties.jobs());
		JobOverrides.recurring(properties.recurring());
		assertThat(names(sources)).isNotEmpty().allMatch(PagesPropertiesTests::isKnown);
	}

	static Stream<String[]> blocks() throws IOException {
		try (Stream<Path> pages = Files.list(Repository.root().resolve("docs"))) {
			List<String> names = new ArrayList<>(List.of("README.md"));
			pages.map((page) -> "docs/" + page.getFileName())
				.filter((page) -> page.endsWith(".md"))
				.forEach(names::add);
			return names.stream().flatMap(PagesPropertiesTests::blocks);
		}
	}

	private static Stream<String[]> blocks(String page) {
		return BLOCK.matcher(Repository.read(page))
			.results()
			.map((MatchResult block) -> new String[] { page, block.group(1), block.group(2) });
	}

	private static PropertySourceLoader loader(String language) {
		return language.equals("yaml") ? new YamlPropertySourceLoader() : new PropertiesPropertySourceLoader();
	}

	private static Set<String> names(List<PropertySource<?>> sources) {
		return sources.stream()
			.flatMap((source) -> Stream.of(((EnumerablePropertySource<?>) source).getPropertyNames()))
			.collect(Collectors.toSet());
	}

	/** Properties of Steady Jobs are checked by {@link UnknownProperties}. */
	private static boolean isKnown(String name) {
		return name.startsWith("steadyjobs.") || OWN.contains(name)
				|| METADATA.stream()
					.flatMap((metadata) -> metadata.path("properties").valueStream())
					.anyMatch((property) -> isKnown(property, ConfigurationPropertyName.adapt(name, '.')));
	}

	private static boolean isKnown(JsonNode property, ConfigurationPropertyName name) {
		ConfigurationPropertyName known = ConfigurationPropertyName.adapt(property.path("name").asString(), '.');
		return known.equals(name)
				|| property.path("type").asString("").startsWith("java.util.Map") && known.isAncestorOf(name)
				|| property.path("type").asString("").startsWith("java.util.") && name.isLastElementIndexed()
						&& known.equals(name.getParent());
	}

}
