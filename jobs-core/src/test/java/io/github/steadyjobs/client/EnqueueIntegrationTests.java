package io.github.steadyjobs.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Enqueued;
import io.github.steadyjobs.EnqueueResult.Scheduled;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.PayloadTooLargeException;
import io.github.steadyjobs.client.MailJobs.Unknown;
import io.github.steadyjobs.client.MailJobs.Welcome;
import io.github.steadyjobs.support.MutableClock;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JobClient#enqueue}.
 */
@RedisTest
class EnqueueIntegrationTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private final TestRedis redis;

	private final JobClient client;

	EnqueueIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.client = Clients.client(redis, new MutableClock(NOW));
	}

	@Test
	void enqueueWhenGivenArgumentStoresTheJobThatTakesIt() {
		// SK-60, SK-61, SK-66
		EnqueueResult result = this.client.enqueue(new Welcome("ann", 1));
		assertThat(result).isEqualTo(new Enqueued(result.id()));
		assertThat(result.id()).matches("[0-9a-f]{24}").startsWith("%012x".formatted(NOW.toEpochMilli()));
		assertThat(stored("mail")).containsExactly(result.id());
		assertThat(stored(result)).isEqualTo(("{'jid':'%s','class':'mail.welcome','args':[{'to':'ann','number':1}],"
				+ "'queue':'mail','retry':5,'created_at':%d,'enqueued_at':%2$d}")
			.formatted(result.id(), NOW.toEpochMilli()));
	}

	@Test
	void enqueueWhenGivenCallStoresItsArguments() {
		EnqueueResult result = this.client.enqueue(MailJobs.class, (job) -> job.digest("ann", 7, JobContext.none()));
		assertThat(stored(result)).contains("'class':'mail.digest','args':['ann',7],'queue':'default','retry':true,");
		assertThat(stored("default")).containsExactly(result.id());
	}

	@Test
	void enqueueWhenGivenCallOfInterfaceStoresTheSame() {
		EnqueueResult result = this.client.enqueue(Mailer.class, (job) -> job.digest("ann", 7, JobContext.none()));
		assertThat(stored(result)).contains("'class':'mail.digest','args':['ann',7]");
	}

	@Test
	void enqueueWhenGivenKnownNameTakesSettingsOfTheJob() {
		EnqueueResult result = this.client.enqueue(JobRequest.named("mail.hello", new Welcome("ann", 1)));
		assertThat(stored(result)).contains("'class':'mail.hello'", "'queue':'mail','retry':5");
	}

	@Test
	void enqueueWhenGivenUnknownNameUsesDefaults() {
		EnqueueResult result = this.client.enqueue(JobRequest.named("invoice.send", 1, null, List.of("x")));
		assertThat(stored(result))
			.contains("'class':'invoice.send','args':[1,null,['x']],'queue':'default','retry':true");
	}

	@Test
	void enqueueWhenRequestSetsEverythingPutsThatFirst() {
		EnqueueResult result = this.client
			.enqueue(JobRequest.of(new Welcome("ann", 1)).queue("low").retries(0).tags("a", "b").meta("tenant", "x"));
		assertThat(stored(result)).contains("'queue':'low','retry':0", "'tags':['a','b'],'meta':{'tenant':'x'}");
		assertThat(stored("low")).containsExactly(result.id());
	}

	@Test
	void enqueueWhenJobIsNotToBeKeptDeadSaysSoInThePayload() {
		assertThat(stored(this.client.enqueue(JobRequest.named("a").retries(3).dead(false))))
			.contains("'retry':3,'dead':false,");
		assertThat(stored(this.client.enqueue(JobRequest.named("mail.ping")))).contains("'retry':true,'dead':false,");
		assertThat(stored(this.client.enqueue(JobRequest.named("mail.ping").dead(true)))).doesNotContain("\"dead\"");
	}

	@Test
	void enqueueWhenRepeatedKeepsTheOrder() {
		// SK-66: workers take jobs from the right end of the list.
		String first = this.client.enqueue(JobRequest.named("a")).id();
		String second = this.client.enqueue(JobRequest.named("b")).id();
		assertThat(stored("default")).containsExactly(second, first);
	}

	@Test
	void scheduleStoresArgumentsAndCallsForLater() {
		Instant time = NOW.plus(Duration.ofDays(7));
		assertThat(List.of(this.client.schedule(new Welcome("ann", 1), Duration.ofDays(7)),
				this.client.schedule(new Welcome("ann", 1), time),
				this.client.schedule(MailJobs.class, (mail) -> mail.welcome(new Welcome("ann", 1)), Duration.ofDays(7)),
				this.client.schedule(MailJobs.class, (mail) -> mail.welcome(new Welcome("ann", 1)), time)))
			.allSatisfy((result) -> assertThat(result).isInstanceOfSatisfying(Scheduled.class,
					(scheduled) -> assertThat(scheduled.at()).isEqualTo(time)));
	}

	@Test
	void enqueueWhenRequestHasDelayStoresForLater() {
		// SK-67
		EnqueueResult result = this.client.enqueue(JobRequest.named("a").after(Duration.ofDays(7)));
		Instant due = NOW.plus(Duration.ofDays(7));
		assertThat(result).isEqualTo(new Scheduled(result.id(), due));
		assertThat(stored(result))
			.contains("'created_at':%d,'at':%d}".formatted(NOW.toEpochMilli(), due.toEpochMilli()));
		assertThat(this.redis.contents("default")).doesNotContainKey("ready");
		// Redis counts the delay by its own clock, which differs from the fixed clock of
		// the client.
		assertThat(dueIn(result)).isBetween(Duration.ofDays(7).minusSeconds(60), Duration.ofDays(7));
	}

	@Test
	void enqueueWhenRequestHasTimeStoresForThen() {
		// SK-67
		EnqueueResult result = this.client.enqueue(JobRequest.named("a").at(NOW.plusSeconds(3600)));
		assertThat(result).isEqualTo(new Scheduled(result.id(), NOW.plusSeconds(3600)));
		assertThat(dueIn(result)).isBetween(Duration.ofSeconds(3540), Duration.ofSeconds(3600));
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1000000000-01-01T00:00:00Z", "1969-01-01T00:00:00Z", "2026-01-01T00:00:00Z",
			"2026-01-01T00:00:00.000999Z" })
	void enqueueWhenTimeHasPassedRunsAtOnce(Instant time) {
		EnqueueResult result = this.client.enqueue(JobRequest.named("a").at(time));
		assertThat(result).isEqualTo(new Enqueued(result.id()));
		assertThat(stored("default")).containsExactly(result.id());
		assertThat(stored(result)).contains("'enqueued_at':").doesNotContain("'at':");
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT0.000999S", "PT-1S", "PT-2562047788015215H" })
	void enqueueWhenDelayIsNoneRunsAtOnce(Duration delay) {
		EnqueueResult result = this.client.enqueue(JobRequest.named("a").after(delay));
		assertThat(result).isEqualTo(new Enqueued(result.id()));
		assertThat(stored("default")).containsExactly(result.id());
	}

	@Test
	void enqueueWhenTimeIsTooFarAwayThrows() {
		refuses(JobRequest.named("a").at(Instant.MAX), "'a' would wait for more than 100,000 years");
		refuses(JobRequest.named("a").after(Duration.ofSeconds(Long.MAX_VALUE)), "more than 100,000 years");
	}

	@Test
	void enqueueWhenArgumentsAreNotJsonSafeThrows() {
		// SK-62: such a job is always refused. If there were only a warning, the value of
		// the argument would be lost.
		refuses(JobRequest.named("a", new Object()), "'a'");
		refuses(JobRequest.named("a", Map.of("x", List.of(1, Double.NaN))), "NaN");
		refuses(JobRequest.named("mail.digest", "ann"), "mail.digest");
		refuses(JobRequest.named("mail.digest", "ann", "many"), "mail.digest");
	}

	@Test
	void enqueueWhenArgumentsAreJsonSafeStoresThem() {
		// SK-62
		UUID uuid = UUID.randomUUID();
		EnqueueResult result = this.client
			.enqueue(JobRequest.named("a", null, true, 1, 1.5, "x", List.of(1), Map.of("k", 2), uuid));
		assertThat(stored(result)).contains("'args':[null,true,1,1.5,'x',[1],{'k':2},'%s']".formatted(uuid));
	}

	@Test
	void enqueueWhenNoJobTakesTheTypeThrows() {
		refuses(JobRequest.of(new Unknown("x")), "Unknown");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "{a}", "é", "a\n",
			"12345678901234567890123456789012345678901234567890123456789012345" })
	void enqueueWhenQueueHasOtherCharactersThrows(String queue) {
		refuses(JobRequest.named("a").queue(queue), "'a' cannot go to queue '" + queue + "'");
	}

	@Test
	void enqueueWhenPayloadIsAtTheLimitStoresIt() {
		EnqueueResult result = this.client.enqueue(JobRequest.named("a", "é"));
		int size = stored(result).getBytes(StandardCharsets.UTF_8).length;
		assertThat(Clients.clientWithLimit(this.redis, size).enqueue(JobRequest.named("a", "é")).accepted()).isTrue();
	}

	@Test
	@DisplayName("GL-X12: a payload over the limit is refused, the message contains its size, and nothing is stored")
	void enqueueWhenPayloadIsOverTheLimitThrows() {
		EnqueueResult result = this.client.enqueue(JobRequest.named("a", "é"));
		int size = stored(result).getBytes(StandardCharsets.UTF_8).length;
		this.redis.clear();
		JobClient limited = Clients.clientWithLimit(this.redis, size - 1);
		assertThatExceptionOfType(PayloadTooLargeException.class)
			.isThrownBy(() -> limited.enqueue(JobRequest.named("a", "é")))
			.satisfies((ex) -> assertThat(ex.getSize()).isEqualTo(size))
			.satisfies((ex) -> assertThat(ex.getLimit()).isEqualTo(size - 1));
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	void findReturnsTheJobAsItIsStored() {
		EnqueueResult result = this.client.enqueue(new Welcome("ann", 1));
		assertThat(this.client.find(result.id())).get()
			.extracting(JobPayload::name, JobPayload::queue, JobPayload::createdAt)
			.containsExactly("mail.welcome", "mail", NOW);
	}

	@ParameterizedTest
	@ValueSource(strings = { "000000000000000000000000", "", "no id", "*" })
	void findAndCancelWhenThereIsNoSuchJobSaySo(String id) {
		this.client.enqueue(new Welcome("ann", 1));
		assertThat(this.client.find(id)).isEmpty();
		assertThat(this.client.cancel(id)).isFalse();
	}

	@Test
	void findWhenPayloadIsNotReadableThrowsAndQuotesNothing() {
		String id = this.client.enqueue(new Welcome("ann", 1)).id();
		this.redis.template().opsForHash().put(this.redis.key("mail", "payloads"), id, "{\"args\":[secret]}");
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.client.find(id))
			.withMessageContaining("Job " + id + " is stored")
			.withMessageContaining("not JSON")
			.withMessageContaining("line 1, column 1")
			.satisfies((ex) -> assertThat(Throwables.getStackTrace(ex)).doesNotContain("secret"));
	}

	@Test
	void enqueueFindAndCancelWhenAKeyIsDamagedNameIt() {
		String ready = this.redis.key("mail", "ready");
		String payloads = this.redis.key("mail", "payloads");
		this.client.enqueue(JobRequest.named("a").queue("mail").after(Duration.ofDays(1)));
		this.redis.template().opsForValue().set(ready, "damaged");
		assertDamaged(() -> this.client.enqueue(JobRequest.named("a").queue("mail")),
				"'%s' is a string and has to be a list".formatted(ready));
		this.redis.template().delete(payloads);
		this.redis.template().opsForValue().set(payloads, "damaged");
		String damaged = "'%s' is a string and has to be a hash".formatted(payloads);
		assertDamaged(() -> this.client.find("000000000000000000000000"), damaged);
		assertDamaged(() -> this.client.cancel("000000000000000000000000"), damaged);
	}

	@Test
	void enqueueWhenAValueIsDamagedNamesTheQueue() {
		this.client.enqueue(JobRequest.named("a").queue("mail"));
		this.redis.template().opsForHash().put(this.redis.key("mail", "meta"), "schema", "much");
		assertDamaged(() -> this.client.enqueue(JobRequest.named("a").queue("mail")), "a key of queue 'mail' holds");
	}

	private static void assertDamaged(ThrowingCallable call, String problem) {
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(call)
			.has(reason(Reason.DAMAGED))
			.withMessageContaining(problem)
			.withMessageContaining("nothing was changed");
	}

	@Test
	void cancelWhenJobIsStoredForgetsIt() {
		String waiting = this.client.enqueue(new Welcome("ann", 1)).id();
		String scheduled = this.client.enqueue(JobRequest.named("a").after(Duration.ofDays(1))).id();
		assertThat(this.client.cancel(waiting)).isTrue();
		assertThat(this.client.cancel(scheduled)).isTrue();
		assertThat(this.client.find(waiting)).isEmpty();
		assertThat(this.client.find(scheduled)).isEmpty();
	}

	private void refuses(JobRequest request, String message) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.client.enqueue(request))
			.withMessageContaining(message);
		assertThat(this.redis.contents()).isEmpty();
	}

	private String stored(EnqueueResult result) {
		return this.redis.contents()
			.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().endsWith(":payloads"))
			.map((entry) -> ((Map<?, ?>) entry.getValue()).get(result.id()))
			.filter((payload) -> payload != null)
			.findFirst()
			.orElseThrow()
			.toString()
			.replace('"', '\'');
	}

	private List<String> stored(String queue) {
		return this.redis.template().opsForList().range(this.redis.key(queue, "ready"), 0, -1);
	}

	private Duration dueIn(EnqueueResult result) {
		Double due = this.redis.template().opsForZSet().score(this.redis.key("default", "scheduled"), result.id());
		return Duration.between(Instant.now(), Instant.ofEpochMilli(due.longValue()));
	}

}
