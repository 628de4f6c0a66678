package io.github.steadyjobs.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobHistory;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobsActor;
import io.github.steadyjobs.boot.ActuatorApplication.MailJobs;
import io.github.steadyjobs.boot.ActuatorApplication.Response;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link JobsEndpoint} over HTTP.
 */
@RedisTest
class JobsEndpointIntegrationTests {

	private static final String NO_ID = "0123456789abcdef01234567";

	private static ActuatorApplication application;

	private final TestRedis redis;

	private final JobClient client = application.bean(JobClient.class);

	private final JobAdmin admin = application.bean(JobAdmin.class);

	JobsEndpointIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@BeforeAll
	static void run(TestRedis redis) {
		application = run(redis.url(), redis, "steadyjobs.worker.auto-startup=false",
				"management.endpoint.jobs.access=unrestricted", "management.endpoint.jobs.show-values=always");
	}

	@AfterAll
	static void close() {
		application.close();
	}

	private static ActuatorApplication run(String url, TestRedis redis, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.addAll(List.of("spring.data.redis.url=" + url, "steadyjobs.prefix=" + redis.prefix(),
				"management.endpoints.web.exposure.include=jobs,health,info"));
		return ActuatorApplication.run(all.toArray(String[]::new));
	}

	@BeforeEach
	void registerQueues() {
		// The client registers a queue only once, but all keys are deleted before each
		// test.
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "mail", "other", "holding");
	}

	@Test
	void overviewShowsTotalsQueuesAndTheLastHour() {
		enqueue(2);
		kill(enqueue(1).get(0));
		Response overview = application.get("jobs");
		assertThat(overview.status()).isEqualTo(200);
		assertThat(overview.body().path("totals").path("ready").asInt()).isEqualTo(2);
		assertThat(overview.body().path("totals").path("dead").asInt()).isOne();
		assertThat(overview.body().path("lastHour").path("runs").asInt()).isZero();
		assertThat(overview.body().path("queues").findValuesAsString("name")).containsExactly("holding", "mail",
				"other");
	}

	@Test
	void queuesShowsEachWithItsSizeAndLatency() {
		enqueue(3);
		JsonNode queue = application.get("jobs/queues").body().path("queues").get(1);
		assertThat(queue.path("ready").asInt()).isEqualTo(3);
		assertThat(Duration.parse(queue.path("latency").asString())).isGreaterThanOrEqualTo(Duration.ZERO);
		assertThat(application.get("jobs/queues/mail").body().path("queue").path("ready").asInt()).isEqualTo(3);
	}

	@Test
	void jobSaysWhyItDoesNotRun() {
		String id = this.client
			.enqueue(JobRequest.of(MailJobs.class, (jobs) -> jobs.send("ada", 1)).tags("vip").meta("tenant", "7"))
			.id();
		JsonNode job = application.get("jobs/job/" + id).body();
		assertThat(job.path("reason").asString()).isEqualTo("NOT_SERVED");
		assertThat(job.path("explanation").asString()).startsWith("No process serves queue 'mail'");
		assertThat(job.path("place").asString()).isEqualTo("ready");
		assertThat(job.path("job").asString()).isEqualTo("MailJobs.send");
		assertThat(job.path("tags").get(0).asString()).isEqualTo("vip");
		assertThat(job.path("arguments").toString()).isEqualTo("[\"ada\",1]");
		assertThat(job.path("meta").path("tenant").asString()).isEqualTo("7");
		assertThat(Instant.parse(job.path("enqueuedAt").asString())).isBefore(Instant.now().plusSeconds(60));
	}

	@Test
	void pagesAreFilteredAndFollowTheirCursor() {
		enqueue(5).forEach(this::kill);
		kill(this.client.enqueue(MailJobs.class, (jobs) -> jobs.once("bob")).id());
		Response first = application.get("jobs/dead", "name", "*.send", "queue", "mail", "size", "2");
		assertThat(ids(first)).hasSize(2);
		Response second = application.get("jobs/dead", "name", "*.send", "size", "10", "after",
				first.body().path("next").asString());
		assertThat(ids(second)).hasSize(3).doesNotContainAnyElementsOf(ids(first));
		assertThat(second.body().has("next")).isFalse();
		assertThat(ids(application.get("jobs/dead", "text", "BOB"))).hasSize(1);
		assertThat(ids(application.get("jobs/dead", "tag", "none"))).isEmpty();
		assertThat(ids(application.get("jobs/dead", "error", "java.net.*"))).isEmpty();
		assertProblem(application.get("jobs/ready", "error", "java.net.*"), 400, "BAD_REQUEST",
				"'error' is for jobs in 'retries' or 'dead', but not in 'ready'");
	}

	@Test
	void actionOnAJobIsCarriedOut() {
		String id = this.client
			.enqueue(JobRequest.of(MailJobs.class, (jobs) -> jobs.send("ada", 1)).after(Duration.ofHours(1)))
			.id();
		assertDone(change(id, "{'action':'reschedule','due':'2h'}"));
		assertThat(this.admin.find(id).orElseThrow().job().time()).isAfter(Instant.now().plus(Duration.ofMinutes(110)));
		assertDone(change(id, "{'action':'reschedule','due':'2099-01-01T00:00:00Z'}"));
		assertThat(this.admin.find(id).orElseThrow().job().time()).isEqualTo("2099-01-01T00:00:00Z");
		assertDone(change(id, "{\"action\":\"edit\",\"arguments\":\"[\\\"bob\\\", 2]\"}"));
		assertThat(application.get("jobs/job/" + id).body().path("arguments").toString()).isEqualTo("[\"bob\",2]");
		assertDone(change(id, "{\"action\":\"edit\",\"arguments\":[\"eve\", 3]}"));
		assertThat(application.get("jobs/job/" + id).body().path("arguments").toString()).isEqualTo("[\"eve\",3]");
		assertDone(change(id, "{'action':'run-now'}"));
		assertPlace(id, JobPlace.READY);
		this.client.enqueue(MailJobs.class, MailJobs::other);
		assertDone(change(id, "{'action':'move','to':'other'}"));
		assertThat(this.admin.find(id).orElseThrow().job().queue()).isEqualTo("other");
		assertDone(change(id, "{'action':'kill'}"));
		assertPlace(id, JobPlace.DEAD);
		assertDone(change(id, "{'action':'retry'}"));
		assertPlace(id, JobPlace.READY);
		assertDone(change(id, "{'action':'delete'}"));
		assertThat(this.admin.find(id)).isEmpty();
	}

	@Test
	void cancelEndsAJobThatWaits() {
		String id = enqueue(1).get(0);
		assertDone(change(id, "{'action':'cancel'}"));
		assertThat(this.admin.find(id)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "retry", "cancel", "delete", "release-lock" })
	void actionOnAJobThatIsGoneIsNotFound(String action) {
		enqueue(1);
		assertProblem(change(NO_ID, "{'action':'" + action + "'}"), 404, "NOT_FOUND", NO_ID);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					{}                                                  | 'action' is missing
					{'action':'explode'}                                | must be one of [run-now, retry, kill, delete, cancel, edit
					{'action':'edit'}                                   | 'arguments' is missing
					{'action':'edit','arguments':'nonsense'}            | The arguments are not JSON
					{'action':'edit','arguments':'[1]'}                 | args[1]: expected int, found nothing
					{'action':'reschedule'}                             | 'due' is missing
					{'action':'reschedule','due':'soon'}                | 'due' must be a time such as
					{'action':'reschedule','due':'2026-99-01T00:00:00Z'} | 'due' must be a time such as
					{'action':'move'}                                   | 'to' is missing
					{'action':'move','to':'nowhere'}                    | No queue is called 'nowhere'
					""")
	void actionThatMakesNoSenseIsRefused(String body, String message) {
		assertProblem(change(enqueue(1).get(0), body), 400, "BAD_REQUEST", message);
	}

	@Test
	void actionOnAJobInTheWrongPlaceIsAConflict() {
		String id = enqueue(1).get(0);
		assertProblem(change(id, "{'action':'retry'}"), 409, "REFUSED",
				"'retry' is only for jobs in 'retries' or 'dead'");
		kill(id);
		assertProblem(change(id, "{'action':'cancel'}"), 409, "REFUSED", "is dead");
	}

	@Test
	void editThatNeedsTheLockOfAnotherJobIsAConflict() {
		String holder = this.client.enqueue(MailJobs.class, (jobs) -> jobs.once("ada")).id();
		String id = this.client.enqueue(MailJobs.class, (jobs) -> jobs.once("bob")).id();
		Response refused = change(id, "{\"action\":\"edit\",\"arguments\":\"[\\\"ada\\\"]\"}");
		assertProblem(refused, 409, "LOCKED", holder);
	}

	@Test
	void locksAreShownAndReleased() {
		String id = this.client.enqueue(MailJobs.class, (jobs) -> jobs.once("ada")).id();
		JsonNode lock = application.get("jobs/locks/mail").body().path("locks").get(0);
		assertThat(lock.path("holder").asString()).isEqualTo(id);
		String digest = lock.path("digest").asString();
		assertProblem(
				application.post("jobs/locks/mail",
						"{'action':'release','digest':'%s','holder':'%s'}".formatted(digest, NO_ID)),
				409, "CHANGED", "keeps it");
		assertDone(application.post("jobs/locks/mail",
				"{'action':'release','digest':'%s','holder':'%s'}".formatted(digest, id)));
		assertProblem(application.post("jobs/locks/mail", "{'action':'release','digest':'" + digest + "'}"), 404,
				"NOT_FOUND", digest);
		String next = this.client.enqueue(MailJobs.class, (jobs) -> jobs.once("bob")).id();
		assertDone(change(next, "{'action':'release-lock'}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "kill", "delete", "move" })
	void manyReadyJobsAreChangedInSteps(String action) {
		this.client.enqueue(MailJobs.class, MailJobs::other);
		enqueue(1200);
		assertThat(changeAll("ready", "'action':'%s','queue':'mail','to':'other'".formatted(action))).isEqualTo(1200);
		assertThat(application.get("jobs/ready", "queue", "mail").body().path("jobs")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					{'action':'delete','name':''}             | 'name' is empty: leave it out, or say which jobs
					{'action':'retry','queue':''}             | 'queue' is empty
					{'action':'delete','id':'','name':'x'}    | 'id' is empty
					{'action':'kill','tag':'','all':true}     | 'tag' is empty
					{'action':'delete','text':''}             | 'text' is empty
					{'action':'delete'}                       | Say which jobs with 'queue', 'name', 'id', 'tag', 'error' or 'text'
					{'action':'delete','nmae':'x'}            | add "all": true to
					{'action':'kill','all':false}             | add "all": true to
					{'action':'move','to':'other'}            | add "all": true to
					{'action':'delete','all':'maybe'}         | 'all' must be true or false, but is 'maybe'
					""")
	void changeOfManyThatDoesNotSayWhichIsRefused(String body, String message) {
		enqueue(2);
		assertProblem(application.post("jobs/ready", body), 400, "BAD_REQUEST", message);
		assertThat(ids(application.get("jobs/ready"))).hasSize(2);
	}

	@Test
	void changeOfAllJobsOfAPlaceSaysSo() {
		enqueue(1200);
		assertThat(changeAll("ready", "'action':'delete','all':true")).isEqualTo(1200);
	}

	@Test
	void emptyParametersOfAPageAreLeftOut() {
		enqueue(1);
		assertThat(ids(application.get("jobs/ready", "name", "", "queue", "", "after", ""))).hasSize(1);
	}

	@Test
	void manyDeadJobsAreRetriedByName() {
		enqueue(700).forEach(this::kill);
		kill(this.client.enqueue(MailJobs.class, (jobs) -> jobs.once("bob")).id());
		assertThat(changeAll("dead", "'action':'retry','name':'MailJobs.s*'")).isEqualTo(700);
		assertThat(ids(application.get("jobs/dead"))).hasSize(1);
	}

	@Test
	void activityShowsWhatWasDoneNewestFirst() {
		List<String> ids = enqueue(3);
		change(ids.get(0), "{'action':'cancel'}");
		change(ids.get(1), "{'action':'kill','who':'ann'}");
		application.post("jobs/queues/mail", "{'action':'purge','place':'ready','who':'bob'}");
		JsonNode page = application.get("jobs/activity", "size", "2").body();
		assertThat(page.path("activity").findValuesAsString("action")).containsExactly("purge", "kill");
		JsonNode purge = page.path("activity").get(0);
		assertThat(purge.path("who").asString()).isEqualTo("bob");
		assertThat(purge.path("count").asInt()).isOne();
		assertThat(purge.path("target").path("queue").asString()).isEqualTo("mail");
		assertThat(Instant.parse(purge.path("at").asString())).isEqualTo(purge.path("since").asString())
			.isBefore(Instant.now().plusSeconds(60));
		JsonNode rest = application.get("jobs/activity", "after", page.path("next").asString()).body();
		assertThat(rest.has("next")).isFalse();
		assertThat(rest.path("activity")).hasSize(1);
		JsonNode cancel = rest.path("activity").get(0);
		assertThat(cancel.path("action").asString()).isEqualTo("cancel");
		assertThat(cancel.path("target").path("job").asString()).isEqualTo(ids.get(0));
		assertThat(cancel.path("who").asString()).isEqualTo(application.bean(JobsActor.class).name());
	}

	@ParameterizedTest
	@ValueSource(strings = { "delete", "move" })
	void changeOfManyIsOneAction(String action) {
		enqueue(1200);
		changeAll("ready", "'action':'%s','queue':'mail','to':'other','who':'ann'".formatted(action));
		JsonNode activity = application.get("jobs/activity").body().path("activity");
		assertThat(activity).hasSize(1);
		assertThat(activity.get(0).path("action").asString()).isEqualTo(action);
		assertThat(activity.get(0).path("count").asInt()).isEqualTo(1200);
		assertThat(activity.get(0).path("who").asString()).isEqualTo("ann");
	}

	@ParameterizedTest
	@ValueSource(strings = { " ", "a\\nb", "a\\u202eb",
			"12345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901" })
	void nameThatIsLongOrNotPrintableIsRefused(String who) {
		String id = enqueue(1).get(0);
		assertProblem(change(id, "{'action':'delete','who':'" + who + "'}"), 400, "BAD_REQUEST",
				"'who' must be 1 to 100 printable characters");
		assertThat(this.admin.find(id)).isPresent();
	}

	@Test
	void purgeDeletesAllOfAPlace() {
		enqueue(3);
		Response purged = application.post("jobs/queues/mail", "{'action':'purge','place':'ready'}");
		assertThat(purged.body().path("deleted").asInt()).isEqualTo(3);
		assertProblem(application.post("jobs/queues/mail", "{'action':'purge'}"), 400, "BAD_REQUEST",
				"'place' is missing");
		assertProblem(application.post("jobs/queues/mail", "{'action':'purge','place':'moon'}"), 400, "BAD_REQUEST",
				"must be one of [ready, suspects, scheduled, retries, dead, parked, working]");
		assertProblem(application.post("jobs/queues/mail", "{'action':'purge','place':'working'}"), 400, "BAD_REQUEST",
				"Jobs that run cannot be deleted");
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobs/queues/moon", "jobs/locks/moon", "jobs/audit/moon", "jobs/dead?queue=moon",
			"jobs/ready?queue=moon&name=x" })
	void queueThatIsUnknownIsNotFound(String path) {
		enqueue(1);
		assertProblem(application.get(path), 404, "NOT_FOUND",
				"No queue is called 'moon'. There are: holding, mail, other");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			jobs/moon          | There is no 'moon' here. There are: activity, audit, dead, doctor
			jobs/moon/1        | There is no 'moon' here
			jobs/job           | add a name or an id to the path
			jobs/locks         | add a name or an id to the path
			jobs/doctor/1      | leave it out of the path
			jobs/job/1         | There is no job 1
			""")
	void whatIsNotThereIsNotFound(String path, String message) {
		assertProblem(application.get(path), 404, "NOT_FOUND", message);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			jobs/dead?size=many       | 'size' must be a whole number, but is 'many'
			jobs/dead?size=100000     | 'size' must be 1 to 1000
			jobs/dead?after=nonsense  | 'after' must be 'next' of the previous page
			jobs/history?from=soon    | 'from' must be a time such as
			jobs/history?from=100h    | at most 72 hours
			""")
	void parameterThatMakesNoSenseIsRefused(String path, String message) {
		assertProblem(application.get(path), 400, "BAD_REQUEST", message);
	}

	@Test
	void historyShowsMinutesJobsAndMarks() {
		assertDone(application.post("jobs/history", "{'action':'mark','label':'shop 1.0'}"));
		assertProblem(application.post("jobs/history", "{'action':'mark'}"), 400, "BAD_REQUEST", "'label' is missing");
		assertProblem(application.post("jobs/history", "{'action':'erase'}"), 400, "BAD_REQUEST", "must be 'mark'");
		JsonNode history = application.get("jobs/history", "from", "10m").body();
		assertThat(history.path("marks").get(0).path("label").asString()).isEqualTo("shop 1.0");
		assertThat(
				application.bean(JobHistory.class).marks(Instant.now().minusSeconds(60), Instant.now().plusSeconds(9)))
			.hasSize(1);
		assertThat(history.path("totals").path("runs").asInt()).isZero();
		assertThat(application.get("jobs/history/MailJobs.send").body().path("minutes")).isEmpty();
	}

	@Test
	void doctorAndAuditTellWhatIsWrong() {
		String id = enqueue(1).get(0);
		assertThat(application.get("jobs/audit").body().path("violations")).isEmpty();
		this.redis.template().opsForHash().delete(this.redis.key("mail", "payloads"), id);
		JsonNode audit = application.get("jobs/audit/mail").body();
		assertThat(audit.path("violations").get(0).path("kind").asString()).isEqualTo("NO_PAYLOAD");
		assertThat(audit.path("violations").get(0).path("repaired").asBoolean()).isTrue();
		assertThat(audit.path("remedies").isEmpty()).isTrue();
		assertThat(audit.path("counts").path("NO_PAYLOAD").asInt()).isOne();
		this.redis.template().opsForHash().put(this.redis.key("mail", "crashes"), "none", "1 1 p");
		audit = application.get("jobs/audit/mail").body();
		assertThat(audit.path("violations").get(1).path("repaired").asBoolean(true)).isFalse();
		assertThat(audit.path("remedies").path("LEFTOVER").asString()).startsWith("HDEL");
		assertThat(application.get("jobs/doctor").body().path("findings").isArray()).isTrue();
	}

	@Test
	void jobThatRunsIsShownAndNotChanged() throws Exception {
		try (ActuatorApplication worker = run(this.redis.url(), this.redis,
				"management.endpoint.jobs.access=unrestricted", "steadyjobs.liveness.beat=50ms",
				"steadyjobs.liveness.death-after=10s")) {
			MailJobs jobs = worker.bean(MailJobs.class);
			String id = this.client.enqueue(MailJobs.class, MailJobs::hold).id();
			assertThat(jobs.begun.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(application.get("jobs/job/" + id).body().path("reason").asString()).isEqualTo("RUNS");
			assertThat(ids(application.get("jobs/working"))).containsExactly(id);
			assertProblem(change(id, "{'action':'delete'}"), 409, "RUNNING", "cancel it");
			assertProblem(change(id, "{'action':'cancel','interrupt':'maybe'}"), 400, "BAD_REQUEST", "true or false");
			assertDone(change(id, "{'action':'cancel','interrupt':true}"));
			await().atMost(Duration.ofSeconds(30)).until(() -> this.admin.find(id).isEmpty());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobs/queues/mail", "jobs/pauses/MailJobs.send" })
	void queuesAndJobsArePausedOnceAndResumedOnce(String path) {
		String name = path.substring(path.lastIndexOf('/') + 1);
		assertProblem(application.post(path, "{'action':'pause'}"), 400, "BAD_REQUEST", "'why' is missing");
		assertProblem(application.post(path, "{'action':'explode'}"), 400, "BAD_REQUEST", "pause, resume");
		Response paused = application.post(path,
				"{'action':'pause','who':'ada','why':'the relay is down','until':'1h'}");
		assertDone(paused);
		assertThat(Instant.parse(paused.body().path("pause").path("until").asString()))
			.isAfter(Instant.now().plus(Duration.ofMinutes(50)));
		JsonNode pause = application.get("jobs/pauses").body().path("pauses").get(0);
		assertThat(pause.path("name").asString()).isEqualTo(name);
		assertThat(pause.path("who").asString()).isEqualTo("ada");
		assertThat(application.get("jobs").body().path("pauses")).hasSize(1);
		assertProblem(application.post(path, "{'action':'pause','who':'bob','why':'me too'}"), 409, "ALREADY_PAUSED",
				"by ada, the relay is down");
		assertDone(application.post(path, "{'action':'resume'}"));
		assertProblem(application.post(path, "{'action':'resume'}"), 409, "NOT_PAUSED", "It is not paused");
	}

	@Test
	void pauseOfAQueueThatIsUnknownIsNotFound() {
		assertProblem(application.post("jobs/queues/moon", "{'action':'pause','why':'a test'}"), 404, "NOT_FOUND",
				"No queue is called so");
	}

	@Test
	void processesAreShownAndObey() {
		try (ActuatorApplication worker = run(this.redis.url(), this.redis, "management.info.jobs.enabled=true",
				"steadyjobs.liveness.beat=50ms", "steadyjobs.liveness.death-after=10s")) {
			await().until(() -> application.get("jobs/processes").body().path("processes").size() == 1);
			String name = application.get("jobs/processes").body().path("processes").get(0).path("name").asString();
			assertThat(worker.get("info").body().path("jobs").path("process").asString()).isEqualTo(name);
			assertThat(application.get("jobs").body().path("processes").path("states").path("RUNNING").asInt()).isOne();
			String path = "jobs/processes/" + name;
			Response order = application.post(path, "{'action':'thread-dump'}");
			String number = order.body().path("number").asString();
			await().until(() -> application.get(path, "dump", number).status() == 200);
			assertThat(application.get(path, "dump", number).body().path("threadDump").asString()).contains("jobs-");
			assertProblem(application.get(path, "dump", "999999"), 404, "NOT_FOUND", "has not answered 999999 yet");
			assertDone(application.post(path, "{'action':'quiet'}"));
			await().until(() -> application.get(path).body().path("process").path("state").asString().equals("QUIET"));
			assertDone(application.post(path, "{'action':'stop'}"));
			await().atMost(Duration.ofSeconds(30)).until(() -> application.get(path).status() == 404);
			assertProblem(application.post(path, "{'action':'quiet'}"), 404, "NOT_FOUND",
					"There is no process " + name);
			assertProblem(application.post(path, "{'action':'explode'}"), 400, "BAD_REQUEST",
					"must be one of [quiet, stop, thread-dump]");
		}
	}

	@Test
	void valuesAreHiddenUnlessTheApplicationShowsThem() {
		String id = this.client.enqueue(MailJobs.class, (jobs) -> jobs.fail("swordfish")).id();
		try (ActuatorApplication other = run(this.redis.url(), this.redis)) {
			await().until(() -> this.admin.find(id).orElseThrow().job().place() == JobPlace.DEAD);
			other.bean(Launcher.class).stop();
			JsonNode job = other.get("jobs/job/" + id).body();
			assertThat(job.toString()).doesNotContain("swordfish");
			assertThat(job.path("arguments").asString()).isEqualTo("******");
			assertThat(job.path("errorMessage").asString()).isEqualTo("******");
			assertThat(job.path("errorClass").asString()).isEqualTo(IllegalStateException.class.getName());
			JsonNode failure = job.path("failures").get(0);
			assertThat(failure.path("errorMessage").asString()).isEqualTo("******");
			assertThat(failure.path("errorClass").asString()).isEqualTo(IllegalStateException.class.getName());
			assertThat(other.get("jobs/dead").body().toString()).contains(id).doesNotContain("swordfish");
			assertThat(ids(other.get("jobs/dead", "error", "java.lang.IllegalState*"))).containsExactly(id);
			assertProblem(other.get("jobs/dead", "text", "s"), 400, "BAD_REQUEST", "values that are not shown");
			// The other application also refuses changes.
			assertProblem(other.post("jobs/job/" + id, "{'action':'delete'}"), 405, "READ_ONLY",
					"set management.endpoint.jobs.access=unrestricted");
			assertThat(this.admin.find(id)).isPresent();
		}
		JsonNode shown = application.get("jobs/job/" + id).body();
		assertThat(shown.path("errorMessage").asString()).isEqualTo("The password is swordfish");
		JsonNode failure = shown.path("failures").get(0);
		assertThat(failure.path("errorMessage").asString()).isEqualTo("The password is swordfish");
		assertThat(Instant.parse(failure.path("time").asString())).isBeforeOrEqualTo(Instant.now());
		assertThat(Duration.parse(failure.path("ran").asString())).isLessThan(Duration.ofMinutes(1));
		assertThat(failure.path("process").asString()).contains(":");
		assertThat(shown.path("backtrace").get(0).asString()).contains("MailJobs");
	}

	@ParameterizedTest
	@ValueSource(strings = { "servlet", "reactive" })
	void changeThatIsRefusedNamesThePropertyOnAPortForManagementToo(String type) {
		// The test class path has two reactive servers. Spring Boot cannot choose between
		// them for the second port.
		String tomcat = "org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
				+ "TomcatReactiveManagementContextAutoConfiguration";
		try (ActuatorApplication other = run(this.redis.url(), this.redis, "management.server.port=0",
				"spring.autoconfigure.exclude=" + tomcat, "management.endpoints.web.path-mapping.jobs=work",
				"spring.main.web-application-type=" + type, "steadyjobs.worker.auto-startup=false")) {
			assertThat(other.get("work/queues").status()).isEqualTo(200);
			assertProblem(other.post("work/queues/mail", "{'action':'pause'}"), 405, "READ_ONLY",
					"set management.endpoint.jobs.access=unrestricted");
			assertThat(other.post("moon", "{}").status()).isEqualTo(404);
		}
	}

	@Test
	void changeOfWhatCannotBeChangedIsNotSaidToBeReadOnly() {
		Response response = application.post("jobs", "{'action':'pause'}");
		assertThat(response.status()).isEqualTo(405);
		assertThat(response.body().path("reason").isMissingNode()).isTrue();
	}

	@Test
	void redisThatIsAwayIsToldWithoutAStackTrace() {
		try (TcpRelay relay = TcpRelay.to(this.redis);
				ActuatorApplication other = run(relay.url(), this.redis, "steadyjobs.worker.auto-startup=false",
						"management.endpoint.jobs.access=unrestricted")) {
			relay.refuse();
			for (String path : List.of("jobs", "jobs/queues", "jobs/dead", "jobs/doctor", "jobs/job/" + NO_ID)) {
				Response response = other.get(path);
				assertProblem(response, 503, "UNREACHABLE", "Redis is not reachable");
				assertThat(response.body().propertyNames()).containsExactlyInAnyOrder("status", "reason", "message");
			}
			assertProblem(other.post("jobs/job/" + NO_ID, "{'action':'retry'}"), 503, "UNREACHABLE", "Redis");
		}
	}

	private List<String> enqueue(int number) {
		return this.client
			.enqueueAll(IntStream.range(0, number)
				.mapToObj((i) -> JobRequest.of(MailJobs.class, (jobs) -> jobs.send("ada", i)))
				.toList())
			.stream()
			.map((result) -> result.id())
			.toList();
	}

	private void kill(String id) {
		assertThat(this.admin.change(JobAction.KILL, id).isDone()).isTrue();
	}

	private void assertPlace(String id, JobPlace place) {
		assertThat(this.admin.find(id).orElseThrow().job().place()).isEqualTo(place);
	}

	private Response change(String id, String body) {
		return application.post("jobs/job/" + id, body);
	}

	private static int changeAll(String place, String body) {
		int done = 0;
		String next = "";
		do {
			Response step = application.post("jobs/" + place, "{%s,'after':'%s'}".formatted(body, next));
			assertThat(step.status()).as(step.message()).isEqualTo(200);
			done += step.body().path("done").asInt();
			next = step.body().path("next").asString("");
		}
		while (!next.isEmpty());
		return done;
	}

	private static List<String> ids(Response page) {
		assertThat(page.status()).as(page.message()).isEqualTo(200);
		List<String> ids = new ArrayList<>();
		page.body().path("jobs").forEach((job) -> ids.add(job.path("id").asString()));
		return ids;
	}

	private static void assertDone(Response response) {
		assertThat(response.status()).as(response.message()).isEqualTo(200);
		assertThat(response.message()).isNotEmpty();
	}

	private static void assertProblem(Response response, int status, String reason, String message) {
		assertThat(response.status()).as(response.body().toString()).isEqualTo(status);
		assertThat(response.body().path("reason").asString()).isEqualTo(reason);
		assertThat(response.message()).contains(message);
	}

}
