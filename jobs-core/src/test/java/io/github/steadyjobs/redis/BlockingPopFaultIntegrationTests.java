package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TwoNodes;
import io.lettuce.core.cluster.SlotHash;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BlockingPop} on a connection with disturbances (JG-03).
 */
class BlockingPopFaultIntegrationTests {

	private final OwnRedis server = OwnRedis.start();

	private final TcpRelay relay = TcpRelay.to(this.server.redis());

	private final ScriptFixture queue = new ScriptFixture(this.server.redis());

	private final BlockingPop line = new BlockingPop(this.relay.connections(Duration.ofSeconds(5)),
			this.server.redis().prefix(), List.of(this.queue.queue()));

	private final BlockingQueue<Optional<String>> heard = new LinkedBlockingQueue<>();

	@AfterEach
	void close() {
		this.line.close();
		this.relay.close();
		this.server.close();
	}

	@Test
	void listenWhenConnectionIsCutWaitsOnAnother() {
		listen();
		this.relay.cut();
		assertHearsToken();
	}

	@Test
	void listenWhenServerIsAwayHearsWhenItIsBack() {
		listen();
		this.relay.refuse();
		this.relay.pass();
		assertHearsToken();
	}

	@Test
	void listenWhenConnectionDiedSilentlyWaitsOnAnother() {
		listen();
		Awaitility.await().until(() -> this.relay.open() == 1);
		this.relay.swallow();
		this.relay.pass();
		assertHearsToken();
	}

	@Test
	void listenWhenServerBecomesReplicaWaitsOnAnother() {
		listen();
		this.server.demote();
		this.server.promote();
		assertHearsToken();
	}

	@Test
	void listenWhenServerRefusesWaitsBeforeItAsksAgain() {
		this.server.configure("min-replicas-to-write", "1");
		Awaitility.await().until(() -> {
			this.heard.clear();
			listen();
			this.heard.poll(20, TimeUnit.SECONDS);
			listen();
			return !this.line.isListening();
		});
		assertThat(this.heard).isEmpty();
		this.server.configure("min-replicas-to-write", "0");
		assertHearsToken();
	}

	@Test
	void callAlongWhenServerClosesTheConnectionIsSentOnAnother() throws Exception {
		CompletableFuture<List<Object>> answer = sendAlong();
		this.server.execute("CLIENT", "KILL", this.server.blockedClient());
		assertThat(answer).succeedsWithin(Duration.ofSeconds(20));
	}

	@Test
	void callAlongWhenConnectionDiedSilentlyFailsWithTheWait() throws Exception {
		CompletableFuture<List<Object>> answer = sendAlong();
		this.relay.swallow();
		this.relay.pass();
		assertThat(answer).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.withCauseInstanceOf(JobStoreException.class);
		assertHearsToken();
	}

	@Test
	void callAlongWhenScriptsAreFlushedIsSentByText() throws Exception {
		CompletableFuture<List<Object>> answer = sendAlong();
		this.server.execute("SCRIPT", "FLUSH");
		this.queue.template().opsForList().leftPush(this.queue.key("wake"), "1");
		assertThat(answer).succeedsWithin(Duration.ofSeconds(20));
	}

	@Test
	void callAlongWhenLineIsClosedFails() throws Exception {
		CompletableFuture<List<Object>> answer = sendAlong();
		this.line.close();
		assertThat(answer).failsWithin(Duration.ofSeconds(20));
	}

	/** Send a call along with a wait, and return once the wait is under way. */
	private CompletableFuture<List<Object>> sendAlong() throws InterruptedException {
		this.line.putBack(this.queue.queue());
		Awaitility.await().until(() -> {
			listen();
			return Optional.of(this.queue.queue()).equals(this.heard.poll(20, TimeUnit.SECONDS));
		});
		CompletableFuture<List<Object>> answered = new CompletableFuture<>();
		this.line.listen((queue) -> this.heard.add(Optional.ofNullable(queue)), (queue) -> new BlockingPop.CallAlong() {

			@Override
			public ScriptCall call() {
				return BlockingPopFaultIntegrationTests.this.queue.claimCall("p", 1);
			}

			@Override
			public void answered(boolean hinted, List<Object> answer, Throwable failure) {
				if (failure == null) {
					answered.complete(answer);
				}
				else {
					answered.completeExceptionally(failure);
				}
			}

		});
		Awaitility.await().until(() -> this.server.info("clients").getProperty("blocked_clients").equals("1"));
		return answered;
	}

	@Test
	void claimWhenSlotHasMovedSinceTheHintFollowsIt() throws Exception {
		try (TwoNodes cluster = TwoNodes.start()) {
			ScriptFixture moved = new ScriptFixture(cluster.redis());
			try (BlockingPop line = new BlockingPop(cluster.redis().connections(), cluster.redis().prefix(),
					List.of(moved.queue()))) {
				line.listen((queue) -> this.heard.add(Optional.ofNullable(queue)), (queue) -> null);
				Awaitility.await().until(line::isListening);
				cluster.redis().template().opsForList().leftPush(moved.key("wake"), "1");
				assertThat(this.heard.poll(20, TimeUnit.SECONDS)).contains(moved.queue());
				cluster.move(SlotHash.getSlot(moved.key("wake")));
				assertThat(line.follow(moved.queue(), () -> moved.claimCall("p", 1)))
					.succeedsWithin(Duration.ofSeconds(20))
					.extracting((answer) -> Answers.text(answer, 0))
					.isEqualTo("FENCED");
			}
		}
	}

	@Test
	void claimWithoutAHintOrAfterAnotherClaimGoesTheUsualWay() throws Exception {
		assertThat(claim()).isNull();
		listen();
		assertThat(claim()).isNull();
		this.queue.enqueue(1);
		assertThat(this.heard.poll(20, TimeUnit.SECONDS)).contains(this.queue.queue());
		assertThat(claim()).succeedsWithin(Duration.ofSeconds(20));
		assertThat(claim()).isNull();
	}

	private CompletableFuture<List<Object>> claim() {
		return this.line.follow(this.queue.queue(), () -> this.queue.claimCall("p", 1));
	}

	private void assertHearsToken() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.ignoreExceptionsInstanceOf(JobStoreException.class)
			.until(() -> {
				// Several tokens are pushed, because the dead connection may swallow one.
				this.queue.template().opsForList().leftPush(this.queue.key("wake"), "1");
				listen();
				return this.heard.contains(Optional.of(this.queue.queue()));
			});
	}

	private void listen() {
		this.line.listen((queue) -> this.heard.add(Optional.ofNullable(queue)), (queue) -> null);
	}

}
