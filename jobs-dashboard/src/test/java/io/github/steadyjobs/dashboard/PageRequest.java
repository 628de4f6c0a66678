package io.github.steadyjobs.dashboard;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * A request to the dashboard. Sending it returns an {@link Answer}.
 */
final class PageRequest {

	private final DashboardServlet servlet;

	private final MockHttpServletRequest request;

	/**
	 * Create a request.
	 * @param address the encoded address, relative to the dashboard
	 */
	PageRequest(DashboardServlet servlet, String method, String address) {
		this.servlet = servlet;
		URI uri = URI.create("/jobs/" + address);
		this.request = new MockHttpServletRequest(method, uri.getRawPath());
		this.request.setServletPath("/jobs");
		this.request.setPathInfo(uri.getPath().substring("/jobs".length()));
		this.request.addHeader("Host", "localhost:8080");
		UriComponentsBuilder.fromUri(uri)
			.build()
			.getQueryParams()
			.forEach((name, values) -> values.forEach((value) -> parameter(name, decoded(value))));
	}

	private static String decoded(String value) {
		return (value != null) ? URLDecoder.decode(value, StandardCharsets.UTF_8) : "";
	}

	PageRequest header(String name, String value) {
		this.request.removeHeader(name);
		this.request.addHeader(name, value);
		return this;
	}

	PageRequest parameter(String name, String value) {
		this.request.addParameter(name, value);
		return this;
	}

	PageRequest from(String remoteAddress) {
		this.request.setRemoteAddr(remoteAddress);
		return this;
	}

	/** Ask only for the parts of the page that refresh themselves. */
	PageRequest live() {
		return header("HX-Request", "true");
	}

	MockHttpServletRequest raw() {
		return this.request;
	}

	Answer send() {
		MockHttpServletResponse response = new MockHttpServletResponse();
		try {
			this.servlet.service(this.request, response);
			return new Answer(response, Jsoup.parse(response.getContentAsString()));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * The answer to a request.
	 */
	record Answer(MockHttpServletResponse response, Document page) {

		int status() {
			return this.response.getStatus();
		}

		String header(String name) {
			return this.response.getHeader(name);
		}

		/** Return the text of the elements that a selector finds. */
		String text(String selector) {
			return this.page.select(selector).text();
		}

		/** Return the address of the first link that a selector finds. */
		String link(String selector) {
			return this.page.select(selector).attr("href");
		}

	}

}
