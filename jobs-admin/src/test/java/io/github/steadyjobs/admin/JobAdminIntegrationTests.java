package io.github.steadyjobs.admin;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobFailure;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.admin.JobChange.Outcome;
import io.github.steadyjobs.admin.JobDetails.Reason;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.audit.DamagedQueue;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.HashOperations;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.util.unit.DataSize;

import static io.github.steadyjobs.audit.DamagedQueue.id;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link JobAdmin}.
 */
@RedisAndClusterTest
class JobAdminIntegrationTests {

	private static final JsonMapper JSON = JobJson.builder().build();

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final TestRedis redis;

	private final JobClient client;

	private final OrderedJobs ordered;

	private final JobAdmin admin;

	private final DamagedQueue queue;

	JobAdminIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.queue = new DamagedQueue(redis, "work");
		this.context.registerBean(Mails.class);
		this.context.registerBean(JobRegistry.class,
				() -> new JobRegistry(this.context.getBeanFactory(), Map.of(), IdempotenceDefaults.STANDARD, JSON));
		this.context.refresh();
		JobRegistry registry = this.context.getBean(JobRegistry.class);
		PayloadCodec codec = new PayloadCodec(JSON);
		JobStore store = new JobStore(redis.connections(), redis.prefix());
		this.client = JobClientFactory.create(store, codec, registry, List.of(), List.of(),
				new JobClientSettings(DataSize.ofMegabytes(1), Clock.systemUTC(), Duration.ofHours(6), false, List.of(),
						(queue) -> false, JobClientSettings.Outage.DEFAULTS));
		this.ordered = new OrderedJobs(redis.connections(), redis.prefix(), store, registry, codec);
		this.admin = new JobAdmin(redis.connections(), redis.prefix(), codec, this.ordered,
				new DeadLimits(10_000, Duration.ofDays(180)));
	}

	/**
	 * In a cluster, the client may register the queue of a job a moment after it has
	 * stored the job, and then the job is not found yet.
	 */
	@BeforeEach
	void register() {
		register("work");
	}

	@AfterEach
	void close() {
		this.context.close();
	}

	// Pages

	@Test
	@DisplayName("SK-50, SK-67: scheduled jobs of all queues are listed in the order in which they are due")
	void pageOfScheduledMergesAllQueues() {
		List<String> ids = new ArrayList<>();
		for (int minutes = 1; minutes <= 120; minutes++) {
			ids.add(this.client.enqueue(send(minutes).queue("q" + minutes % 40).after(Duration.ofMinutes(minutes)))
				.id());
		}
		List<String> found = new ArrayList<>();
		JobQuery query = JobQuery.of(JobPlace.SCHEDULED).size(50);
		int pages = 0;
		JobPage page;
		do {
			page = this.admin.page(query);
			page.jobs().forEach((job) -> found.add(job.id()));
			query = query.after(page.next());
			pages++;
		}
		while (page.hasNext());
		assertThat(found).isEqualTo(ids);
		assertThat(pages).isLessThan(20);
	}

	@Test
	void pageOfDeadBeginsWithTheLastOne() {
		List<String> ids = enqueue(30);
		for (String id : ids) {
			assertThat(this.admin.change(JobAction.KILL, id).isDone()).isTrue();
		}
		List<JobEntry> found = all(JobQuery.of(JobPlace.DEAD).size(7));
		assertThat(found).extracting(JobEntry::id).containsExactlyInAnyOrderElementsOf(ids);
		assertThat(found).isSortedAccordingTo((one, other) -> other.time().compareTo(one.time()));
	}

	@Test
	void pageOfReadyGoesThroughQueuesInTheOrderOfRuns() {
		List<String> ids = new ArrayList<>();
		for (String queue : List.of("a", "b", "c")) {
			for (int number = 0; number < 7; number++) {
				ids.add(this.client.enqueue(send(number).queue(queue)).id());
			}
		}
		assertThat(all(JobQuery.of(JobPlace.READY).size(5))).extracting(JobEntry::id).isEqualTo(ids);
		assertThat(all(JobQuery.of(JobPlace.READY).queue("b").size(3))).extracting(JobEntry::id)
			.isEqualTo(ids.subList(7, 14));
	}

	@Test
	void pageOfReadyEndsWithTheLastJobWhereLaterQueuesAreEmpty() {
		// A page of two jobs reads two queues.
		this.redis.template().opsForSet().remove(this.redis.prefix() + ":queues", "work");
		this.admin.change(JobAction.DELETE, this.client.enqueue(send(1).queue("b")).id());
		this.client.enqueue(send(2).queue("a"));
		JobPage page = this.admin.page(JobQuery.of(JobPlace.READY).size(2));
		assertThat(page.jobs()).hasSize(1);
		assertThat(page.hasNext()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(ints = { 60, 700 })
	void pageOfParkedMeetsAll(int jobs) {
		String payload = "{\"jid\":\"%s\",\"class\":\"gone\",\"args\":[]}";
		for (int job = 1; job <= jobs; job++) {
			this.queue.set("payloads", id(job), payload.formatted(id(job)));
			this.queue.set("parked", id(job), "unknown:gone");
		}
		List<JobEntry> found = all(JobQuery.of(JobPlace.PARKED).size(50));
		assertThat(found).extracting(JobEntry::id).hasSize(jobs).doesNotHaveDuplicates();
		assertThat(found).extracting(JobEntry::note).containsOnly("unknown:gone");
	}

	@Test
	void pageOfParkedWhenMostAreGoneMeetsTheOthers() {
		String payload = "{\"jid\":\"%s\",\"class\":\"gone\",\"args\":[]}";
		HashOperations<String, String, String> hashes = this.redis.template().opsForHash();
		Map<String, String> payloads = IntStream.rangeClosed(1, 20_000)
			.mapToObj(DamagedQueue::id)
			.collect(Collectors.toMap((id) -> id, payload::formatted));
		hashes.putAll(this.queue.key("payloads"), payloads);
		payloads.replaceAll((id, stored) -> "unknown:gone");
		hashes.putAll(this.queue.key("parked"), payloads);
		List<String> first = new ArrayList<>();
		try (Cursor<Map.Entry<String, String>> scan = hashes.scan(this.queue.key("parked"),
				ScanOptions.scanOptions().count(1000).build())) {
			while (first.size() < 8000) {
				first.add(scan.next().getKey());
			}
		}
		hashes.delete(this.queue.key("parked"), first.toArray());
		hashes.delete(this.queue.key("payloads"), first.toArray());
		List<JobEntry> found = all(JobQuery.of(JobPlace.PARKED).size(500));
		assertThat(found).extracting(JobEntry::id).hasSize(12_000).doesNotContainAnyElementsOf(first);
		assertThat(this.admin.purge("work", JobPlace.PARKED)).isEqualTo(12_000);
	}

	@Test
	void pageWhenPayloadsAreLargeHasFewer() {
		String large = "x".repeat(400_000);
		for (int number = 0; number < 6; number++) {
			this.client.enqueue(JobRequest.named("mails.note", large).after(Duration.ofHours(1)));
		}
		JobPage page = this.admin.page(JobQuery.of(JobPlace.SCHEDULED));
		assertThat(page.jobs()).hasSize(3);
		assertThat(page.hasNext()).isTrue();
		assertThat(all(JobQuery.of(JobPlace.SCHEDULED))).hasSize(6);
	}

	@Test
	void pageWithFilterFindsByNameIdTagAndText() {
		this.client.enqueue(JobRequest.named("mails.send", 1, "Ann"));
		String bob = this.client.enqueue(JobRequest.named("mails.send", 2, "Bob").tags("vip")).id();
		String note = this.client.enqueue(JobRequest.named("mails.note", "for ann").queue("mail")).id();
		JobQuery all = JobQuery.of(JobPlace.READY);
		assertThat(ids(all.name("mails.*"))).hasSize(3);
		assertThat(ids(all.name("*.not?"))).containsExactly(note);
		assertThat(ids(all.name("mails"))).isEmpty();
		assertThat(ids(all.tag("vip"))).containsExactly(bob);
		assertThat(ids(all.text("ANN"))).hasSize(2).contains(note);
		assertThat(ids(all.id(bob))).containsExactly(bob);
		assertThat(ids(all.name("mails.send").text("ann").tag("vip"))).isEmpty();
	}

	@Test
	void pageOfAnErrorHasJobsWhoseLastFailureIsOfThatClass() {
		String timeout = dead("java.net.SocketTimeoutException");
		String refused = dead("java.net.ConnectException");
		dead("com.example.mails.java.net.RefusedException");
		dead(null);
		JobQuery dead = JobQuery.of(JobPlace.DEAD);
		assertThat(ids(dead)).hasSize(4);
		assertThat(ids(dead.error("java.net.*"))).containsExactlyInAnyOrder(timeout, refused);
		assertThat(ids(dead.error("java.net.ConnectException"))).containsExactly(refused);
		assertThat(ids(dead.error("java.net"))).isEmpty();
		assertThat(ids(JobQuery.of(JobPlace.RETRIES).error("java.net.*"))).isEmpty();
		BulkChange change = this.admin.change(JobAction.DELETE, dead.error("*.ConnectException"));
		assertThat(change.done()).isOne();
		assertThat(ids(dead)).hasSize(3).doesNotContain(refused);
	}

	@ParameterizedTest
	@EnumSource(value = JobPlace.class, names = { "RETRIES", "DEAD" }, mode = EnumSource.Mode.EXCLUDE)
	void queryForAnErrorWhereJobsHaveNotFailedIsRefused(JobPlace place) {
		JobQuery query = JobQuery.of(place);
		assertThatIllegalArgumentException().isThrownBy(() -> query.error("java.net.*"))
			.withMessage("'error' is for jobs in 'retries' or 'dead', but not in '%s', where jobs have not failed",
					place.part().text());
	}

	/**
	 * Create a dead job.
	 * @param errorClass the class of the job's last failure; {@code null} for a job that
	 * an operator has killed
	 */
	private String dead(@Nullable String errorClass) {
		String id = this.client.enqueue(send(1).queue("work")).id();
		assertThat(this.admin.change(JobAction.KILL, id).isDone()).isTrue();
		if (errorClass != null) {
			String payload = this.queue.hash("payloads").get(id);
			this.queue.set("payloads", id, payload.replaceFirst("}$", ",\"error_class\":\"" + errorClass + "\"}"));
		}
		return id;
	}

	@ParameterizedTest
	@EnumSource(value = JobPlace.class, names = { "SCHEDULED", "DEAD" })
	void pageOfATimeHasTheJobsOfThatTime(JobPlace place) {
		Instant begin = Instant.now().truncatedTo(ChronoUnit.MILLIS).plus(1, ChronoUnit.DAYS);
		List<String> ids = new ArrayList<>();
		for (int second = 0; second < 60; second++) {
			String id = this.client.enqueue(send(second).queue("q" + second % 3).after(Duration.ofHours(1))).id();
			String key = this.redis.key("q" + second % 3, place.part().text());
			this.redis.template().opsForZSet().remove(this.redis.key("q" + second % 3, "scheduled"), id);
			this.redis.template().opsForZSet().add(key, id, begin.plusSeconds(second).toEpochMilli());
			ids.add(id);
		}
		if (place == JobPlace.DEAD) {
			Collections.reverse(ids);
			begin = begin.minusSeconds(1);
		}
		JobQuery query = JobQuery.of(place).size(4);
		assertThat(ids(query.between(begin.plusSeconds(10), begin.plusSeconds(30))))
			.isEqualTo((place == JobPlace.DEAD) ? ids.subList(31, 51) : ids.subList(10, 30));
		assertThat(ids(query.between(null, begin.plusSeconds(30)).queue("q1"))).hasSize(10);
		assertThat(ids(query.between(begin.plusSeconds(30), null).text("args\":[35"))).hasSize(1);
		assertThat(ids(query.between(begin.plusSeconds(100), null))).isEmpty();
		// Simulate a cursor that a user has modified.
		String before = (place == JobPlace.DEAD) ? "99999999999999 x" : "1 x";
		assertThat(ids(query.between(begin.plusSeconds(10), begin.plusSeconds(30)).after(before))).hasSize(20);
		assertThat(this.admin.count(query.between(begin.plusSeconds(10), begin.plusSeconds(30))))
			.isEqualTo(new JobCount(20, true));
		assertThat(changeAll(JobAction.DELETE, query.between(begin.plusSeconds(10), begin.plusSeconds(30))))
			.isEqualTo(20);
		assertThat(ids(query)).hasSize(40);
	}

	@Test
	void pageOfATimeWhereJobsHaveNoneHasThoseThatWereEnqueuedInIt() {
		String id = this.client.enqueue(send(1)).id();
		Instant now = Instant.now();
		JobQuery query = JobQuery.of(JobPlace.READY);
		assertThat(ids(query.between(now.minusSeconds(60), now.plusSeconds(60)))).containsExactly(id);
		assertThat(ids(query.between(now.plusSeconds(60), null))).isEmpty();
		assertThat(ids(query.between(null, now.minusSeconds(60)))).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> query.between(null, Instant.MAX))
			.withMessageStartingWith("'to' must be a time in the years 1970 to 9999");
	}

	@Test
	void countSaysHowManyThereAreOrAtLeast() {
		enqueue(4000);
		this.client.enqueue(send(1).queue("other").tags("rare"));
		JobQuery query = JobQuery.of(JobPlace.READY);
		assertThat(this.admin.count(query)).isEqualTo(new JobCount(4001, true));
		assertThat(this.admin.count(query.queue("other"))).isEqualTo(new JobCount(1, true));
		assertThat(this.admin.count(query.queue("nothing"))).isEqualTo(new JobCount(0, true));
		assertThat(this.admin.count(query.tag("rare"))).isEqualTo(new JobCount(1, true));
		assertThat(this.admin.count(query.name("mails.*"))).isEqualTo(new JobCount(4001, true));
		enqueue(6000);
		assertThat(this.admin.count(query)).isEqualTo(new JobCount(10_001, true));
		JobCount many = this.admin.count(query.name("mails.*"));
		assertThat(many.isExact()).isFalse();
		assertThat(many.jobs()).isBetween(5000L, 10_000L);
		assertThat(this.admin.count(query.tag("none"))).isEqualTo(new JobCount(0, false));
	}

	@Test
	void pageWithFilterExaminesABoundedNumberAndSaysWhereToGoOn() {
		enqueue(5200);
		String last = this.client.enqueue(send(1).tags("rare")).id();
		JobQuery query = JobQuery.of(JobPlace.READY).tag("rare");
		JobPage page = this.admin.page(query);
		assertThat(page.jobs()).isEmpty();
		assertThat(page.examined()).isEqualTo(5000);
		page = this.admin.page(query.after(page.next()));
		assertThat(page.jobs()).extracting(JobEntry::id).containsExactly(last);
		assertThat(page.examined()).isEqualTo(201);
		assertThat(page.hasNext()).isFalse();
	}

	@Test
	void pageWhenPayloadIsNoJsonShowsWhatItIs() {
		this.queue.enqueue(1);
		JobEntry job = all(JobQuery.of(JobPlace.READY)).get(0);
		assertThat(job.payload()).isNull();
		assertThat(job.note()).isEqualTo("payload of 1");
	}

	@Test
	void pageWhenQueryIsImpossibleIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> JobQuery.of(JobPlace.DEAD).size(1001))
			.withMessage("'size' must be 1 to 1000, but is 1001");
		assertThatIllegalArgumentException().isThrownBy(() -> JobQuery.of(JobPlace.DEAD).name(" "))
			.withMessage("'name' must not be empty; leave it out to ask for any");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.admin.page(JobQuery.of(JobPlace.DEAD).after("page 2")))
			.withMessage("'after' must be 'next' of the previous page, but is 'page 2'");
	}

	@ParameterizedTest
	@CsvSource({ "DEAD, work 1", "DEAD, 1e5 x", "RETRIES, 1 2 x", "RETRIES, 99999999999999999999999 x", "READY, work x",
			"READY, work 99999999999999999", "READY, work -1", "WORKING, work @x",
			"WORKING, work @99999999999999999999999", "PARKED, work @-1" })
	void pageWhenCursorIsMadeUpIsRefused(JobPlace place, String cursor) {
		this.client.enqueue(send(1));
		assertThatIllegalArgumentException().isThrownBy(() -> this.admin.page(JobQuery.of(place).after(cursor)))
			.withMessage("'after' must be 'next' of the previous page, but is '" + cursor + "'");
		if (place == JobPlace.RETRIES) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> this.admin.change(JobAction.RETRY, JobQuery.of(place).after(cursor)));
		}
	}

	@Test
	void queuesTellsHowLongAJobIsOverdue() {
		String id = this.client.enqueue(send(1).after(Duration.ofHours(1))).id();
		this.redis.template()
			.opsForZSet()
			.add(this.redis.key("work", "scheduled"), id, Instant.now().minusSeconds(3600).toEpochMilli());
		assertThat(this.admin.queues()).singleElement()
			.extracting(QueueState::latency, as(InstanceOfAssertFactories.DURATION))
			.isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
	}

	@Test
	void changeOfManyWhenJobsWereDeletedBeforeRefusesNone() {
		for (int number = 0; number < 3; number++) {
			this.client.enqueue(send(number));
		}
		assertThat(this.admin.change(JobAction.DELETE, JobQuery.of(JobPlace.READY)).done()).isEqualTo(3);
		BulkChange change = this.admin.change(JobAction.KILL, JobQuery.of(JobPlace.READY));
		assertThat(change.done()).isZero();
		assertThat(change.refused()).isZero();
		assertThat(this.admin.queues()).extracting(QueueState::ready, QueueState::latency)
			.containsExactly(tuple(0L, Duration.ZERO));
	}

	@Test
	void queuesCountsSuspectsAmongTheReadyJobs() {
		this.client.enqueue(send(1));
		String id = this.client.enqueue(send(2)).id();
		this.redis.template().opsForList().remove(this.redis.key("work", "ready"), 1, id);
		this.redis.template().opsForList().leftPush(this.redis.key("work", "suspects"), id);
		assertThat(this.admin.queues()).extracting(QueueState::ready, QueueState::suspects)
			.containsExactly(tuple(2L, 1L));
	}

	@Test
	void queuesCountsShardsTogether() {
		this.client.enqueue(JobRequest.named("mails.update", 1));
		this.client.enqueue(JobRequest.named("mails.update", 2));
		this.client.enqueue(send(1).after(Duration.ofHours(1)));
		assertThat(this.admin.queues()).extracting(QueueState::name, QueueState::ready, QueueState::scheduled)
			.containsExactly(tuple("updates", 2L, 0L), tuple("work", 0L, 1L));
	}

	// One job

	@Test
	void findTellsWhyAJobDoesNotRun() {
		String ready = this.client.enqueue(send(1)).id();
		assertThat(find(ready).reason()).isEqualTo(Reason.NOT_SERVED);
		assertThat(find(ready).explanation())
			.isEqualTo("No process serves queue 'work': start one whose capsules list it");
		this.queue.running(1, LockKind.WHILE_EXECUTING, "m");
		assertThat(this.queue.hash("working")).hasSize(1);
		this.queue.running(2, LockKind.WHILE_EXECUTING, "m");
		String later = this.client.enqueue(send(2).after(Duration.ofHours(1))).id();
		assertThat(find(later).reason()).isEqualTo(Reason.NOT_DUE);
		assertThat(find(later).job().time()).isCloseTo(Instant.now().plus(1, ChronoUnit.HOURS),
				within(1, ChronoUnit.MINUTES));
		this.redis.template().opsForZSet().add(this.redis.key("work", "scheduled"), later, 1);
		assertThat(find(later).reason()).isEqualTo(Reason.WAITS_ITS_TURN);
		this.queue.set("meta", "paused", "1");
		assertThat(find(later).reason()).isEqualTo(Reason.QUEUE_PAUSED);
		String paused = this.client.enqueue(send(3)).id();
		assertThat(find(paused).reason()).isEqualTo(Reason.QUEUE_PAUSED);
		assertThat(find(paused).explanation()).isEqualTo("Queue 'work' is paused: resume it");
		JobPauses pauses = new JobPauses(this.redis.connections(), this.redis.prefix());
		pauses.pauseQueue("work", "ann", "Wrong\nletters", Instant.now().plusSeconds(3600));
		assertThat(find(paused).explanation())
			.matches("Resume queue 'work', which is paused by ann since \\S+, until \\S+: Wrong letters");
		pauses.pauseJob("mails.send", "bob", "No paper");
		this.redis.template().opsForList().remove(this.redis.key("work", "ready"), 0, paused);
		this.queue.set("parked", paused, "paused:mails.send");
		assertThat(find(paused).explanation())
			.matches("Resume jobs called 'mails.send', which are paused by bob since \\S+: No paper");
		this.queue.set("parked", paused, "unknown:mails.sned");
		assertThat(find(paused).explanation()).startsWith("No worker that serves queue 'work' has a job 'mails.sned'");
		assertThat(this.admin.find("0123456789abcdef01234567")).isEmpty();
	}

	@Test
	void findTellsWhichJobKeepsItWaiting() {
		this.queue.running(1, LockKind.WHILE_EXECUTING, "m");
		this.queue.running(2, LockKind.WHILE_EXECUTING, "m");
		assertThat(find(id(1)).reason()).isEqualTo(Reason.RUNS);
		JobDetails waiting = find(id(2));
		assertThat(waiting.reason()).isEqualTo(Reason.EQUAL_JOB_RUNS);
		assertThat(waiting.blocker()).isEqualTo(id(1));
		assertThat(waiting.explanation()).contains(id(1));
	}

	@Test
	void findTellsSinceWhenAJobRuns() {
		this.queue.working(1);
		assertThat(find(id(1)).run()).isNull();
		HashOperations<String, String, String> hashes = this.redis.template().opsForHash();
		hashes.put(this.redis.key("work", "working"), id(1), "p1.2/default/7");
		// The process p0 is dead, but is still listed.
		List.of("p1", "p0").forEach((process) -> {
			this.redis.template().opsForSet().add(this.redis.prefix() + ":processes", process);
			hashes.put(this.redis.prefix() + ":process:" + process, "running",
					id(1) + " default/3 work 2 %d mails.send".formatted(process.equals("p1") ? 5000 : 1000));
		});
		JobDetails details = find(id(1));
		assertThat(details.process()).isEqualTo("p1");
		assertThat(details.run())
			.isEqualTo(new JobProcess.Run(id(1), "default", 3, "work", 2, Instant.ofEpochMilli(5000), "mails.send"));
		assertThat(new JobView((key, value, showsValues) -> value).of(details, true)).containsEntry("since",
				Instant.ofEpochMilli(5000));
	}

	@ParameterizedTest
	@EnumSource(JobAction.class)
	void changeWhenJobIsGoneOrRunsSaysSo(JobAction action) {
		assertThat(this.admin.change(action, id(9)).outcome()).isEqualTo(Outcome.GONE);
		this.queue.working(1);
		JobChange change = this.admin.change(action, id(1));
		assertThat(change.outcome()).isEqualTo(Outcome.RUNNING);
		assertThat(change.message()).contains(id(1), "runs: cancel it");
	}

	@Test
	@DisplayName("SK-55: kill, retry, run now and delete each take effect once")
	void changeMovesAJob() {
		String id = this.client.enqueue(send(1).after(Duration.ofHours(1))).id();
		assertThat(this.admin.change(JobAction.RUN_NOW, id).isDone()).isTrue();
		assertThat(find(id).job().place()).isEqualTo(JobPlace.READY);
		assertThat(this.admin.change(JobAction.RETRY, id).outcome()).isEqualTo(Outcome.REFUSED);
		assertThat(this.admin.change(JobAction.KILL, id).message())
			.isEqualTo("Job %s (mails.send) of queue work was killed".formatted(id));
		assertThat(find(id).job().place()).isEqualTo(JobPlace.DEAD);
		assertThat(this.admin.change(JobAction.RETRY, id).isDone()).isTrue();
		assertThat(find(id).job().place()).isEqualTo(JobPlace.READY);
		assertThat(this.admin.change(JobAction.DELETE, id).isDone()).isTrue();
		assertThat(this.admin.change(JobAction.DELETE, id).outcome()).isEqualTo(Outcome.GONE);
	}

	@ParameterizedTest
	@EnumSource(names = { "DELETE", "KILL" })
	void changeMendsWhatAnAuditSaysOfForeignIds(JobAction action) {
		this.queue.enqueue(1);
		this.queue.set("payloads", "by hand", "{}");
		this.queue.pushLeft("ready", "by hand");
		JobAudit audit = new JobAudit(this.redis.connections(), this.redis.prefix());
		assertThat(audit.run().isClean()).isFalse();
		assertThat(this.admin.change(action, "by hand").isDone()).isTrue();
		assertThat(audit.run().isClean()).isTrue();
	}

	@Test
	void changeOfManyGoesInSteps() {
		List<JobRequest> requests = new ArrayList<>();
		for (int number = 0; number < 1300; number++) {
			requests.add(send(number).queue("q" + number % 3).after(Duration.ofHours(1)));
		}
		this.client.enqueueAll(requests);
		assertThat(changeAll(JobAction.KILL, JobQuery.of(JobPlace.SCHEDULED))).isEqualTo(1300);
		assertThat(all(JobQuery.of(JobPlace.DEAD).size(1000))).hasSize(1300);
		assertThat(changeAll(JobAction.RETRY, JobQuery.of(JobPlace.DEAD).text("\"args\":[7,"))).isEqualTo(1);
		assertThat(changeAll(JobAction.DELETE, JobQuery.of(JobPlace.DEAD).queue("q1"))).isBetween(432, 434);
		assertThat(changeAll(JobAction.RETRY, JobQuery.of(JobPlace.DEAD))).isBetween(864, 868);
		assertThat(changeAll(JobAction.DELETE, JobQuery.of(JobPlace.READY))).isBetween(864, 868);
		assertThat(all(JobQuery.of(JobPlace.READY))).isEmpty();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.admin.change(JobAction.RETRY, JobQuery.of(JobPlace.READY)))
			.withMessageContaining("'retry' is only for jobs in 'retries' or 'dead'");
	}

	@Test
	void changeOfManyInAListSkipsNoneThoughTheOthersHaveLeftIt() {
		enqueue(1300);
		assertThat(changeAll(JobAction.KILL, JobQuery.of(JobPlace.READY).text("mails.send"))).isEqualTo(1300);
		enqueue(1300);
		assertThat(changeAll(JobAction.KILL, JobQuery.of(JobPlace.READY))).isEqualTo(1300);
		assertThat(this.redis.contents("work")).doesNotContainKey("ready");
	}

	@Test
	void changeOfManyDoesNotMeetThoseAgainThatFailMeanwhile() {
		String payload = "{\"jid\":\"%s\",\"class\":\"gone\",\"args\":[],\"retry_count\":0,\"failed_at\":%d}";
		long due = System.currentTimeMillis() + 3_600_000;
		for (int job = 1; job <= 1100; job++) {
			this.queue.set("payloads", id(job), payload.formatted(id(job), 5));
			this.queue.score("retries", id(job), due + job);
		}
		JobQuery query = JobQuery.of(JobPlace.RETRIES);
		int done = 0;
		BulkChange step;
		do {
			step = this.admin.change(JobAction.RETRY, query);
			done += step.done();
			for (String id : this.queue.list("ready")) {
				this.queue.set("payloads", id, payload.formatted(id, System.currentTimeMillis() + 5));
				this.queue.score("retries", id, due + 10_000);
			}
			this.queue.delete("ready");
			query = query.after(step.next());
		}
		while (step.hasNext());
		assertThat(done).isEqualTo(1100);
	}

	@Test
	void purgeDeletesAllOfAPlace() {
		enqueue(2500);
		String later = this.client.enqueue(send(1).after(Duration.ofHours(1))).id();
		assertThat(this.admin.purge("work", JobPlace.READY)).isEqualTo(2500);
		assertThat(this.redis.contents("work")).doesNotContainKeys("ready", "lockof", "locks");
		assertThat(this.admin.find(later)).isPresent();
		assertThatIllegalArgumentException().isThrownBy(() -> this.admin.purge("other", JobPlace.READY))
			.withMessage("No queue is called 'other'");
	}

	// Edits

	@Test
	void editChangesArgumentsAndWhatTheyLock() {
		String id = this.client.enqueue(JobRequest.named("mails.once", 1, "Ann")).id();
		assertThat(this.admin.edit(id, "[2,\"Ann\"]").isDone()).isTrue();
		assertThat(find(id).job().payload().arguments().toString()).isEqualTo("[2,\"Ann\"]");
		EnqueueResult former = this.client.enqueue(JobRequest.named("mails.once", 1, "Ann"));
		assertThat(former).isInstanceOf(EnqueueResult.Enqueued.class);
		assertThat(this.client.enqueue(JobRequest.named("mails.once", 2, "Ann")))
			.isInstanceOf(EnqueueResult.Duplicate.class);
		JobChange refused = this.admin.edit(id, "[1,\"Ann\"]");
		assertThat(refused.outcome()).isEqualTo(Outcome.LOCKED);
		assertThat(refused.message()).contains(former.id());
	}

	@Test
	void editWhenArgumentsDoNotFitIsRefused() {
		String id = this.client.enqueue(send(1)).id();
		for (String arguments : List.of("[1", "{}", "[\"one\",\"Ann\"]", "[1,2,3]")) {
			assertThatExceptionOfType(InvalidJobException.class).as(arguments)
				.isThrownBy(() -> this.admin.edit(id, arguments));
		}
		assertThat(find(id).job().payload().arguments().get(0).intValue()).isEqualTo(1);
		String foreign = this.client.enqueue(JobRequest.named("elsewhere")).id();
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.admin.edit(foreign, "[]"))
			.withMessageContaining("No bean of this application has job 'elsewhere'");
		assertThat(this.admin.edit(id(9), "[]").outcome()).isEqualTo(Outcome.GONE);
	}

	@Test
	void rescheduleGivesAnotherTime() {
		String id = this.client.enqueue(send(1)).id();
		Instant due = Instant.now().plus(3, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MILLIS);
		assertThat(this.admin.reschedule(id, due).isDone()).isTrue();
		JobEntry job = find(id).job();
		assertThat(job.place()).isEqualTo(JobPlace.SCHEDULED);
		assertThat(job.time()).isEqualTo(due);
		assertThat(job.payload().at()).isEqualTo(due);
	}

	@ParameterizedTest
	@EnumSource(value = JobPlace.class, names = { "READY", "SCHEDULED", "DEAD" })
	void moveTakesAJobToAnotherQueueWithItsLock(JobPlace place) {
		JobRequest request = JobRequest.named("mails.once", 1, "Ann");
		String id = this.client.enqueue((place == JobPlace.SCHEDULED)
				? request.after(Duration.ofHours(1)).idempotent(Idempotence.untilExecuted().withScheduled()) : request)
			.id();
		if (place == JobPlace.DEAD) {
			this.admin.change(JobAction.KILL, id);
		}
		this.client.enqueue(send(1).queue("other"));
		JobEntry before = find(id).job();
		assertThat(this.admin.move(id, "other").isDone()).isTrue();
		JobEntry job = find(id).job();
		assertThat(job.queue()).isEqualTo("other");
		assertThat(job.place()).isEqualTo(place);
		assertThat(job.time()).isEqualTo(before.time());
		assertThat(this.redis.contents("work")).doesNotContainKeys("payloads", "parked", "lockof", "locks");
		if (place != JobPlace.DEAD) {
			assertThat(this.redis.contents("other")).containsKeys("lockof", "locks");
		}
		for (String queue : List.of("work", "other", "work")) {
			assertThat(this.admin.move(id, queue).isDone()).isTrue();
			assertThat(find(id).job().queue()).isEqualTo(queue);
		}
	}

	@Test
	void moveWhenImpossibleSaysWhy() {
		String id = this.client.enqueue(send(1)).id();
		assertThat(this.admin.move(id, "work").message()).endsWith("cannot be moved to queue work: it is there");
		assertThatIllegalArgumentException().isThrownBy(() -> this.admin.move(id, "nowhere"))
			.withMessageStartingWith("No queue is called 'nowhere'");
		String key = this.client.enqueue(JobRequest.named("mails.update", 1)).id();
		assertThatIllegalArgumentException().isThrownBy(() -> this.admin.move(id, "updates"));
		String shard = QueueRef.ofKey("updates", "1", 2).name();
		assertThatIllegalArgumentException().isThrownBy(() -> this.admin.move(id, shard));
		assertThat(this.admin.move(key, "work").outcome()).isEqualTo(Outcome.REFUSED);
		this.client.enqueue(send(1).queue("other"));
		assertThat(this.queue.claimAll()).containsExactly(id);
		assertThat(this.admin.move(id, "other").outcome()).isEqualTo(Outcome.RUNNING);
		assertThat(this.admin.move(id(9), "other").outcome()).isEqualTo(Outcome.GONE);
	}

	@Test
	void historyOfAJobStaysWhateverAnOperatorDoesWithIt() {
		String id = this.client.enqueue(send(1)).id();
		this.client.enqueue(send(2).queue("other"));
		String payload = this.queue.hash("payloads").get(id);
		this.queue.set("payloads", id, payload.replaceFirst("}$", ",\"attempts\":[" + FAILURES + "]}"));
		assertThat(find(id).failures()).extracting(JobFailure::message).containsExactly("before", "now");
		assertThat(this.admin.change(JobAction.KILL, id).isDone()).isTrue();
		assertThat(this.admin.edit(id, "[2,\"Bob\"]").isDone()).isTrue();
		assertThat(this.admin.reschedule(id, Instant.now().plusSeconds(60)).isDone()).isTrue();
		assertThat(this.admin.move(id, "other").isDone()).isTrue();
		assertThat(this.admin.change(JobAction.KILL, id).isDone()).isTrue();
		assertThat(this.admin.change(JobAction.RETRY, id).isDone()).isTrue();
		assertThat(find(id).failures()).extracting(JobFailure::message).containsExactly("before", "now");
		assertThat(find(this.client.enqueue(send(3)).id()).failures()).isEmpty();
	}

	// Ordered jobs

	@Test
	void killedPayloadOfAKeyTakesItsFailuresAlongAndBringsThemBack() {
		JobRequest request = JobRequest.named("mails.update", 7).key("k");
		String key = this.client.enqueue(request.score(1)).id();
		this.client.enqueue(JobRequest.named("mails.update", 8).key("k").score(2));
		DamagedQueue shard = new DamagedQueue(this.redis, QueueRef.ofKey("updates", "k", 2).name());
		String stored = shard.hash("payloads").get(key);
		shard.set("payloads", key, stored.replaceFirst("}\n", ",\"retry_count\":0,\"attempts\":[" + FAILURES + "]}\n"));
		assertThat(this.admin.change(JobAction.KILL, key).isDone()).isTrue();
		assertThat(find(key).failures()).extracting(JobFailure::message).containsExactly("before");
		assertThat(find(key).job().payload().attempts()).isZero();
		String dead = all(JobQuery.of(JobPlace.DEAD)).get(0).id();
		assertThat(find(dead).failures()).extracting(JobFailure::message).containsExactly("now");
		assertThat(this.admin.change(JobAction.DELETE, key).isDone()).isTrue();
		assertThat(this.admin.change(JobAction.RETRY, dead).isDone()).isTrue();
		assertThat(find(key).failures()).extracting(JobFailure::message).containsExactly("now");
		assertThat(find(key).job().payload().attempts()).isZero();
	}

	@Test
	@DisplayName("LK-22: dead payloads of ordered jobs are dead jobs, and on retry they join the payloads that wait for the key")
	void orderedJobsAreShownAndRefuseWhatWouldPartThem() {
		String key = this.client.enqueue(JobRequest.named("mails.update", 1)).id();
		this.client.enqueue(JobRequest.named("mails.update", 1));
		JobEntry job = find(key).job();
		assertThat(job.payloads()).isEqualTo(1);
		assertThat(job.queue()).isEqualTo("updates");
		assertThat(this.admin.edit(key, "[2]").outcome()).isEqualTo(Outcome.REFUSED);
		assertThat(this.admin.reschedule(key, Instant.now().plusSeconds(60)).isDone()).isTrue();
		assertThat(find(key).job().place()).isEqualTo(JobPlace.SCHEDULED);
		assertThat(this.admin.change(JobAction.RUN_NOW, key).isDone()).isTrue();
		assertThat(this.admin.change(JobAction.DELETE, key).isDone()).isTrue();
		assertThat(this.admin.find(key)).isEmpty();
	}

	@Test
	void keysBeginWithTheOneThatLagsMost() {
		this.client.enqueue(send(1));
		assertThat(this.ordered.queues()).isEmpty();
		this.client.enqueue(JobRequest.named("mails.update", 1).after(Duration.ofHours(1)));
		for (int key = 2; key <= 9; key++) {
			this.client.enqueue(JobRequest.named("mails.update", key).key("k" + key));
		}
		this.client.enqueue(JobRequest.named("mails.update", 20).key("k2"));
		assertThat(this.ordered.queues()).containsExactly("updates");
		List<OrderedKey> keys = this.ordered.keys("updates", 100);
		assertThat(keys).hasSize(9).isSortedAccordingTo(Comparator.comparing(OrderedKey::since));
		assertThat(keys).extracting(OrderedKey::key, (key) -> key.job().payloads())
			.startsWith(tuple("k2", 2))
			.endsWith(tuple("1", 1));
		Instant now = Instant.now().plusSeconds(60);
		assertThat(keys.get(0).lag(now)).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(90));
		assertThat(keys.get(8).lag(now)).isZero();
		assertThat(this.ordered.keys("updates", 3)).isEqualTo(keys.subList(0, 3));
		assertThat(this.ordered.keys("work", 3)).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> this.ordered.keys("updates", 1001))
			.withMessage("'limit' must be 1 to 1000, but is 1001");
	}

	@ParameterizedTest
	@EnumSource(names = { "READY", "SCHEDULED", "PARKED" })
	void killOfAnOrderedJobBuriesThePayloadThatIsNext(JobPlace place) {
		JobRequest first = JobRequest.named("mails.update", 7).key("k").score(1);
		String key = this.client.enqueue((place == JobPlace.SCHEDULED) ? first.after(Duration.ofHours(1)) : first).id();
		this.client.enqueue(JobRequest.named("mails.update", 8).key("k").score(2));
		if (place == JobPlace.PARKED) {
			DamagedQueue shard = new DamagedQueue(this.redis, QueueRef.ofKey("updates", "k", 2).name());
			this.redis.template().delete(shard.key("ready"));
			shard.set("parked", key, "unbound:mails.update/0123456789ab");
		}
		assertThat(this.admin.change(JobAction.KILL, key).isDone()).isTrue();
		JobEntry others = find(key).job();
		assertThat(others.place()).isEqualTo((place == JobPlace.SCHEDULED) ? place : JobPlace.READY);
		assertThat(others.payloads()).isEqualTo(1);
		JobEntry dead = all(JobQuery.of(JobPlace.DEAD)).get(0);
		assertThat(dead.payload().arguments()).hasToString("[7]");
		assertThat(this.admin.edit(dead.id(), "[9]").isDone()).isTrue();
		assertThat(this.admin.change(JobAction.RETRY, dead.id()).isDone()).isTrue();
		assertThat(find(key).job().payloads()).isEqualTo(2);
		assertThat(this.admin.change(JobAction.KILL, key).isDone()).isTrue();
		assertThat(this.admin.change(JobAction.KILL, key).isDone()).isTrue();
		assertThat(this.admin.find(key)).isEmpty();
		assertThat(all(JobQuery.of(JobPlace.DEAD))).extracting((job) -> job.payload().arguments().toString())
			.containsExactlyInAnyOrder("[9]", "[8]");
	}

	@Test
	void retryOfManyLeavesOutOrderedPayloadsThatCannotRun() {
		for (int number = 1; number <= 3; number++) {
			String key = this.client.enqueue(JobRequest.named("mails.update", number).key("k")).id();
			assertThat(this.admin.change(JobAction.KILL, key).isDone()).isTrue();
		}
		DamagedQueue shard = new DamagedQueue(this.redis, QueueRef.ofKey("updates", "k", 2).name());
		List<String> dead = all(JobQuery.of(JobPlace.DEAD)).stream().map(JobEntry::id).toList();
		String payload = shard.hash("payloads").get(dead.get(0));
		shard.set("payloads", dead.get(0), payload.replace("mails.update", "mails.gone"));
		shard.set("payloads", dead.get(1), payload.replaceFirst("}$", ",\"unreadable\":\"[1\"}"));
		BulkChange step = this.admin.change(JobAction.RETRY, JobQuery.of(JobPlace.DEAD));
		assertThat(step).isEqualTo(new BulkChange(1, 2, 3, ""));
		assertThat(all(JobQuery.of(JobPlace.DEAD))).extracting(JobEntry::id)
			.containsExactlyInAnyOrderElementsOf(dead.subList(0, 2));
	}

	@Test
	void changeWhenTwoOperatorsActAtOnceLetsOneWin() throws InterruptedException {
		List<String> ids = enqueue(200);
		Set<String> won = ConcurrentHashMap.newKeySet();
		List<Thread> operators = new ArrayList<>();
		AtomicInteger wins = new AtomicInteger();
		for (int operator = 0; operator < 2; operator++) {
			Thread thread = new Thread(() -> ids.forEach((id) -> {
				if (this.admin.change(JobAction.KILL, id).isDone()) {
					won.add(id);
					wins.incrementAndGet();
				}
			}));
			operators.add(thread);
			thread.start();
		}
		for (Thread operator : operators) {
			operator.join();
		}
		assertThat(won).hasSize(200);
		assertThat(wins).hasValue(200);
	}

	private int changeAll(JobAction action, JobQuery query) {
		int done = 0;
		BulkChange step = this.admin.change(action, query);
		done += step.done();
		while (step.hasNext()) {
			step = this.admin.change(action, query.after(step.next()));
			done += step.done();
			assertThat(step.examined()).isLessThanOrEqualTo(5000);
		}
		return done;
	}

	private List<JobEntry> all(JobQuery query) {
		List<JobEntry> found = new ArrayList<>();
		JobPage page = this.admin.page(query);
		found.addAll(page.jobs());
		while (page.hasNext()) {
			page = this.admin.page(query.after(page.next()));
			found.addAll(page.jobs());
		}
		return found;
	}

	private List<String> ids(JobQuery query) {
		return all(query).stream().map(JobEntry::id).toList();
	}

	private JobDetails find(String id) {
		return this.admin.find(id).orElseThrow();
	}

	private List<String> enqueue(int count) {
		return this.client.enqueueAll(IntStream.range(0, count).mapToObj(this::send).toList())
			.stream()
			.map(EnqueueResult::id)
			.toList();
	}

	private JobRequest send(int number) {
		return JobRequest.named("mails.send", number, "Ann");
	}

	private void register(String queue) {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", queue);
	}

	private static final String FAILURES = """
			{"at":1,"class":"A","message":"before","process":"p"},{"at":2,"class":"A","message":"now","process":"p"}""";

	static class Mails {

		@Job(name = "mails.send", queue = "work")
		public void send(int number, String to) {
		}

		@Job(name = "mails.note", queue = "work")
		public void note(String text) {
		}

		@Job(name = "mails.once", queue = "work")
		@Idempotent
		public void once(int number, String to, JobContext job) {
		}

		@Job(name = "mails.update", queue = "updates")
		@Sequential(key = "#number", shards = 2)
		public void update(int number) {
		}

	}

}
