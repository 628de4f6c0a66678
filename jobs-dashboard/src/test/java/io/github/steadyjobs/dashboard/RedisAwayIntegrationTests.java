package io.github.steadyjobs.dashboard;

import java.time.Duration;

import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of pages while Redis is unavailable.
 */
@RedisTest
class RedisAwayIntegrationTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final TcpRelay relay;

	private final DashboardFixture dashboard;

	RedisAwayIntegrationTests(TestRedis redis) {
		this.relay = TcpRelay.to(redis);
		this.dashboard = DashboardFixture.startAt(this.relay.url(), redis.prefix(),
				"spring.data.redis.timeout=" + TIMEOUT.toMillis() + "ms");
	}

	@AfterEach
	void close() {
		this.relay.pass();
		this.dashboard.close();
		this.relay.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "queues", "processes", "pauses", "doctor" })
	void pageWithoutAnyAnswerSaysSo(String address) {
		this.relay.refuse();
		Answer answer = this.dashboard.get(address).send();
		assertThat(answer.status()).isEqualTo(503);
		assertThat(answer.text(".failure")).contains("Redis").doesNotContain("Exception", "at io.");
	}

	@Test
	void pageKeepsItsLastStateAndSaysHowOldItIs() {
		Answer before = this.dashboard.get("").send();
		this.relay.refuse();
		this.dashboard.bean(Samples.class).expire();
		Answer after = this.dashboard.get("").send();
		assertThat(after.status()).isEqualTo(200);
		assertThat(after.text("#trouble")).startsWith("Redis does not answer.").contains("This is the state of");
		assertThat(after.page().select("#trouble time").attr("datetime"))
			.isEqualTo(before.header(DashboardServlet.READ_AT));
		assertThat(after.text("#totals")).isEqualTo(before.text("#totals"));
		Answer live = this.dashboard.get("").live().send();
		assertThat(live.text("#trouble")).startsWith("Redis does not answer.");
	}

	@Test
	void pageWhoseDataIsNotKeptSaysWhenRedisAnsweredLast() {
		this.dashboard.get("").send();
		this.relay.refuse();
		Answer answer = this.dashboard.get("resume?kind=job&name=a").send();
		assertThat(answer.status()).isEqualTo(503);
		assertThat(answer.text(".failure")).contains("Redis answered last");
		assertThat(answer.page().select(".failure time")).hasSize(1);
	}

	@Test
	void pageWaitsForOneTimeoutAndNotForOneOfEachSample() {
		this.dashboard.get("").send();
		this.dashboard.bean(Samples.class).expire();
		this.relay.swallow();
		long begin = System.nanoTime();
		Answer answer = this.dashboard.get("").send();
		assertThat(answer.text("#trouble")).startsWith("Redis does not answer.");
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(TIMEOUT.multipliedBy(2));
	}

	@Test
	void changeThatIsNotSentSaysSo() {
		this.relay.refuse();
		Answer answer = this.dashboard.post("pause").parameter("job", "a").parameter("why", "x").send();
		assertThat(answer.status()).isEqualTo(503);
	}

}
