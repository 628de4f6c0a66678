package io.github.steadyjobs.dashboard;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the pages. Checks the role of the viewer before a page or an action receives the
 * request.
 */
final class DashboardServlet extends HttpServlet {

	/**
	 * The header with the time at which the oldest sample of the page was read. It is
	 * also sent with status 304, which has no body.
	 */
	static final String READ_AT = "X-Jobs-Read-At";

	private static final Logger logger = LoggerFactory.getLogger(DashboardServlet.class);

	private static final Map<String, String> HEADERS = Map.of("Content-Security-Policy",
			"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
					+ "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
			"X-Content-Type-Options", "nosniff", "X-Frame-Options", "DENY", "Referrer-Policy", "same-origin");

	private static final String CACHE_CONTROL = "Cache-Control";

	private static final String NO_STORE = "no-store";

	private static final String HTML = "text/html;charset=UTF-8";

	private static final String FOREVER = "public, max-age=31536000, immutable";

	private final Turnstile turnstile = new Turnstile(Duration.ofSeconds(2));

	private final Map<String, Page> pages;

	private final Access access;

	private final Assets assets;

	private final FormTokens tokens;

	private final Renderer renderer;

	private final Samples samples;

	DashboardServlet(List<Page> pages, Access access, Site site, FormTokens tokens, Samples samples) {
		this.pages = pages.stream().collect(Collectors.toMap(Page::name, Function.identity()));
		this.access = access;
		this.assets = site.assets();
		this.tokens = tokens;
		this.renderer = new Renderer(site, tokens);
		this.samples = samples;
	}

	@Override
	protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
		HEADERS.forEach(response::setHeader);
		String path = request.getPathInfo();
		Asset asset = (path != null) ? this.assets.find(path.substring(1)) : null;
		if (path == null) {
			response.setHeader(CACHE_CONTROL, NO_STORE);
			goTo(below(request), HttpServletResponse.SC_FOUND, response);
		}
		else if (asset != null) {
			// A different hash belongs to another release, so this content must not be
			// cached under that address.
			response.setHeader(CACHE_CONTROL, path.endsWith("/" + asset.address()) ? FOREVER : NO_STORE);
			write(asset.type(), asset.content(), request, response);
		}
		else {
			response.setHeader(CACHE_CONTROL, NO_STORE);
			answer(path.substring(1), request, response);
		}
	}

	/**
	 * Return the address of the overview, relative to the address of the dashboard
	 * without its final slash.
	 */
	private static String below(HttpServletRequest request) {
		String path = request.getServletPath();
		return path.substring(path.lastIndexOf('/') + 1) + "/";
	}

	private void answer(String name, HttpServletRequest request, HttpServletResponse response) throws IOException {
		Visit visit = new Visit(request, this.access.viewer(request));
		if (!this.turnstile.enter()) {
			response.setHeader("Retry-After", "2");
			write(Failure.busy(), visit, request, response);
			return;
		}
		try {
			answer(this.pages.get(name), visit, request, response);
		}
		catch (RuntimeException ex) {
			Failure failure = Failure.of(ex, this.samples.lastAnswer());
			if (failure.status() == Failure.UNEXPECTED) {
				logger.error("The dashboard could not answer a request for '{}'", Plain.line(name), ex);
			}
			write(failure, visit, request, response);
		}
		finally {
			this.turnstile.leave();
		}
	}

	private void answer(@Nullable Page page, Visit visit, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		this.access.check(visit.viewer(), (page != null) ? page.role() : Role.VIEW);
		if (page == null) {
			throw RefusedException.notFound("refused.page");
		}
		String method = request.getMethod();
		if (method.equals("GET") || method.equals("HEAD")) {
			show(page, visit, request, response);
		}
		else if (method.equals("POST") && page instanceof Action action) {
			if (!OwnOrigin.isOriginOf(request, this.tokens.find(request) != null)) {
				throw RefusedException.forbidden("refused.origin");
			}
			perform(action, visit, request, response);
		}
		else {
			response.setHeader("Allow", (page instanceof Action) ? "GET, HEAD, POST" : "GET, HEAD");
			throw new RefusedException(HttpServletResponse.SC_METHOD_NOT_ALLOWED, Words.of("refused.method"));
		}
	}

	private void perform(Action action, Visit visit, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		try {
			Redirect next = this.access.as(visit.viewer(), () -> action.perform(visit));
			this.samples.expire();
			goTo(next.location(), HttpServletResponse.SC_SEE_OTHER, response);
		}
		catch (RuntimeException ex) {
			Failure failure = Failure.of(ex, null);
			Question question = (failure.status() == Failure.BAD_REQUEST) ? action.question(visit) : null;
			if (question == null || !question.isFilledIn()) {
				throw ex;
			}
			// Show the form again, with the values that the viewer has filled in.
			View view = action.view(question.refused(failure.text(), visit));
			response.setStatus(failure.status());
			write(HTML, this.renderer.render(visit, action.area(), view, request), request, response);
		}
	}

	private void show(Page page, Visit visit, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		View view = page.view(visit);
		byte[] body = this.renderer.render(visit, page.area(), view, request);
		Instant readAt = view.readAt();
		if (readAt != null) {
			response.setHeader(READ_AT, readAt.toString());
		}
		if (visit.isLive()) {
			String tag = '"' + ContentHash.of(body) + '"';
			response.setHeader("ETag", tag);
			if (tag.equals(request.getHeader("If-None-Match"))) {
				response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
				return;
			}
		}
		write(HTML, body, request, response);
	}

	private void write(Failure failure, Visit visit, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		response.setStatus(failure.status());
		write(HTML, this.renderer.render(visit, null, failure.view(), request), request, response);
	}

	private static void write(String type, byte[] body, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		response.setContentType(type);
		response.setContentLength(body.length);
		if (!request.getMethod().equals("HEAD")) {
			response.getOutputStream().write(body);
		}
	}

	/**
	 * Redirect. This method sets the header itself, because a container would make the
	 * address absolute, and would have to guess the host.
	 */
	private static void goTo(String location, int status, HttpServletResponse response) {
		response.setStatus(status);
		response.setHeader("Location", location);
	}

}
