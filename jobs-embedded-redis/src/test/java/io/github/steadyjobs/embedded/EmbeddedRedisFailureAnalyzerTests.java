package io.github.steadyjobs.embedded;

import io.github.steadyjobs.embedded.EmbeddedRedisException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EmbeddedRedisFailureAnalyzer}.
 */
@ExtendWith(OutputCaptureExtension.class)
class EmbeddedRedisFailureAnalyzerTests {

	@Test
	void analyzeWhenThereIsNoExecutableNamesTheThreeChoices() {
		FailureAnalysis analysis = analyze(RedisExecutable.none("windows11-amd64"));
		assertThat(analysis.getDescription()).contains("no redis-server or valkey-server of version 6.2 or later")
			.contains("windows11-amd64");
		assertThat(analysis.getAction()).contains("docker run")
			.contains("WSL")
			.contains("'spring.data.redis.url'")
			.contains("'steadyjobs.embedded.executable'");
	}

	@Test
	void analyzeWhenExecutableIsUnusableSaysHowToTryIt() {
		FailureAnalysis analysis = analyze(new EmbeddedRedisException(Reason.UNUSABLE_EXECUTABLE, "/opt/redis-server",
				"'/opt/redis-server' is Redis 6.0.16", null));
		assertThat(analysis.getDescription()).contains("'/opt/redis-server'").contains("Redis 6.0.16");
		assertThat(analysis.getAction()).contains("'/opt/redis-server --version'")
			.contains("'steadyjobs.embedded.executable'")
			.contains("6.2 or later");
	}

	@Test
	void analyzeWhenPortIsInUseSaysWhichProperty() {
		FailureAnalysis analysis = analyze(
				new EmbeddedRedisException(Reason.PORT_IN_USE, "6379", "bind: Address in use", null));
		assertThat(analysis.getAction()).contains("'steadyjobs.embedded.port'")
			.contains("'spring.data.redis.port=6379'");
	}

	@Test
	void analyzeWhenServerEndsSaysHowToDoWithout() {
		FailureAnalysis analysis = analyze(new EmbeddedRedisException("The server ended with status 1", null));
		assertThat(analysis.getDescription()).contains("The server ended with status 1");
		assertThat(analysis.getAction()).contains("'steadyjobs.embedded.enabled=false'");
	}

	@Test
	void applicationWhenExecutableIsMissingPrintsAnalysis(CapturedOutput output) {
		SpringApplication application = new SpringApplication(Application.class);
		assertThatExceptionOfType(BeanCreationException.class)
			.isThrownBy(() -> application.run("--steadyjobs.embedded.executable=/nowhere/redis-server"));
		assertThat(output).contains("APPLICATION FAILED TO START").contains("Try '/nowhere/redis-server --version'");
	}

	private static FailureAnalysis analyze(EmbeddedRedisException cause) {
		FailureAnalysis analysis = new EmbeddedRedisFailureAnalyzer()
			.analyze(new BeanCreationException("Could not create bean", cause));
		assertThat(analysis).isNotNull();
		return analysis;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(EmbeddedRedisAutoConfiguration.class)
	static class Application {

	}

}
