package io.github.steadyjobs.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocalMachine}.
 */
class LocalMachineTests {

	private final MockHttpServletRequest request = new MockHttpServletRequest();

	LocalMachineTests() {
		this.request.setProtocol("HTTP/1.1");
		this.request.setRemoteAddr("127.0.0.1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "localhost:8080", "LOCALHOST:1", "127.0.0.1:65535", "[::1]", "[::1]:8080" })
	void browserOnThisMachineIsLocal(String host) {
		this.request.addHeader("Host", host);
		assertThat(LocalMachine.isOriginOf(this.request)).isTrue();
		this.request.setRemoteAddr("0:0:0:0:0:0:0:1");
		assertThat(LocalMachine.isOriginOf(this.request)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "10.0.0.1", "192.168.1.2", "2001:db8::1", "::ffff:10.0.0.1" })
	void browserElsewhereIsNot(String address) {
		this.request.addHeader("Host", "localhost");
		this.request.setRemoteAddr(address);
		assertThat(LocalMachine.isOriginOf(this.request)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobs.example.org", "localhost.example.org", "127.0.0.1.example.org", "evil.org:8080",
			"localhost:8080@evil.org", "127.0.0.2", "::1", "localhost:", "[::1", "" })
	void nameOfAnotherHostIsNotLocal(String host) {
		this.request.addHeader("Host", host);
		assertThat(LocalMachine.isOriginOf(this.request)).isFalse();
	}

	@Test
	void requestWithoutHostIsNotLocal() {
		assertThat(LocalMachine.isOriginOf(this.request)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-FORWARDED-PREFIX", "Via", "X-Real-IP" })
	void requestOfAProxyIsNotLocal(String header) {
		this.request.addHeader("Host", "localhost");
		this.request.addHeader(header, "127.0.0.1");
		assertThat(LocalMachine.isOriginOf(this.request)).isFalse();
	}

	@Test
	void requestOfAProxyThatAddsNoHeaderIsNotLocal() {
		this.request.addHeader("Host", "localhost:8080");
		this.request.setProtocol("HTTP/1.0");
		assertThat(LocalMachine.isOriginOf(this.request)).isFalse();
	}

	@Test
	void requestWhoseAddressIsThatOfAHeaderIsNotLocal() {
		// Simulate a request that has passed through Tomcat's RemoteIpValve.
		this.request.addHeader("Host", "localhost");
		this.request.setAttribute("org.apache.tomcat.request.forwarded", true);
		assertThat(LocalMachine.isOriginOf(this.request)).isFalse();
	}

	@Test
	void requestWhoseHeadersAreHiddenByAFilterIsNotLocal() {
		this.request.addHeader("Host", "localhost");
		this.request.addHeader("X-Forwarded-For", "127.0.0.1");
		this.request.setRemoteAddr("10.0.0.1");
		MockHttpServletRequest seen = new MockHttpServletRequest();
		seen.setProtocol("HTTP/1.1");
		seen.addHeader("Host", "localhost");
		HttpServletRequest wrapper = new HttpServletRequestWrapper(this.request) {

			@Override
			public String getHeader(String name) {
				return seen.getHeader(name);
			}

			@Override
			public String getRemoteAddr() {
				return "127.0.0.1";
			}

		};
		assertThat(LocalMachine.isOriginOf(wrapper)).isFalse();
	}

}
