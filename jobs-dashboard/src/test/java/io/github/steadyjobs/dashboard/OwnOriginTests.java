package io.github.steadyjobs.dashboard;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OwnOrigin}.
 */
class OwnOriginTests {

	private final MockHttpServletRequest request = new MockHttpServletRequest();

	@ParameterizedTest
	@CsvSource({ "same-origin, true", "same-site, false", "cross-site, false", "none, false", "'', false" })
	void siteThatTheBrowserNamesCounts(String site, boolean own) {
		this.request.addHeader("Host", "localhost:8080");
		this.request.addHeader("Sec-Fetch-Site", site);
		assertThat(OwnOrigin.isOriginOf(this.request, false)).isEqualTo(own);
		assertThat(OwnOrigin.isOriginOf(this.request, true)).isEqualTo(own);
	}

	@ParameterizedTest
	@CsvSource({ "http://localhost:8080, true", "https://localhost:8080, false", "http://localhost, false",
			"http://localhost:8081, false", "http://evil.org:8080, false", "null, false" })
	void originMustBeThatOfTheRequest(String origin, boolean own) {
		this.request.addHeader("Host", "LocalHost:8080");
		this.request.addHeader("Origin", origin);
		assertThat(OwnOrigin.isOriginOf(this.request, false)).isEqualTo(own);
	}

	@Test
	void requestThatSaysNothingIsRefusedUnlessItsTokenWasChecked() {
		this.request.addHeader("Host", "localhost:8080");
		assertThat(OwnOrigin.isOriginOf(this.request, false)).isFalse();
		assertThat(OwnOrigin.isOriginOf(this.request, true)).isTrue();
	}

	@Test
	void requestWithoutHostIsRefused() {
		this.request.addHeader("Origin", "http://localhost");
		assertThat(OwnOrigin.isOriginOf(this.request, false)).isFalse();
	}

}
