package io.github.steadyjobs.samples.quickstart;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link StartupMessage}.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartupMessageTests {

	private final PhotoStore store = mock(PhotoStore.class);

	private final MockEnvironment environment = new MockEnvironment().withProperty("local.server.port", "4711");

	@Test
	void printSaysWhatToOpenAndWhatToTry(CapturedOutput output) {
		given(this.store.directory()).willReturn(Path.of("/photos"));
		new StartupMessage(this.environment, this.store).print();
		assertThat(output).contains(" http://localhost:4711/\n", "curl -F file=@photo.jpg http://localhost:4711/photos",
				"'http://localhost:4711/demo?photos=200'", "http://localhost:4711/jobs",
				"http://localhost:4711/actuator/health");
	}

	@Test
	void printWhenThereIsAContextPathSaysSo(CapturedOutput output) {
		this.environment.withProperty("server.servlet.context-path", "/site");
		new StartupMessage(this.environment, this.store).print();
		assertThat(output).contains(" http://localhost:4711/site/\n");
	}

}
