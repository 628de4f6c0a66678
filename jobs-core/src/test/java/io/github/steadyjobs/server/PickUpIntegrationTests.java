package io.github.steadyjobs.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.pause.PauseStore.Order;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.TcpRelay;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.core.RedisCallback;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the path from a wake token to the running job in an idle process, whose
 * claims wait in Redis until its {@code BLPOP} ends. Each step of the path is disturbed.
 */
class PickUpIntegrationTests {

	private static final String CAPSULE = "pick-up";

	/** Only claims have the name of the capsule as a separate argument. */
	private static final String CLAIM = "\r\n" + CAPSULE + "\r\n";

	private final OwnRedis server = OwnRedis.start();

	private final TcpRelay relay = TcpRelay.to(this.server.redis());

	private final Runs runs = new Runs();

	private final WorkerFixture client = WorkerFixture.on(this.server.redis()).jobs(this.runs).build();

	private final WorkerFixture worker = WorkerFixture.on(this.server.redis())
		.connections(this.relay.connections(Duration.ofSeconds(5)))
		.capsule(CAPSULE, 4, Capsule.Order.WEIGHTED, new Queue("a", 1), new Queue("b", 1))
		.jobs(this.runs)
		.build();

	private Monitor monitor;

	@BeforeEach
	void becomeIdle() throws IOException {
		this.worker.start();
		this.client.enqueue("a", -2);
		this.client.enqueue("b", -1);
		this.runs.awaitEnded(2);
		this.worker.awaitEmpty("a", "b");
		awaitIdle("1");
		this.monitor = new Monitor(this.server);
	}

	@AfterEach
	void close() throws IOException {
		this.monitor.close();
		this.worker.close();
		this.client.close();
		this.relay.close();
		this.server.close();
	}

	@Test
	void claimsOnTheConnectionThatBroughtTheToken() {
		for (int i = 0; i < 5; i++) {
			this.client.enqueue("b", i);
			this.runs.awaitEnded(3 + i);
			awaitIdle("1");
		}
		// On a busy machine, the loop may claim as well, which only costs another call.
		String waiting = this.monitor.waits().get(0).connection();
		assertThat(this.monitor.claims())
			.filteredOn((claim) -> claim.connection().equals(waiting) && claim.text().contains("{b}"))
			.hasSizeGreaterThanOrEqualTo(5);
		assertThat(this.monitor.connectionsOf("EVALSHA")).as("connections with EVALSHA").hasSizeGreaterThan(1);
	}

	@Test
	void claimsBeforeTheTokenHasReachedTheProcess() {
		this.relay.hold();
		this.client.enqueue("b", 0);
		// The relay holds back all replies, so the process cannot know about the job.
		awaitWorking();
		assertThat(this.runs.begun()).doesNotContain(0);
		this.relay.pass();
		assertRan();
	}

	@Test
	void whenNothingComesClaimsOnceForEachQueueAndWait() {
		// The monitor does not show the wait that was in progress when the monitor was
		// started.
		WorkerFixture.await().until(() -> this.monitor.waits().size() >= 3);
		List<Call> waits = this.monitor.waits();
		List<Call> claims = this.monitor.claims();
		assertThat(claims).extracting(Call::connection).containsOnly(waits.get(0).connection());
		assertThat(claims).hasSizeBetween(4, 2 * waits.size());
	}

	@Test
	void whenAJobBecomesDueWhileTheClaimWaitsRunsBothThatAndTheNext() {
		this.client.client().enqueue(WorkerFixture.request("b", 1).after(Duration.ofMillis(300)));
		this.runs.awaitEnded(3);
		// The claim of the due job had the number of the claim that waits. So the token
		// of the next job ends a claim that is already over, and the queue has to be
		// claimed from again.
		this.client.enqueue("b", 0);
		this.runs.awaitEnded(4);
		this.worker.awaitEmpty("b");
		assertThat(this.runs.begun()).containsExactlyInAnyOrder(-2, -1, 1, 0);
	}

	@Test
	void whenSeveralJobsComeAtOnceRunsThemTogether() {
		CountDownLatch together = new CountDownLatch(4);
		try (WorkerFixture many = WorkerFixture.on(this.server.redis()).capsule(4, "m").jobs((number, job) -> {
			if (number > 0) {
				together.countDown();
				together.await();
			}
		}).start()) {
			many.enqueue("m", 0);
			many.awaitEmpty("m");
			awaitIdle("2");
			many.enqueueAll("m", 1, 5);
			many.awaitEmpty("m");
		}
	}

	@Test
	void whenAForeignValueIsInTheListOfTokensRunsTheNextJobToo() {
		this.server.redis().template().opsForList().leftPush(this.server.redis().key("b", "wake"), "foreign");
		WorkerFixture.await().until(() -> !this.monitor.claims().isEmpty());
		assertRunsOnce();
	}

	@Test
	void whenTheListOfTokensIsSomethingElseRunsTheNextJobToo() {
		String wake = this.server.redis().key("b", "wake");
		this.server.redis().template().opsForValue().set(wake, "foreign");
		assertRunsOnce();
		this.server.redis().template().delete(wake);
	}

	@Test
	void whenJobIsToBeRetriedKnowsWhenItIsDueWithoutAHeartbeat() {
		Runs failing = new Runs();
		try (WorkerFixture rare = WorkerFixture.on(this.server.redis()).capsule(1, "r").jobs((number, job) -> {
			failing.run(number, job);
			if (number == 1 && job.attempt() == 1) {
				throw new IllegalStateException("once");
			}
		})
			.retryDelay(RetryDelay.exactly((count, job, failure) -> Duration.ofMillis(500)))
			.beat(Duration.ofMinutes(1))
			.deathAfter(Duration.ofMinutes(4))
			.start()) {
			rare.enqueue("r", 0);
			rare.awaitEmpty("r");
			awaitIdle("2");
			rare.enqueue("r", 1);
			failing.awaitEnded(3);
		}
	}

	@Test
	void whenConnectionBreaksWhileTheClaimWaitsRunsTheJobOnce() {
		for (int i = 0; i < 3; i++) {
			this.relay.cut();
			this.client.enqueue("b", i);
			this.runs.awaitEnded(3 + i);
			awaitIdle("1");
		}
		this.worker.awaitEmpty("b");
		assertThat(this.runs.begun()).containsExactlyInAnyOrder(-2, -1, 0, 1, 2);
	}

	@Test
	void whenServerClosesTheConnectionThatWaitsRunsTheJobOnce() {
		String waiting = nextWait();
		this.server.execute("CLIENT", "KILL", waiting);
		assertRunsOnce();
		// Another connection of the capsule may have found the job first.
		WorkerFixture.await()
			.untilAsserted(() -> assertThat(this.monitor.waits()).extracting(Call::connection)
				.contains(waiting)
				.anyMatch((connection) -> !connection.equals(waiting)));
	}

	@Test
	void whenServerEndsTheWaitClaimsWithoutAToken() {
		String waiting = nextWait();
		int before = this.monitor.claims().size();
		this.server.endWait(waiting);
		WorkerFixture.await().until(() -> this.monitor.claims().size() >= before + 2);
		assertRunsOnce();
	}

	@Test
	void whenConnectionBreaksBeforeTheAnswerRunsTheJobOnce() {
		this.relay.loseReplyTo(CLAIM);
		WorkerFixture.await().until(this.relay::losesReply);
		awaitIdle("1");
		assertRunsOnce();
		assertThat(this.relay.lostReplies()).isOne();
		WorkerFixture.await().untilAsserted(() -> {
			List<String> numbers = this.monitor.claims().stream().filter(Call::isOfB).map(Call::number).toList();
			assertThat(numbers).as("claims, one of which was repeated under its number")
				.hasSizeGreaterThan((int) numbers.stream().distinct().count());
		});
	}

	@Test
	void whenConnectionDiesSilentlyRunsTheJobOnce() {
		this.relay.swallowConnectionsOf(CLAIM);
		nextWait();
		this.client.enqueue("b", 0);
		WorkerFixture.await().until(() -> this.relay.swallowed() > 0);
		this.relay.pass();
		assertRan();
	}

	@Test
	void whenServerIsRestartedWhileTheClaimWaitsRunsTheNextJobOnce() {
		this.server.stop();
		this.server.restart();
		assertRunsOnce();
	}

	@Test
	void whenServerIsFrozenWhileTheClaimWaitsRunsTheNextJobOnce() {
		this.server.freeze();
		this.relay.cut();
		this.server.thaw();
		assertRunsOnce();
	}

	@Test
	void whenScriptIsMissingSendsItOnTheConnectionOfAllCommands() {
		RedisCallback<Object> flush = (connection) -> {
			connection.scriptingCommands().scriptFlush();
			return null;
		};
		this.server.redis().template().execute(flush);
		assertRunsOnce();
		// The order of the claims is not checked, because on a busy machine a heartbeat
		// may find the job first.
		String waiting = this.monitor.waits().get(0).connection();
		assertThat(this.monitor.claims()).extracting(Call::connection)
			.contains(waiting)
			.anyMatch((connection) -> !connection.equals(waiting));
	}

	@Test
	void whenAnswerIsLateRunsTheJobOnceAndWaitsAgain() {
		this.relay.delay(Duration.ofMillis(1200));
		assertRunsOnce();
		this.relay.pass();
		awaitIdle("1");
		this.client.enqueue("a", 1);
		this.runs.awaitEnded(4);
		assertThat(this.runs.ended()).containsExactlyInAnyOrder(-2, -1, 0, 1);
	}

	@Test
	void whenServerStandsStillRunsTheJobOnce() {
		this.relay.delay(Duration.ofMillis(200));
		this.client.enqueue("b", 0);
		WorkerFixture.await().until(() -> !this.monitor.claims().isEmpty());
		this.server.freeze();
		this.relay.cut();
		this.relay.pass();
		this.server.thaw();
		assertRan();
	}

	@Test
	void whenStoppedMeanwhileGivesTheJobBackAfterItsAnswer() {
		this.relay.delay(Duration.ofMillis(400));
		String id = this.client.enqueue("b", 0);
		awaitWorking();
		this.worker.launcher().stop();
		assertGivenBack(id);
	}

	@Test
	void whenStoppedWhileTheClaimWaitsLeavesTheNextJobToOthers() {
		this.worker.launcher().stop();
		String id = this.client.enqueue("b", 0);
		awaitIdle("0");
		assertGivenBack(id);
	}

	@Test
	void whenStoppedWhileMemoryIsFullTakesTheClaimBackOnce() {
		this.server.fillMemory();
		this.worker.launcher().stop();
		this.server.freeMemory();
		assertThat(this.monitor.claims()).filteredOn(Call::isOfB).as("claims of nothing").hasSize(1);
	}

	@Test
	void whenQuietenedMeanwhileGivesTheJobBack() {
		this.relay.hold();
		String id = this.client.enqueue("b", 0);
		awaitWorking();
		this.worker.launcher().quiet();
		this.relay.pass();
		WorkerFixture.await().untilAsserted(() -> assertGivenBack(id));
	}

	@Test
	void whenQuietenedWhileTheClaimWaitsLeavesTheNextJobToOthers() {
		this.worker.launcher().quiet();
		WorkerFixture.await().until(() -> this.monitor.claims().stream().anyMatch(Call::isOfB));
		awaitIdle("0");
		String id = this.client.enqueue("b", 0);
		try (WorkerFixture other = WorkerFixture.on(this.server.redis()).capsule(1, "b").jobs(this.runs).start()) {
			other.awaitEmpty("b");
		}
		assertThat(this.runs.ended()).containsExactlyInAnyOrder(-2, -1, 0);
		assertThat(id).isNotEmpty();
	}

	@Test
	void whenQueueIsPausedWhileTheClaimWaitsGetsNothingUntilItGoesOn() {
		PauseStore pauses = new PauseStore(this.server.redis().connections(), this.server.redis().prefix());
		pauses.change(Target.queue("b"), (standing) -> true, Order.byPerson(null, "ann", "Invoices are wrong"));
		String id = this.client.enqueue("b", 0);
		// The present wait ends without a token, because the queue is paused.
		nextWait();
		nextWait();
		assertGivenBack(id);
		pauses.change(Target.queue("b"), (standing) -> true, null);
		this.client.enqueue("b", 1);
		this.runs.awaitEnded(4);
		assertThat(this.runs.begun()).containsExactlyInAnyOrder(-2, -1, 0, 1);
	}

	@Test
	void whenTwoProcessesWaitEachOfThemGetsJobs() {
		Runs others = new Runs();
		try (WorkerFixture other = WorkerFixture.on(this.server.redis()).capsule(4, "b").jobs(others).start()) {
			awaitIdle("2");
			for (int i = 0; i < 40; i++) {
				this.client.enqueue("b", i);
				int ended = i + 1;
				WorkerFixture.await().until(() -> others.ended().size() + this.runs.ended().size() - 2 == ended);
				awaitIdle("2");
			}
			assertThat(others.ended()).hasSizeBetween(10, 30);
		}
	}

	/**
	 * Wait until another wait, along with its claims, has reached the server. Return its
	 * connection.
	 */
	private String nextWait() {
		int before = this.monitor.waits().size();
		WorkerFixture.await().until(() -> this.monitor.waits().size() > before);
		awaitIdle("1");
		return this.monitor.waits().get(before).connection();
	}

	private void awaitWorking() {
		WorkerFixture.await().until(() -> this.server.redis().contents("b").containsKey("working"));
	}

	private void assertGivenBack(String id) {
		assertThat(this.server.redis().contents("b")).doesNotContainKey("working")
			.extractingByKey("ready")
			.isEqualTo(List.of(id));
		assertThat(this.runs.begun()).doesNotContain(0);
	}

	private void assertRunsOnce() {
		this.client.enqueue("b", 0);
		assertRan();
	}

	private void assertRan() {
		this.runs.awaitEnded(3);
		this.worker.awaitEmpty("b");
		assertThat(this.runs.begun()).containsExactlyInAnyOrder(-2, -1, 0);
	}

	private void awaitIdle(String waits) {
		RedisCallback<String> blocked = (
				connection) -> connection.serverCommands().info("clients").getProperty("blocked_clients");
		WorkerFixture.await().until(() -> this.server.redis().template().execute(blocked).equals(waits));
	}

	/**
	 * A call as seen by the server.
	 */
	private record Call(String connection, String text) {

		boolean isOfB() {
			return this.text.contains("{b}");
		}

		/** Return the number of a claim, which follows the name of the capsule. */
		String number() {
			return this.text.substring(this.text.indexOf("\"" + CAPSULE + "\"")).split("\"")[3];
		}

	}

	/**
	 * Receives all calls to the server.
	 */
	private static final class Monitor implements AutoCloseable {

		private static final Pattern LINE = Pattern.compile("\\+\\S+ \\[\\d+ ([^\\]]+:\\d+)\\] (.*)");

		private final Socket socket;

		private final List<Call> calls = new CopyOnWriteArrayList<>();

		Monitor(OwnRedis server) throws IOException {
			this.socket = new Socket(server.host(), server.port());
			this.socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
			BufferedReader lines = new BufferedReader(
					new InputStreamReader(this.socket.getInputStream(), StandardCharsets.ISO_8859_1));
			assertThat(lines.readLine()).isEqualTo("+OK");
			Thread reader = new Thread(() -> read(lines));
			reader.setDaemon(true);
			reader.start();
		}

		private void read(BufferedReader lines) {
			try {
				for (String line = lines.readLine(); line != null; line = lines.readLine()) {
					Matcher matcher = LINE.matcher(line);
					if (matcher.matches()) {
						this.calls.add(new Call(matcher.group(1), matcher.group(2)));
					}
				}
			}
			catch (IOException ex) {
				// The connection was closed.
			}
		}

		List<Call> waits() {
			return calls("\"BLPOP\"");
		}

		/**
		 * Return the claims. Only claims have the name of the capsule as an argument.
		 */
		List<Call> claims() {
			return calls("\"" + CAPSULE + "\"");
		}

		List<String> connectionsOf(String command) {
			return calls("\"" + command + "\"").stream().map(Call::connection).distinct().toList();
		}

		private List<Call> calls(String text) {
			return this.calls.stream().filter((call) -> call.text().contains(text)).toList();
		}

		@Override
		public void close() throws IOException {
			this.socket.close();
		}

	}

}
