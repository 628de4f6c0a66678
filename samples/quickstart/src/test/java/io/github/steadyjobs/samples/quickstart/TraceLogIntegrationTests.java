package io.github.steadyjobs.samples.quickstart;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the log shows which request a job belongs to. A tracer is on the class path
 * of the tests.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ExtendWith(OutputCaptureExtension.class)
class TraceLogIntegrationTests {

	@Test
	void linesOfRequestAndJobHaveTheSameTrace(@LocalServerPort int port, CapturedOutput output) {
		RestTestClient site = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
		MultiValueMap<String, Object> form = new LinkedMultiValueMap<>();
		form.add("file", new ByteArrayResource(Pictures.jpeg(10, 10)) {

			@Override
			public String getFilename() {
				return "traced.jpg";
			}

		});
		site.post()
			.uri("/photos")
			.contentType(MediaType.MULTIPART_FORM_DATA)
			.body(form)
			.exchange()
			.expectStatus()
			.isAccepted();
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(trace(output, "Thumbnails of photo .*traced.jpg")).isNotNull());
		assertThat(trace(output, "Photo .*traced.jpg, .*uploaded"))
			.isEqualTo(trace(output, "Thumbnails of photo .*traced.jpg"));
	}

	private static @Nullable String trace(CapturedOutput output, String line) {
		Matcher matcher = Pattern.compile("\\[([0-9a-f]{32})].*" + line).matcher(output);
		return matcher.find() ? matcher.group(1) : null;
	}

}
