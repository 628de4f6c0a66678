package io.github.steadyjobs.dashboard;

import java.util.List;
import java.util.Map;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DashboardServlet}.
 */
@RedisTest
class DashboardServletIntegrationTests {

	private static final List<String> PAGES = List.of("", "queues", "list", "list?place=dead&name=a", "running",
			"names", "name?name=a%2Fb", "recurring", "ordered", "processes", "pauses", "locks", "doctor", "audit",
			"audit-report", "activity", "pause", "delete-all?place=dead", "create-recurring");

	private static DashboardFixture dashboard;

	@BeforeAll
	static void start(TestRedis redis) {
		dashboard = DashboardFixture.start(redis, "spring.application.name=shop");
	}

	@AfterAll
	static void stop() {
		dashboard.close();
	}

	@ParameterizedTest
	@CsvSource({ "/jobs, jobs/", "/admin/jobs, jobs/" })
	void addressWithoutSlashLeadsToTheOneWithIt(String path, String location) {
		PageRequest request = dashboard.get("");
		request.raw().setServletPath(path);
		request.raw().setPathInfo(null);
		Answer answer = request.send();
		assertThat(answer.status()).isEqualTo(302);
		assertThat(answer.header("Location")).isEqualTo(location);
	}

	@ParameterizedTest
	@FieldSource("PAGES")
	void pageHasNothingButRelativeReferencesOneLevelDeep(String address) {
		Answer answer = dashboard.get(address).send();
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.header("Content-Type")).isEqualTo("text/html;charset=UTF-8");
		assertThat(answer.page().select("[href], [src], [action]")).isNotEmpty().allSatisfy((element) -> {
			for (String attribute : new String[] { "href", "src", "action" }) {
				assertThat(element.attr(attribute)).doesNotContain(":", "//").doesNotStartWith("/");
				assertThat(element.attr(attribute).replaceFirst("^\\./", "").replaceFirst("\\?.*", ""))
					.doesNotContain("/");
			}
		});
	}

	@ParameterizedTest
	@FieldSource("PAGES")
	void pageHasNoInlineScriptsAndStyles(String address) {
		Answer answer = dashboard.get(address).send();
		assertThat(answer.page().select("style, [style], script:not([src])")).isEmpty();
		assertThat(answer.page().getAllElements()).noneMatch((element) -> element.attributes()
			.asList()
			.stream()
			.anyMatch((attribute) -> attribute.getKey().startsWith("on")));
	}

	@Test
	void pageIsNeitherKeptNorFramedNorSniffed() {
		Answer answer = dashboard.get("").send();
		assertThat(answer.header("Content-Security-Policy")).isEqualTo(
				"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
		assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
		assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
		assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
		assertThat(answer.header("Referrer-Policy")).isEqualTo("same-origin");
	}

	@Test
	void pageNamesTheApplicationAndMarksItsEntry() {
		Answer answer = dashboard.get("queues").send();
		assertThat(answer.page().title()).isEqualTo("Queues · shop");
		assertThat(answer.text(".brand")).isEqualTo("shop Jobs");
		assertThat(answer.text("nav [aria-current=page]")).isEqualTo("Queues");
		assertThat(answer.page().select("nav li").eachText()).containsExactly("Overview", "Queues", "Jobs", "Running",
				"By name", "Recurring", "Ordered", "Processes", "Pauses", "Locks", "Doctor", "Audit", "Activity");
	}

	@Test
	void headHasNoBody() {
		PageRequest head = dashboard.get("queues");
		head.raw().setMethod("HEAD");
		Answer answer = head.send();
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.response().getContentLength()).isPositive();
		assertThat(answer.response().getContentAsByteArray()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "link[rel=stylesheet], href, text/css;charset=UTF-8", "link[rel=icon], href, image/svg+xml",
			"script[src^=htmx], src, text/javascript;charset=UTF-8",
			"script[src^=dashboard], src, text/javascript;charset=UTF-8" })
	void assetIsKeptForEver(String selector, String attribute, String type) {
		String address = dashboard.get("").send().page().select(selector).attr(attribute);
		Answer asset = dashboard.get(address).from("10.0.0.1").send();
		assertThat(asset.status()).isEqualTo(200);
		assertThat(asset.header("Content-Type")).isEqualTo(type);
		assertThat(asset.header("Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
	}

	@Test
	void assetOfAnotherReleaseIsThatOfThisOneAndNotKept() {
		Answer asset = dashboard.get("style-0123456789abcdef.css").send();
		assertThat(asset.status()).isEqualTo(200);
		assertThat(asset.header("Cache-Control")).isEqualTo("no-store");
	}

	@Test
	void liveRequestGetsRegionsOnlyAndNothingWhileTheyStayTheSame() {
		Answer first = dashboard.get("pauses").live().send();
		assertThat(first.page().select("nav, main, link")).isEmpty();
		assertThat(first.page().select("[hx-swap-oob]").eachAttr("id")).containsExactly("trouble", "pauses");
		assertThat(first.header(DashboardServlet.READ_AT)).isNotEmpty();
		Answer second = dashboard.get("pauses").live().header("If-None-Match", first.header("ETag")).send();
		assertThat(second.status()).isEqualTo(304);
		assertThat(second.header(DashboardServlet.READ_AT)).isNotEmpty();
		assertThat(second.response().getContentAsByteArray()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "queues", "processes", "pauses", "doctor" })
	void pageAtRestStaysTheSame(String address) {
		String tag = dashboard.get(address).live().send().header("ETag");
		assertThat(dashboard.get(address).live().header("If-None-Match", tag).send().status()).isEqualTo(304);
	}

	@ParameterizedTest
	@ValueSource(strings = { "nothing", "queues/", "a/b", "../queues", "..%2Fqueues", "WEB-INF/web.xml" })
	void addressOfNoPageIsNotFound(String address) {
		Answer answer = dashboard.get(address).send();
		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.text(".failure")).contains("There is no page of this name");
	}

	@ParameterizedTest
	@CsvSource({ "queue, The parameter name is missing.", "queue?name=, The parameter name is missing.",
			"?period=year, 'The parameter period must be one of hour, day, quarter.'",
			"dump?process=a&number=x, The parameter number must be a whole number.",
			"purge?queue=mail&place=dead&queue=x, No queue is called mail" })
	void parameterThatIsWrongIsNamed(String address, String text) {
		Answer answer = dashboard.get(address).send();
		assertThat(answer.status()).isBetween(400, 404);
		assertThat(answer.text(".failure")).contains(text);
	}

	@Test
	void parameterThatIsTooLongIsRefused() {
		Answer answer = dashboard.get("queue").parameter("name", "x".repeat(4001)).send();
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text(".failure")).contains("The parameter name is longer than 4,000 characters");
	}

	@Test
	void nameFromTheAddressIsShownAsTextOnly() {
		Answer answer = dashboard.get("queue").parameter("name", "<img src=x onerror=alert(1)>\u202Egnp").send();
		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.page().select("main img")).isEmpty();
		assertThat(answer.text(".failure")).contains("<img src=x onerror=alert(1)>\\u202egnp");
	}

	@ParameterizedTest
	@CsvSource({ "queues, 'GET, HEAD'", "pause, 'GET, HEAD, POST'" })
	void methodThatIsNotAllowedIsRefused(String address, String allowed) {
		for (String method : new String[] { "PUT", "DELETE", "OPTIONS", "TRACE" }) {
			PageRequest request = dashboard.get(address);
			request.raw().setMethod(method);
			Answer answer = request.send();
			assertThat(answer.status()).isEqualTo(405);
			assertThat(answer.header("Allow")).isEqualTo(allowed);
		}
		assertThat(dashboard.post("queues").send().status()).isEqualTo(405);
	}

	@Test
	void changeSentByAnotherSiteIsRefusedAndLeavesNoTrace(TestRedis redis) {
		dashboard.client().enqueue(JobRequest.named("MailJobs.send", "a"));
		Map<String, Object> before = redis.contents();
		for (String site : new String[] { "cross-site", "same-site", "none" }) {
			Answer answer = dashboard.post("purge?queue=mail&place=ready").header("Sec-Fetch-Site", site).send();
			assertThat(answer.status()).isEqualTo(403);
			assertThat(answer.text(".failure")).contains("not sent by a page of this dashboard");
		}
		assertThat(redis.contents()).isEqualTo(before);
	}

	@Test
	void noticeIsOneOfThoseThatAreKnown() {
		assertThat(dashboard.get("pauses?notice=purged&count=3").send().text("#notice"))
			.isEqualTo("3 jobs were deleted.");
		assertThat(dashboard.get("pauses?notice=purged").parameter("count", "<b>").send().text("#notice"))
			.isEqualTo("There was nothing to delete.");
		assertThat(dashboard.get("pauses?notice=hello").send().page().select("#notice")).isEmpty();
	}

}
