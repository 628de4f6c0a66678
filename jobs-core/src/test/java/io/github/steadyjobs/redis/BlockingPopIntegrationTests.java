package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.job;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BlockingPop}.
 */
@RedisAndClusterTest
class BlockingPopIntegrationTests {

	private static final Optional<String> NOTHING = Optional.empty();

	private final ScriptFixture first;

	private final ScriptFixture second;

	private final BlockingPop line;

	private final BlockingQueue<Optional<String>> heard = new LinkedBlockingQueue<>();

	private final BlockingQueue<Answered> answered = new LinkedBlockingQueue<>();

	private final TestRedis redis;

	BlockingPopIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.first = new ScriptFixture(redis);
		this.second = this.first.sibling();
		this.line = new BlockingPop(redis.connections(), redis.prefix(),
				List.of(this.first.queue(), this.second.queue()));
	}

	@AfterEach
	void close() {
		this.line.close();
	}

	@Test
	void listenWhenTokenIsThereTellsItsQueue() throws Exception {
		this.second.enqueue(1);
		listen();
		assertThat(next()).contains(this.second.queue());
		assertThat(this.second.has("wake")).isFalse();
	}

	@Test
	void listenWhenTokenArrivesTellsItsQueue() throws Exception {
		listen();
		this.first.enqueue(1);
		assertThat(next()).contains(this.first.queue());
	}

	@Test
	void listenWhenWaitingAlreadyTellsOnce() throws Exception {
		listen();
		listen();
		this.first.enqueue(job(1), job(2));
		assertThat(next()).contains(this.first.queue());
		assertThat(this.first.list("wake")).hasSize(1);
	}

	@Test
	@DisplayName("SK-30, JG-12: a wait for all queues lasts 2 s, and is followed by another wait")
	void listenWhenNothingComesTellsSoAndWaitsAgain() throws Exception {
		long begun = System.nanoTime();
		listen();
		assertThat(next()).isEqualTo(NOTHING);
		// Redis ended the wait. If the client's own timeout had ended it, the client
		// would replace the connection after a pause.
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(BlockingPop.BLOCK);
		assertThat(BlockingPop.BLOCK).isEqualTo(Duration.ofSeconds(2)).isLessThan(BlockingPop.COMMAND_TIMEOUT);
		this.first.enqueue(1);
		Awaitility.await().until(() -> {
			listen();
			return Optional.of(this.first.queue()).equals(this.heard.poll());
		});
	}

	@Test
	void listenWhenAKeyHoldsNoListHearsOfTheOthersAndDoesNotSpin() throws Exception {
		this.first.spoil(this.first.key("wake"));
		listen();
		assertThat(next()).isEqualTo(NOTHING);
		listen();
		this.second.enqueue(1);
		Awaitility.await().until(() -> {
			listen();
			return this.heard.contains(Optional.of(this.second.queue()));
		});
		// Besides one refusal, at most one wait has ended without a token.
		assertThat(this.heard).filteredOn(NOTHING::equals).hasSizeLessThanOrEqualTo(2);
	}

	@Test
	void listenWhenAKeyWasRepairedHearsOfItsQueueAgain() throws Exception {
		this.first.spoil(this.first.key("wake"));
		listen();
		assertThat(next()).isEqualTo(NOTHING);
		listen();
		this.first.template().delete(this.first.key("wake"));
		this.first.enqueue(1);
		Awaitility.await().until(() -> {
			listen();
			return this.heard.contains(Optional.of(this.first.queue()));
		});
	}

	@Test
	void listenWhenQueueIsLeftOutLeavesItsTokensToOthers() throws Exception {
		this.line.leaveOut(this.first.queue());
		this.first.enqueue(1);
		listen();
		this.second.enqueue(1);
		Awaitility.await().until(() -> {
			listen();
			return this.heard.contains(Optional.of(this.second.queue()));
		});
		assertThat(this.first.list("wake")).hasSize(1);
		this.line.leaveOut(this.second.queue());
		listen();
	}

	@Test
	void listenWhenCallsGoAlongCarriesThemOutWithTheToken() throws Exception {
		open();
		this.line.listen((queue) -> this.heard.add(Optional.ofNullable(queue)), this::along);
		this.first.enqueue(1);
		// In a cluster, each queue has a wait of its own.
		assertThat(nextAnswer()).isEqualTo(new Answered(this.first.queue(), true, "FENCED"));
		assertThat(nextAnswer()).isEqualTo(new Answered(this.second.queue(), false, "FENCED"));
		assertThat(this.heard).isEmpty();
	}

	@Test
	void listenWhenCallsGoAlongAndNothingComesCarriesThemOutAtTheEnd() throws Exception {
		open();
		this.line.listen((queue) -> this.heard.add(Optional.ofNullable(queue)), this::along);
		assertThat(List.of(nextAnswer(), nextAnswer())).containsExactlyInAnyOrder(
				new Answered(this.first.queue(), false, "FENCED"), new Answered(this.second.queue(), false, "FENCED"));
		assertThat(this.heard).isEmpty();
		assertThat(this.line.isListening()).isFalse();
	}

	@Test
	void listenWhenACallGoesAlongForAnotherQueueTellsOfTheToken() throws Exception {
		open();
		this.line.listen((queue) -> this.heard.add(Optional.ofNullable(queue)),
				(queue) -> queue.equals(this.first.queue()) ? along(queue) : null);
		this.second.enqueue(1);
		assertThat(next()).contains(this.second.queue());
		assertThat(nextAnswer()).isEqualTo(new Answered(this.first.queue(), false, "FENCED"));
	}

	@Test
	void listenWhenQueuesAreManySendsFourCallsAlong() throws Exception {
		List<ScriptFixture> many = Stream.generate(this.first::sibling).limit(6).toList();
		try (BlockingPop pop = new BlockingPop(this.redis.connections(), this.redis.prefix(),
				many.stream().map(ScriptFixture::queue).toList())) {
			pop.putBack(many.get(0).queue());
			pop.listen((queue) -> this.heard.add(Optional.ofNullable(queue)), (queue) -> null);
			assertThat(next()).contains(many.get(0).queue());
			// In a cluster, each queue has a wait of its own.
			int most = this.redis.connections().isCluster() ? 6 : 4;
			Awaitility.await().untilAsserted(() -> {
				pop.listen((queue) -> {
				}, this::along);
				assertThat(this.answered.stream().map(Answered::queue).distinct()).hasSize(most);
			});
		}
	}

	@Test
	void listenWhenACallCannotBeMadeWaitsAgainLater() throws Exception {
		open();
		this.line.listen((queue) -> this.heard.add(Optional.ofNullable(queue)), (queue) -> {
			throw new IllegalStateException("no call");
		});
		assertThat(next()).isEqualTo(NOTHING);
		this.first.enqueue(1);
		Awaitility.await().until(() -> {
			listen();
			return this.heard.contains(Optional.of(this.first.queue()));
		});
	}

	@Test
	void putBackWhenTokenCannotBeUsedLetsAnotherFindIt() throws Exception {
		this.line.putBack(this.second.queue());
		listen();
		assertThat(next()).contains(this.second.queue());
	}

	@Test
	void putBackWhenManyDoSoLeavesThreeTokens() {
		for (int capsule = 0; capsule < 33; capsule++) {
			this.line.putBack(this.first.queue());
		}
		this.line.putBack(this.second.queue());
		Awaitility.await().until(() -> this.second.has("wake"));
		Awaitility.await().until(() -> this.first.list("wake").size() == 3);
	}

	@Test
	void putBackWhenQueueIsOfAnotherLineDoesNothing() {
		ScriptFixture other = this.first.sibling();
		this.line.putBack(other.queue());
		this.line.putBack(this.first.queue());
		Awaitility.await().until(() -> this.first.has("wake"));
		assertThat(other.has("wake")).isFalse();
	}

	@Test
	void closeEndsTheWait() throws Exception {
		listen();
		this.line.close();
		assertThat(next()).isEqualTo(NOTHING);
	}

	/** Open the connections. Calls go along with a wait only on an open connection. */
	private void open() throws InterruptedException {
		// In a cluster, each queue has a connection of its own.
		List<String> queues = this.redis.connections().isCluster() ? List.of(this.first.queue(), this.second.queue())
				: List.of(this.first.queue());
		queues.forEach(this.line::putBack);
		Set<String> open = new HashSet<>();
		listen();
		while (!open.containsAll(queues)) {
			next().ifPresent(open::add);
		}
		this.heard.clear();
	}

	private BlockingPop.CallAlong along(String queue) {
		ScriptFixture fixture = queue.equals(this.second.queue()) ? this.second : this.first;
		return new BlockingPop.CallAlong() {

			@Override
			public ScriptCall call() {
				return fixture.claimCall("p", 1);
			}

			@Override
			public void answered(boolean hinted, List<Object> answer, Throwable failure) {
				BlockingPopIntegrationTests.this.answered
					.add(new Answered(queue, hinted, (failure != null) ? failure.toString() : Answers.text(answer, 0)));
			}

		};
	}

	private Answered nextAnswer() throws InterruptedException {
		Answered answered = this.answered.poll(20, TimeUnit.SECONDS);
		assertThat(answered).as("answer within 20 seconds").isNotNull();
		return answered;
	}

	private void listen() {
		this.line.listen((queue) -> this.heard.add(Optional.ofNullable(queue)), (queue) -> null);
	}

	private Optional<String> next() throws InterruptedException {
		Optional<String> heard = this.heard.poll(20, TimeUnit.SECONDS);
		assertThat(heard).as("answer within 20 seconds").isNotNull();
		return heard;
	}

	private record Answered(String queue, boolean hinted, String status) {

	}

}
