package io.github.steadyjobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;

import io.github.steadyjobs.support.Repository;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the poms publish all modules that should be published and no others, and
 * that exactly the public API described in {@code CONTRIBUTING.md} is compared with the
 * last release.
 */
class PublishingTests {

	private static final String ROOT = "io.github.steadyjobs";

	private static final Pattern PUBLIC_TYPE = Pattern
		.compile("(?m)^public (?:(?:abstract|final|sealed|non-sealed) )*(?:class|interface|@interface|enum|record) ");

	private final Pom parent = new Pom("pom.xml");

	private final List<Pom> modules = this.parent.texts("/project/modules/module")
		.stream()
		.map((module) -> new Pom(module + "/pom.xml"))
		.toList();

	@Test
	void bomHasAllPublishedModules() {
		List<String> published = this.modules.stream()
			.filter(Pom::isPublished)
			.map(Pom::artifact)
			.filter((artifact) -> !artifact.equals("jobs-bom"))
			.sorted()
			.toList();
		assertThat(published).contains("jobs-core", "jobs-spring-boot-starter");
		assertThat(
				new Pom("jobs-bom/pom.xml").texts("/project/dependencyManagement/dependencies/dependency/artifactId"))
			.isEqualTo(published);
		assertThat(this.parent.texts("/project/dependencyManagement/dependencies/dependency[groupId='" + ROOT
				+ "' and not(type)]/artifactId"))
			.isEqualTo(published);
	}

	@Test
	void uploadLeavesOutWhatIsNotPublished() {
		Stream<String> unpublished = this.modules.stream().filter((module) -> !module.isPublished()).map(Pom::artifact);
		assertThat(this.parent.texts("//excludeArtifact"))
			.containsExactlyInAnyOrderElementsOf(Stream.concat(Stream.of("jobs-parent"), unpublished).toList());
	}

	@Test
	void publishedModulesSayWhatTheyAre() {
		assertThat(this.modules).filteredOn(Pom::isPublished).allSatisfy((module) -> {
			assertThat(module.texts("/project/name")).as(module.artifact()).singleElement().asString().isNotBlank();
			assertThat(module.texts("/project/description")).as(module.artifact()).hasSize(1);
		});
	}

	/**
	 * In jobs-core, the public API is the root package and the interfaces that beans of
	 * an application implement. In other modules, it is every public type.
	 */
	@Test
	void comparisonCoversThePublicApiAndNothingElse() throws IOException {
		String page = Repository.read("CONTRIBUTING.md").split("\n## Public API\n", 2)[1].split("\n## ", 2)[0];
		Set<String> api = new TreeSet<>();
		for (Pom module : this.modules) {
			for (String type : module.publicTypes()) {
				String owner = type.substring(0, type.lastIndexOf('.'));
				if (!module.artifact().equals("jobs-core") || owner.equals(ROOT)) {
					api.add(owner);
				}
				else if (page.contains("`" + type.substring(ROOT.length() + 1) + "`")) {
					api.add(type);
				}
			}
		}
		assertThat(api).contains(ROOT, ROOT + ".server.FetchFilter");
		assertThat(this.parent.texts("//profile[id='api']//include")).containsExactlyElementsOf(api);
	}

	private static final class Pom {

		private final Path file;

		private final Document document;

		private Pom(String file) {
			this.file = Repository.root().resolve(file);
			try {
				this.document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(this.file.toFile());
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

		private List<String> texts(String path) {
			try {
				NodeList nodes = (NodeList) XPathFactory.newInstance()
					.newXPath()
					.evaluate(path, this.document, XPathConstants.NODESET);
				return IntStream.range(0, nodes.getLength()).mapToObj((i) -> nodes.item(i).getTextContent()).toList();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

		private String artifact() {
			return texts("/project/artifactId").get(0);
		}

		private boolean isPublished() {
			return !texts("/project/properties/unpublished").contains("true");
		}

		private List<String> publicTypes() throws IOException {
			Path sources = this.file.resolveSibling("src/main/java");
			if (!isPublished() || !Files.exists(sources)) {
				return List.of();
			}
			List<String> types = new ArrayList<>();
			try (Stream<Path> files = Files.walk(sources)) {
				for (Path file : files.filter((file) -> file.toString().endsWith(".java")).toList()) {
					if (PUBLIC_TYPE.matcher(Files.readString(file)).find()) {
						types.add(sources.relativize(file).toString().replace(".java", "").replace('/', '.'));
					}
				}
			}
			return types;
		}

	}

}
