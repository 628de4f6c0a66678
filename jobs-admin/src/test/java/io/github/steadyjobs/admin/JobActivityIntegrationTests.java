package io.github.steadyjobs.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.audit.DamagedQueue;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link JobActivity} and for the reports that it receives from the beans for
 * operators.
 */
@RedisAndClusterTest
@ExtendWith(OutputCaptureExtension.class)
class JobActivityIntegrationTests {

	private static final JsonMapper JSON = JobJson.builder().build();

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final TestRedis redis;

	private final JobClient client;

	private final JobRegistry registry;

	private final JobsActor actor = new JobsActor(() -> null, () -> "shop@host");

	private final List<OperatorAction> events = new CopyOnWriteArrayList<>();

	private final JobActivity activity;

	private final JobAdmin admin;

	JobActivityIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.context.registerBean(Mails.class);
		this.context.registerBean(JobRegistry.class,
				() -> new JobRegistry(this.context.getBeanFactory(), Map.of(), IdempotenceDefaults.STANDARD, JSON));
		this.context.refresh();
		this.registry = this.context.getBean(JobRegistry.class);
		this.client = JobClientFactory.create(new JobStore(redis.connections(), redis.prefix()), new PayloadCodec(JSON),
				this.registry, List.of(), List.of(), JobClientSettings.DEFAULTS);
		this.activity = activity(redis.connections());
		this.admin = admin(this.activity);
	}

	private JobActivity activity(RedisConnections connections) {
		return new JobActivity(connections, this.redis.prefix(), this.actor, this.events::add);
	}

	private JobAdmin admin(OperatorChange.Listener listener) {
		return new JobAdmin(this.redis.connections(), this.redis.prefix(), new PayloadCodec(JSON), ordered(listener),
				new DeadLimits(10_000, Duration.ofDays(180)), listener);
	}

	private OrderedJobs ordered(OperatorChange.Listener listener) {
		return new OrderedJobs(this.redis.connections(), this.redis.prefix(),
				new JobStore(this.redis.connections(), this.redis.prefix()), this.registry, new PayloadCodec(JSON),
				listener);
	}

	@BeforeEach
	void clear() {
		this.redis.clear();
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "work", "other");
	}

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void changeOfAJobIsKeptPublishedAndLogged(CapturedOutput output) {
		String id = enqueue(1).get(0);
		Instant begin = Instant.now().minusSeconds(60);
		this.actor.as("ann", () -> this.admin.change(JobAction.KILL, id));
		OperatorAction action = all().get(0);
		assertThat(action.who()).isEqualTo("ann");
		assertThat(action.action()).isEqualTo("kill");
		assertThat(action.target()).containsExactly(Map.entry("job", id), Map.entry("name", "mails.send"),
				Map.entry("queue", "work"));
		assertThat(action.count()).isOne();
		assertThat(action.at()).isEqualTo(action.since()).isBetween(begin, Instant.now().plusSeconds(60));
		assertThat(this.events).containsExactly(action);
		assertThat(output).containsOnlyOnce("ann: Job " + id + " (mails.send) of queue work was killed {job=" + id);
	}

	@Test
	void everyChangeOfAJobIsReported() {
		String id = enqueue(1).get(0);
		this.admin.reschedule(id, Instant.parse("2099-01-01T00:00:00Z"));
		this.admin.edit(id, "[2]");
		this.admin.change(JobAction.RUN_NOW, id);
		this.admin.move(id, "other");
		this.admin.change(JobAction.KILL, id);
		this.admin.change(JobAction.RETRY, id);
		this.admin.change(JobAction.DELETE, id);
		assertThat(all()).extracting(OperatorAction::action)
			.containsExactly("delete", "retry", "kill", "move", "run-now", "edit", "reschedule");
		assertThat(all()).extracting((action) -> action.target().get("job")).containsOnly(id);
		assertThat(all().get(3).target()).containsEntry("queue", "work").containsEntry("to", "other");
		assertThat(all().get(6).target()).containsEntry("due", "2099-01-01T00:00:00Z");
	}

	@Test
	void whatIsRefusedIsNotReported() {
		String id = enqueue(1).get(0);
		this.admin.change(JobAction.RETRY, id);
		this.admin.change(JobAction.DELETE, "0123456789abcdef01234567");
		this.admin.move(id, "work");
		this.admin.change(JobAction.DELETE, JobQuery.of(JobPlace.DEAD));
		this.admin.purge("work", JobPlace.DEAD);
		new JobLocks(this.redis.connections(), this.redis.prefix(), this.activity).release("work", "d");
		new JobProcesses(this.redis.connections(), this.redis.prefix(), this.activity).stop("nobody");
		JobPauses pauses = new JobPauses(this.redis.connections(), this.redis.prefix(), this.activity);
		pauses.resumeQueue("work");
		pauses.pauseQueue("unknown", "ann", "why");
		JobAudit audit = new JobAudit(this.redis.connections(), this.redis.prefix(), this.activity);
		audit.repair(audit.run());
		ordered(this.activity).reviveKey("mails.update", "1");
		assertThat(all()).isEmpty();
		assertThat(this.events).isEmpty();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void pausesAreReportedByThoseWhoMakeThem(CapturedOutput output) {
		JobPauses pauses = new JobPauses(this.redis.connections(), this.redis.prefix(), this.activity);
		pauses.pauseQueue("work", "ann", "the relay\nis down", Instant.parse("2099-01-01T00:00:00Z"));
		pauses.pauseQueue("work", "bob", "again");
		pauses.replace(pauses.list().get(0), "bob", "longer", null);
		this.actor.as("eve", () -> pauses.resumeQueue("work"));
		pauses.pauseJob("mails.send", "ann", "wrong");
		pauses.resume(pauses.list().get(0));
		assertThat(output.getOut()).contains("the relay is down").doesNotContain("the relay\nis down");
		assertThat(all()).extracting(OperatorAction::who, OperatorAction::action, OperatorAction::target)
			.containsExactly(tuple("shop@host", "resume", Map.of("name", "mails.send")),
					tuple("ann", "pause", Map.of("name", "mails.send", "why", "wrong")),
					tuple("eve", "resume", Map.of("queue", "work")),
					tuple("bob", "pause", Map.of("queue", "work", "why", "longer")), tuple("ann", "pause", Map
						.of("queue", "work", "why", "the relay\\u000ais down", "until", "2099-01-01T00:00:00Z")));
	}

	@Test
	void pauseByABreakerIsNotReported() {
		new PauseStore(this.redis.connections(), this.redis.prefix()).change(Target.queue("work"), (standing) -> true,
				PauseStore.Order.byPerson(null, "breaker", "jobs fail"));
		assertThat(all()).isEmpty();
	}

	@Test
	void locksProcessesAndRepairsAreReported() {
		DamagedQueue queue = new DamagedQueue(this.redis, "work");
		queue.enqueue(1, LockKind.UNTIL_EXECUTED, "d");
		new JobLocks(this.redis.connections(), this.redis.prefix(), this.activity).releaseOfJob(DamagedQueue.id(1));
		ProcessStore processes = new ProcessStore(this.redis.connections(), this.redis.prefix());
		processes.report("p1", Map.of("pid", "1", "started_at", "1"), Duration.ofMinutes(5)).join();
		JobProcesses orders = new JobProcesses(this.redis.connections(), this.redis.prefix(), this.activity);
		orders.quiet("p1");
		orders.stop("p1");
		orders.threadDump("p1");
		this.redis.template().delete(this.redis.key("work", "ready"));
		JobAudit audit = new JobAudit(this.redis.connections(), this.redis.prefix(), this.activity);
		audit.repair(audit.run());
		assertThat(all()).extracting(OperatorAction::action, OperatorAction::target, OperatorAction::count)
			.containsExactly(tuple("repair", Map.of("queue", "work", "kinds", "NO_PLACE"), 1L),
					tuple("thread-dump", Map.of("process", "p1"), 1L), tuple("stop", Map.of("process", "p1"), 1L),
					tuple("quiet", Map.of("process", "p1"), 1L),
					tuple("release-lock", Map.of("queue", "work", "digest", "d", "job", DamagedQueue.id(1)), 1L));
	}

	@Test
	void changeOfManyInStepsIsOneAction() {
		enqueue(1200);
		JobQuery query = JobQuery.of(JobPlace.READY).name("mails.*").text("1");
		this.actor.as("ann", () -> changeAll(JobAction.KILL, query));
		OperatorAction action = all().get(0);
		assertThat(all()).hasSize(1);
		assertThat(action.action()).isEqualTo("kill");
		assertThat(action.target()).isEqualTo(Map.of("place", "ready", "name", "mails.*", "text", "1"));
		assertThat(action.count()).isEqualTo(this.admin.count(JobQuery.of(JobPlace.DEAD)).jobs()).isPositive();
		assertThat(action.since()).isBefore(action.at());
		assertThat(this.events.size()).isGreaterThan(1);
		assertThat(this.events).extracting(OperatorAction::id).containsOnly(action.id());
		assertThat(this.events.stream().mapToLong(OperatorAction::count).sum()).isEqualTo(action.count());
	}

	@ParameterizedTest
	@ValueSource(strings = { "READY", "SCHEDULED", "DEAD", "RETRIES" })
	void changeOfManyReachesAllInEveryPlace(JobPlace place) {
		DamagedQueue queue = new DamagedQueue(this.redis, "work");
		queue.enqueueMany(1100);
		if (place != JobPlace.READY) {
			List<String> ids = this.redis.template().opsForList().range(this.redis.key("work", "ready"), 0, -1);
			this.redis.template().delete(this.redis.key("work", "ready"));
			String key = this.redis.key("work", place.part().text());
			ids.forEach((id) -> this.redis.template().opsForZSet().add(key, id, 1_700_000_000_000L));
		}
		changeAll(JobAction.DELETE, JobQuery.of(place));
		assertThat(all()).singleElement().extracting(OperatorAction::count).isEqualTo(1100L);
		assertThat(this.admin.count(JobQuery.of(place)).jobs()).isZero();
	}

	@Test
	void changeOfManyThatIsBrokenOffCountsWhatWasDone() {
		enqueue(1200);
		JobQuery query = JobQuery.of(JobPlace.READY);
		BulkChange step = this.admin.change(JobAction.DELETE, query);
		assertThat(all()).extracting(OperatorAction::count).containsExactly((long) step.done());
		// If a step is repeated, it finds only the remaining jobs.
		BulkChange again = this.admin.change(JobAction.DELETE, query.after(step.next()));
		BulkChange repeated = this.admin.change(JobAction.DELETE, query.after(step.next()));
		assertThat(all()).extracting(OperatorAction::count)
			.containsExactly((long) step.done() + again.done() + repeated.done());
	}

	@Test
	void changeOfManyThatTwoPeopleMakeIsOneActionOfEach() {
		enqueue(1200);
		JobQuery query = JobQuery.of(JobPlace.READY);
		BulkChange step = this.actor.as("ann", () -> this.admin.change(JobAction.DELETE, query));
		this.actor.as("bob", () -> this.admin.change(JobAction.DELETE, query.after(step.next())));
		assertThat(all()).extracting(OperatorAction::who, OperatorAction::count)
			.containsExactly(tuple("bob", 500L), tuple("ann", 500L));
	}

	@Test
	void moveOfManyIsOneAction() {
		enqueue(250);
		JobQuery query = JobQuery.of(JobPlace.READY).queue("work");
		BulkChange step = this.admin.move(query, "other");
		int done = step.done();
		while (step.hasNext()) {
			step = this.admin.move(query.after(step.next()), "other");
			done += step.done();
		}
		assertThat(done).isEqualTo(250);
		assertThat(all()).singleElement().satisfies((action) -> {
			assertThat(action.action()).isEqualTo("move");
			assertThat(action.count()).isEqualTo(250);
			assertThat(action.target()).isEqualTo(Map.of("place", "ready", "queue", "work", "to", "other"));
		});
		assertThatIllegalArgumentException().isThrownBy(() -> this.admin.move(query, "nowhere"))
			.withMessageContaining("No queue is called 'nowhere'");
	}

	@Test
	void purgeIsOneAction() {
		enqueue(2100);
		assertThat(this.admin.purge("work", JobPlace.READY)).isEqualTo(2100);
		assertThat(all()).extracting(OperatorAction::action, OperatorAction::target, OperatorAction::count)
			.containsExactly(tuple("purge", Map.of("queue", "work", "place", "ready"), 2100L));
	}

	@Test
	void changesOfTwoProcessesAtOnceAreAllKept() throws Exception {
		JobActivity other = activity(this.redis.connections());
		String bulk = JobActivity.newId();
		CountDownLatch begin = new CountDownLatch(1);
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			List<Future<?>> done = new ArrayList<>();
			for (JobActivity one : List.of(this.activity, other)) {
				done.add(threads.submit(() -> {
					begin.await();
					for (int i = 0; i < 200; i++) {
						one.changed(OperatorChange.of("kill", "one", "job", Integer.toString(i)));
						one.changed(OperatorChange.of("delete", "many", "place", "dead").count(500).stepOf(bulk));
					}
					return null;
				}));
			}
			begin.countDown();
			for (Future<?> each : done) {
				each.get();
			}
		}
		finally {
			threads.shutdown();
		}
		assertThat(all()).hasSize(401).filteredOn((action) -> action.action().equals("kill")).hasSize(400);
		assertThat(all()).filteredOn((action) -> action.id().equals(bulk))
			.extracting(OperatorAction::count)
			.containsExactly(200_000L);
	}

	@Test
	void pagesFollowTheirCursorWhileActionsAreAdded() {
		IntStream.rangeClosed(1, 25).forEach(this::note);
		ActivityPage first = this.activity.page("", 10);
		IntStream.rangeClosed(26, 40).forEach(this::note);
		ActivityPage second = this.activity.page(first.next(), 10);
		ActivityPage third = this.activity.page(second.next(), 10);
		assertThat(numbers(first)).isEqualTo(IntStream.rangeClosed(0, 9).map((i) -> 25 - i).boxed().toList());
		assertThat(numbers(second)).isEqualTo(IntStream.rangeClosed(0, 9).map((i) -> 15 - i).boxed().toList());
		assertThat(numbers(third)).containsExactly(5, 4, 3, 2, 1);
		assertThat(third.hasNext()).isFalse();
		assertThat(this.activity.page("", 40).hasNext()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "-1", "1 2", "9999999999999999" })
	void pageAfterWhatNoPageReturnedIsRefused(String after) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.activity.page(after, 10))
			.withMessageContaining("'after' must be 'next' of the previous page");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1001 })
	void pageOfAnImpossibleSizeIsRefused(int size) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.activity.page("", size))
			.withMessageContaining("'size' must be 1 to 1000");
	}

	@Test
	void whatOthersHaveWrittenIsSkipped() {
		IntStream.rangeClosed(1, 3).forEach(this::note);
		for (String foreign : List.of("", "by hand", "1 a 2 3 4 b\n", "{\"who\":\"eve\"}")) {
			this.redis.template().opsForList().leftPush(this.redis.prefix() + ":activity", foreign);
		}
		assertThat(numbers(this.activity.page("", 10))).containsExactly(3, 2, 1);
		ActivityPage page = this.activity.page("", 5);
		assertThat(numbers(page)).containsExactly(3, 2);
		assertThat(numbers(this.activity.page(page.next(), 5))).containsExactly(1);
	}

	@Test
	void textsThatAreLongOrNotPrintableAreMadeFit() {
		String text = "\u202e\n\u0000" + "é".repeat(900);
		this.actor.as("a\nb", () -> {
			this.activity.changed(OperatorChange.of("kill", "m", "text", text, "name", ""));
			return null;
		});
		OperatorAction action = all().get(0);
		assertThat(action.who()).isEqualTo("a\\u000ab");
		assertThat(action.target().get("text")).startsWith("\\u202e\\u000a\\u0000éé").endsWith("é…");
		assertThat(action.target().get("name")).isEmpty();
	}

	@Test
	void changeStandsAndIsLoggedWhenItsKeyHasAWrongType(CapturedOutput output) {
		this.redis.template().opsForValue().set(this.redis.prefix() + ":activity", "x");
		String id = enqueue(1).get(0);
		JobChange change = this.actor.as("ann", () -> this.admin.change(JobAction.DELETE, id));
		assertThat(change.isDone()).isTrue();
		assertThat(this.admin.find(id)).isEmpty();
		assertThat(output)
			.contains("This was done, but could not be noted in Redis: ann delete job " + id + " name mails.send")
			.contains(":activity' is a string");
		assertThat(this.events).hasSize(1);
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(this::all);
	}

	@Test
	void changeIsKeptAlthoughItsThreadIsInterrupted() {
		Thread.currentThread().interrupt();
		note(1);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(numbers(this.activity.page("", 10))).containsExactly(1);
	}

	@Test
	void changeStandsWhenAListenerFails(CapturedOutput output) {
		JobActivity failing = new JobActivity(this.redis.connections(), this.redis.prefix(), this.actor, (action) -> {
			throw new IllegalStateException("planned");
		});
		String id = enqueue(1).get(0);
		assertThat(admin(failing).change(JobAction.DELETE, id).isDone()).isTrue();
		assertThat(output).contains("A listener of operators' actions has failed");
		assertThat(all()).hasSize(1);
	}

	private void note(int number) {
		this.activity.changed(OperatorChange.of("kill", "planned", "job", Integer.toString(number)));
	}

	private static List<Integer> numbers(ActivityPage page) {
		return page.actions().stream().map((action) -> Integer.valueOf(action.target().get("job"))).toList();
	}

	private List<OperatorAction> all() {
		return this.activity.page("", JobActivity.MOST_KEPT).actions();
	}

	private @Nullable Void changeAll(JobAction action, JobQuery query) {
		BulkChange step = this.admin.change(action, query);
		while (step.hasNext()) {
			step = this.admin.change(action, query.after(step.next()));
		}
		return null;
	}

	private List<String> enqueue(int count) {
		return this.client
			.enqueueAll(IntStream.range(0, count).mapToObj((number) -> JobRequest.named("mails.send", number)).toList())
			.stream()
			.map(EnqueueResult::id)
			.toList();
	}

	static class Mails {

		@Job(name = "mails.send", queue = "work")
		public void send(int number) {
		}

		@Job(name = "mails.update", queue = "updates")
		@Sequential(key = "#number", shards = 2)
		public void update(int number) {
		}

	}

}
