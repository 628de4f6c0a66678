package io.github.steadyjobs.boot;

import java.util.Properties;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.info.BuildProperties;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the labels of {@link DeployMark}.
 */
class DeployMarkTests {

	private final MockEnvironment environment = new MockEnvironment();

	@Test
	void labelIsNameAndVersionOfTheApplication() {
		this.environment.setProperty("spring.application.name", "shop");
		assertThat(label(null, null)).isNull();
		this.environment.setProperty("spring.application.version", "1.0");
		assertThat(label(null, null)).isEqualTo("shop 1.0");
		assertThat(label(null, "1.1")).as("label from the build information").isEqualTo("shop 1.1");
		assertThat(label("blue", "1.1")).as("label from the property").isEqualTo("blue");
		assertThat(label("", "1.1")).as("label that is switched off").isNull();
	}

	@Test
	void labelWhenApplicationHasNoNameIsItsVersion() {
		assertThat(label(null, "1.1")).isEqualTo("1.1");
	}

	@Test
	void labelWhenVersionIsNoneOrTooLongIsMissing() {
		assertThat(label(null, " ")).isNull();
		assertThat(label(null, "1".repeat(201))).isNull();
	}

	@Test
	void versionIsThatOfTheBuildOrOfTheManifest() {
		assertThat(RunProperties.version(null, this.environment)).isEmpty();
		this.environment.setProperty("spring.application.version", "1.0");
		assertThat(RunProperties.version(null, this.environment)).isEqualTo("1.0");
		assertThat(RunProperties.version(new BuildProperties(new Properties()), this.environment)).isEqualTo("1.0");
		Properties build = new Properties();
		build.setProperty("version", "1.1");
		assertThat(RunProperties.version(new BuildProperties(build), this.environment)).isEqualTo("1.1");
	}

	private @Nullable String label(@Nullable String property, @Nullable String version) {
		Properties build = new Properties();
		if (version != null) {
			build.setProperty("version", version);
		}
		return DeployMark.label(new HistoryProperties(true, property), new BuildProperties(build), this.environment);
	}

}
