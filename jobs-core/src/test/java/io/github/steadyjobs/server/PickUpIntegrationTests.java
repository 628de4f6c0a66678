package io.github.steadyjobs.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.TcpRelay;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.core.RedisCallback;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the path from a wake token to the running job in an idle process, with a
 * connection that is disturbed at some point of this path.
 */
class PickUpIntegrationTests {

	private static final String CAPSULE = "pick-up";

	private final OwnRedis server = OwnRedis.start();

	private final TcpRelay relay = TcpRelay.to(this.server.redis());

	private final Runs runs = new Runs();

	private final WorkerFixture client = WorkerFixture.on(this.server.redis()).jobs(this.runs).build();

	private final WorkerFixture worker = WorkerFixture.on(this.server.redis())
		.connections(this.relay.connections(Duration.ofSeconds(5)))
		.capsule(CAPSULE, 4, Order.WEIGHTED, new Queue("a", 1), new Queue("b", 1))
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
	void claimsOnTheConnectionThatBroughtTheTokenAndFromNoOtherQueue() {
		for (int i = 0; i < 5; i++) {
			this.client.enqueue("b", i);
			this.runs.awaitEnded(3 + i);
			awaitIdle("1");
		}
		assertThat(this.monitor.claims()).allSatisfy((claim) -> assertThat(claim.text()).contains("{b}"));
		// On a busy machine, the loop may claim as well, which only costs another call.
		String waiting = this.monitor.waits().get(0).connection();
		assertThat(this.monitor.claims()).filteredOn((claim) -> claim.connection().equals(waiting)).hasSize(5);
		assertThat(this.monitor.connectionsOf("EVALSHA")).as("connections with EVALSHA").hasSizeGreaterThan(1);
	}

	@Test
	void whenNothingComesWaitsAgainAndClaimsNothing() {
		// The monitor does not show the wait that was in progress when the monitor was
		// started.
		WorkerFixture.await().until(() -> this.monitor.waits().size() >= 2);
		assertThat(this.monitor.claims()).isEmpty();
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
	void whenConnectionBreaksBeforeTheAnswerRunsTheJobOnce() {
		this.relay.loseReplyTo(CAPSULE);
		assertRunsOnce();
		assertThat(this.relay.lostReplies()).isOne();
		// On a busy machine, the worker may make another claim in the meantime.
		assertThat(this.monitor.claims().subList(0, 2)).extracting(Call::connection).doesNotHaveDuplicates();
	}

	@Test
	void whenConnectionDiesSilentlyRunsTheJobOnce() {
		this.relay.swallowConnectionsOf(CAPSULE);
		this.client.enqueue("b", 0);
		WorkerFixture.await().until(() -> this.relay.swallowed() > 0);
		this.relay.pass();
		assertRan();
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
		WorkerFixture.await().until(() -> this.server.redis().contents("b").containsKey("working"));
		this.worker.launcher().stop();
		assertThat(this.server.redis().contents("b")).doesNotContainKey("working")
			.extractingByKey("ready")
			.isEqualTo(List.of(id));
		assertThat(this.runs.begun()).doesNotContain(0);
		assertThat(this.monitor.claims()).as("claims, which are answered and so not repeated").hasSize(1);
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
