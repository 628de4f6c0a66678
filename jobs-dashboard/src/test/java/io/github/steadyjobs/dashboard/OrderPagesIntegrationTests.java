package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.Map;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobLocks;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OrderedPage}, {@link LocksPage}, {@link AuditPage},
 * {@link AuditReportPage} and their actions.
 */
@RedisTest
class OrderPagesIntegrationTests {

	private static DashboardFixture dashboard;

	private final TestRedis redis;

	OrderPagesIntegrationTests(TestRedis redis) {
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

	@BeforeEach
	void registerQueues() {
		// The client registers a queue only once, but each test begins without keys.
		this.redis.template()
			.opsForSet()
			.add(this.redis.prefix() + ":queues", "mail", "bills", "orders#0", "orders#1", "orders#2", "orders#3",
					"orders#4");
		dashboard.bean(Samples.class).expire();
	}

	@Test
	void orderedShowsKeysAndDeadPayloads() {
		ship("o-7", 1);
		ship("o-7", 2);
		kill("o-8");
		Answer answer = dashboard.get("ordered").send();
		assertThat(answer.text("#keys tbody")).contains("o-7 ShopJobs.ship", "Waiting");
		assertThat(answer.text("#keys tbody td[data-label=Payloads]")).isEqualTo("2");
		assertThat(answer.text("#morgue tbody")).contains("o-8 ShopJobs.ship", "Revive…");
		assertThat(dashboard.get(answer.link("#keys tbody a")).send().text("#job-facts")).contains("o-7", "2 payloads");
		assertThat(answer.link("#morgue .panel-head a")).isEqualTo("list?place=dead&queue=orders");
	}

	@Test
	void deadPayloadsOfAKeyAreRevived() {
		kill("o-8");
		ship("o-7", 1);
		Answer ordered = dashboard.get("ordered?queue=orders").send();
		Answer question = dashboard.get(ordered.link("#morgue a[data-dialog]")).send();
		assertThat(question.text("form h2")).isEqualTo("Revive the dead payloads of o-8");
		Answer revived = dashboard.submit(question);
		assertThat(revived.header("Location")).isEqualTo("ordered?queue=orders&notice=revived&count=1");
		assertThat(dashboard.get(revived.header("Location")).send().text("#notice"))
			.isEqualTo("One payload runs again.");
		assertThat(dashboard.bean(JobAdmin.class).page(JobQuery.of(JobPlace.DEAD)).jobs()).isEmpty();
		assertThat(dashboard.submit(question).header("Location")).endsWith("notice=revived&count=0");
	}

	@Test
	void orderedHidesKeysFromThoseWhoDoNotSeeValues() {
		ship("swordfish", 2);
		kill("swordfish");
		try (DashboardFixture hidden = DashboardFixture.start(this.redis, "steadyjobs.dashboard.show-values=never")) {
			Answer answer = hidden.get("ordered").send();
			assertThat(answer.page().html()).doesNotContain("swordfish");
			assertThat(answer.text("#keys tbody")).contains("******");
			assertThat(answer.page().select("#morgue a[data-dialog]")).isEmpty();
		}
	}

	@Test
	void orderedWithoutAnySaysHowToMakeOne() {
		this.redis.clear();
		assertThat(dashboard.get("ordered").send().text(".empty")).contains("@Sequential");
		assertThat(dashboard.get("ordered?queue=mail").send().status()).isEqualTo(404);
	}

	@ParameterizedTest
	@ValueSource(strings = { "revive", "revive?queue=orders", "revive?queue=orders&job=a%20b&key=x",
			"revive?queue=orders&job=MailJobs.send&key=x", "release-lock?queue=bills", "release-lock?queue=a/b" })
	void badFieldIsRefused(String address) {
		Map<String, Object> before = this.redis.contents();
		Answer answer = dashboard.post(address).send();
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text(".failure p:eq(1)")).isNotEmpty();
		assertThat(this.redis.contents()).isEqualTo(before);
	}

	@Test
	void locksShowsWhoHasWhich() {
		String id = bill("ada");
		Answer answer = dashboard.get("locks").send();
		assertThat(answer.text("#locks tbody")).contains(id, "waiting", "bills", "Release…");
		assertThat(answer.link("#locks tbody th a")).isEqualTo("job?id=" + id);
		assertThat(dashboard.get("locks?queue=mail").send().text("#locks .empty")).contains("No job has a lock");
		assertThat(dashboard.get("locks?queue=nothing").send().status()).isEqualTo(404);
		assertThat(dashboard.get("locks?after=made-up&in=bills").send().status()).isEqualTo(400);
	}

	@Test
	void locksGoOnWhereTheyEnded() {
		for (int i = 0; i < 700; i++) {
			bill("c" + i);
		}
		int found = 0;
		String address = "locks";
		do {
			Answer page = dashboard.get(address).send();
			found += page.page().select("#locks tbody tr").size();
			address = page.link("a[rel=next]");
		}
		while (!address.isEmpty());
		assertThat(found).isEqualTo(700);
	}

	@Test
	void lockOfAnotherJobThanTheViewerSawIsNotReleased() {
		String first = bill("ada");
		Answer locks = dashboard.get("locks").send();
		Answer question = dashboard.get(locks.link("#locks .actions a")).send();
		dashboard.bean(JobAdmin.class).change(JobAction.DELETE, first);
		String second = bill("ada");
		assertThat(dashboard.submit(question).header("Location")).contains("notice=lock-changed");
		assertThat(dashboard.bean(JobLocks.class).ofJob("bills", second)).isPresent();
		Answer again = dashboard.get(dashboard.get("locks").send().link("#locks .actions a")).send();
		assertThat(dashboard.submit(again).header("Location")).contains("notice=lock-released");
		assertThat(dashboard.bean(JobLocks.class).ofJob("bills", second)).isEmpty();
	}

	@Test
	void auditFindsNothingWhereNothingIsWrong() {
		bill("ada");
		assertThat(dashboard.get("audit").send().page().select("form [name=queue] option")).hasSizeGreaterThan(3);
		Answer report = dashboard.get("audit-report").send();
		assertThat(report.text("main")).contains("Everything is in order.");
		assertThat(report.page().select("a[href^=repair]")).isEmpty();
	}

	@Test
	void auditFindsWhatIsWrongAndRepairMendsIt() {
		String id = dashboard.client().enqueue(JobRequest.named("MailJobs.send", "<b>ada</b>")).id();
		this.redis.template().opsForList().remove(this.redis.key("mail", "ready"), 0, id);
		Answer report = dashboard.get("audit-report?queue=mail").send();
		assertThat(report.text(".concerns")).contains("A job is in no place", "Repair mends it.");
		assertThat(report.text("tbody")).contains(id);
		Answer question = dashboard.get(report.link("a[href^=repair]")).send();
		assertThat(question.text("form h2")).isEqualTo("Repair queue mail");
		Answer repaired = dashboard.submit(question);
		assertThat(repaired.header("Location")).isEqualTo("audit-report?queue=mail&notice=repaired&count=1");
		Answer after = dashboard.get(repaired.header("Location")).send();
		assertThat(after.text("#notice")).isEqualTo("One finding was repaired.");
		assertThat(after.text("main")).contains("Everything is in order.");
		assertThat(dashboard.bean(JobAudit.class).run().isClean()).isTrue();
		assertThat(dashboard.get("audit-report?queue=nothing").send().status()).isEqualTo(404);
		assertThat(dashboard.post("repair?queue=nothing").send().status()).isEqualTo(404);
	}

	private static String bill(String customer) {
		return dashboard.client().enqueue(JobRequest.named("ShopJobs.bill", customer)).id();
	}

	private static void ship(String order, int version) {
		dashboard.client().enqueue(JobRequest.named("ShopJobs.ship", order, version));
	}

	private static void kill(String order) {
		String id = dashboard.client()
			.enqueue(JobRequest.named("ShopJobs.ship", order, 1).after(Duration.ofHours(1)))
			.id();
		dashboard.bean(JobAdmin.class).change(JobAction.KILL, id);
	}

}
