package io.github.steadyjobs.dashboard;

import java.time.Duration;

import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProcessesPage} and the instructions to processes.
 */
@RedisTest
class ProcessPagesIntegrationTests {

	private final DashboardFixture dashboard;

	private final JobProcesses processes;

	ProcessPagesIntegrationTests(TestRedis redis) {
		this.dashboard = DashboardFixture.start(redis, "steadyjobs.liveness.beat=100ms",
				"steadyjobs.liveness.death-after=60s", "steadyjobs.worker.remote-stop=workers",
				"steadyjobs.capsules.default.concurrency=3");
		this.processes = this.dashboard.bean(JobProcesses.class);
	}

	@BeforeEach
	void startWorkers() {
		this.dashboard.bean(Launcher.class).start();
		Awaitility.await().until(() -> !this.processes.list().isEmpty());
	}

	@AfterEach
	void close() {
		this.dashboard.close();
	}

	@Test
	void processesShowsCapsulesAndOrders() {
		JobProcess process = this.processes.list().get(0);
		Answer answer = this.dashboard.get("processes").send();
		assertThat(answer.text("h2")).isEqualTo(process.name() + " running");
		assertThat(answer.text("tbody th")).isEqualTo("default");
		assertThat(answer.text("tbody td.number")).isEqualTo("0 / 3");
		assertThat(answer.page().select("tbody td a").eachAttr("href")).containsExactly("queue?name=bills",
				"queue?name=mail", "queue?name=orders", "queue?name=reports");
		assertThat(answer.page().select("a[data-dialog]").eachText()).containsExactly("Thread dump…", "Quiet…",
				"Stop…");
		assertThat(this.dashboard.get("").send().link("#processes tbody a")).startsWith("processes#process-");
	}

	@Test
	void quietMakesTheProcessQuiet() {
		Answer question = this.dashboard.get(order("Quiet…")).send();
		assertThat(question.text("form")).contains(name(), "It takes no more jobs", "cannot be undone");
		Answer sent = this.dashboard.post("quiet").parameter("process", name()).send();
		assertThat(sent.header("Location")).isEqualTo("processes?notice=quiet-sent&count=0");
		await(JobProcess.State.QUIET);
		Answer after = this.dashboard.get(sent.header("Location")).send();
		assertThat(after.text("#notice")).contains("takes no more jobs from its next heartbeat on");
		assertThat(after.text("h2 .tag")).isEqualTo("quiet");
		assertThat(after.page().select("a[data-dialog]").eachText()).containsExactly("Thread dump…", "Stop…");
	}

	@Test
	void stopStopsTheProcess() {
		this.dashboard.post("stop").parameter("process", name()).send();
		Awaitility.await().until(() -> this.processes.list().isEmpty());
		this.dashboard.bean(Samples.class).expire();
		assertThat(this.dashboard.get("processes").send().text(".empty")).contains("No process runs jobs");
	}

	@Test
	void threadDumpIsShownWhenTheProcessHasAnswered() {
		Answer sent = this.dashboard.post("thread-dump").parameter("process", name()).send();
		assertThat(sent.status()).isEqualTo(303);
		String address = sent.header("Location");
		assertThat(address).startsWith("dump?process=").contains("&number=");
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> !this.dashboard.get(address).send().text("#dump pre").isEmpty());
		assertThat(this.dashboard.get(address).send().text("#dump pre")).contains("jobs-");
	}

	@Test
	void threadDumpThatIsNotThereYetIsAskedForAgain() {
		Answer answer = this.dashboard.get("dump?process=gone&number=7").send();
		assertThat(answer.text("#dump .empty")).contains("has not answered yet");
		assertThat(answer.page().select("#live")).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "quiet", "stop", "thread-dump" })
	void orderToAProcessThatIsGoneSaysSo(String order) {
		Answer answer = this.dashboard.post(order).parameter("process", "gone:1:abc").send();
		assertThat(answer.header("Location")).isEqualTo("processes?notice=process-gone&count=0");
	}

	private String name() {
		return this.processes.list().get(0).name();
	}

	private String order(String text) {
		return this.dashboard.get("processes").send().link("a:containsOwn(" + text + ")");
	}

	private void await(JobProcess.State state) {
		Awaitility.await().until(() -> this.processes.list().get(0).state() == state);
	}

}
