package io.github.steadyjobs.dashboard;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConnection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that pages show any payload without harm, whatever it contains.
 */
@RedisTest
class BadPayloadIntegrationTests {

	private static DashboardFixture dashboard;

	private final TestRedis redis;

	BadPayloadIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@BeforeAll
	static void start(TestRedis redis) {
		dashboard = DashboardFixture.start(redis);
	}

	@AfterAll
	static void stop() {
		dashboard.close();
	}

	static Stream<String> texts() {
		return Stream.of("<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
				"</title></table><svg onload=alert(1)>", "javascript:alert(1)", "${7*7} #{7*7} {{7*7}} %s {0}",
				"a\\u0000\\u001b[31m\\u202egnp.exe\\u2028", "&lt;b&gt; &amp;", "x".repeat(5_000_000));
	}

	@ParameterizedTest
	@MethodSource("texts")
	void textIsShownAsText(String text) {
		String json = text.replace("\"", "\\\"");
		String id = dead(
				"{\"jid\":\"%%s\",\"class\":\"%s\",\"args\":[\"%s\"],\"queue\":\"mail\",\"error_class\":\"%s\",\"error_message\":\"%s\"}"
					.formatted(json, json, json, json)
					.getBytes(StandardCharsets.UTF_8));
		show(id).forEach((address, answer) -> {
			assertThat(answer.status()).isEqualTo(200);
			assertThat(answer.page()
				.select("main script, main img, main svg:not(.spark), [onload], [onerror], [onmouseover]")).isEmpty();
			assertThat(answer.page().select("main a").eachAttr("href"))
				.allMatch((link) -> !link.startsWith("javascript"));
			boolean isOfOne = address.startsWith("job?");
			assertThat(answer.response().getContentLength()).isLessThan(isOfOne ? 400_000 : 30_000);
			String shown = answer.page().select(isOfOne ? "main" : "tbody").text();
			assertThat(shown).doesNotContain("\u0000", "\u001b", "\u202e", "\u2028");
			if (text.length() > 1000) {
				assertThat(shown).contains("… (cut here, 5,000,000 characters in all)");
			}
			else if (!text.contains("\\u")) {
				assertThat(shown).contains(text);
			}
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "null", "[]", "{", "\"a\"", "{\"jid\":7,\"class\":[],\"args\":{}}", "<b>no JSON</b>",
			"{\"class\":\"A\",\"args\":[1e999999]}" })
	void payloadThatIsNoJobIsShown(String payload) {
		assertShown(payload.getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void payloadThatIsNoUtf8IsShown() {
		assertShown(HexFormat.of().parseHex("fffe80c0af7b22"));
	}

	@Test
	void payloadThatIsDeepIsShown() {
		assertShown(("{\"class\":\"A\",\"args\":[" + "[".repeat(64) + "]".repeat(64) + "]}")
			.getBytes(StandardCharsets.UTF_8));
	}

	private void assertShown(byte[] payload) {
		String id = dead(payload);
		show(id).forEach((address, answer) -> {
			assertThat(answer.status()).as(address).isEqualTo(200);
			assertThat(answer.page().select("main b:containsOwn(no JSON)")).isEmpty();
			assertThat(answer.text("main")).contains(id);
		});
		for (String action : List.of("retry", "edit", "move", "delete")) {
			assertThat(dashboard.get(action + "?id=" + id).send().status()).as(action).isIn(200, 409);
		}
	}

	/** Create a dead job with the given stored payload. */
	private String dead(byte[] payload) {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "mail");
		String id = dashboard.client().enqueue(JobRequest.named("MailJobs.send", "a")).id();
		dashboard.bean(JobAdmin.class).change(JobAction.KILL, id);
		try (RedisConnection connection = this.redis.connectionFactory().getConnection()) {
			connection.hashCommands()
				.hSet(this.redis.key("mail", "payloads").getBytes(StandardCharsets.UTF_8),
						id.getBytes(StandardCharsets.UTF_8), payload);
		}
		dashboard.bean(Samples.class).expire();
		return id;
	}

	/** Return all pages that show a dead job. */
	private static Map<String, Answer> show(String id) {
		return Stream.of("queue?name=mail", "list?place=dead", "job?id=" + id)
			.collect(Collectors.toMap(Function.identity(), (address) -> dashboard.get(address).send()));
	}

}
